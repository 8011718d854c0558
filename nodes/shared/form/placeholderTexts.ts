import { InvalidValueError } from '../values/invalidValue';
import { KeySet } from '../values/keys';

/**
 * Words that software writes for nothing, on its way from a table or a program into a field. A field that holds one of them
 * and nothing else is refused: sent, it would replace what is there. Within a longer text they are words like any other.
 */
const JAVASCRIPT = ['undefined', 'NaN', 'Invalid DateTime', 'Invalid Date'];
const OBJECT = /^\[object \w+\]$/;

/** The errors of Excel in English, German, Swedish, Danish, Norwegian and Finnish, and one of Google Sheets, with blanks between them. */
const SPREADSHEET =
	'#N/A #REF! #VALUE! #NAME? #DIV/0! #NUM! #NULL! #SPILL! #CALC! #BUSY! #CONNECT! #ERROR! ' +
	'#NV #BEZUG! #WERT! #ZAHL! #ÜBERLAUF! #KALK! #FELD! #GETTING_DATA ' +
	'#SAKNAS! #REFERENS! #VÄRDEFEL! #NAMN? #DIVISION/0! #OGILTIGT! #SKÄRNING! #FÄLT! ' +
	'#I/T #REFERENCE! #VÆRDI! #NAVN? #NUL! #OVERLØB! #BEREGN! ' +
	'#VERDI! #OVERFLYT! #BEREGNE! #FELT! #FIELD! #BLOCKED! #UNKNOWN! ' +
	'#PUUTTUU! #VIITTAUS! #ARVO! #NIMI? #JAKO/0! #LUKU! #TYHJÄ!';

const NOTHING_ANYWHERE = new KeySet(JAVASCRIPT.concat(SPREADSHEET.split(' ')));

/** A guest may be called Null, and have the message "None": they are refused only where nobody could mean them. */
const NOTHING_IN_IDS = new KeySet(['null', 'none']);

/** IDs, numbers of customers and accounts, email addresses and telephone numbers, by the ends of their names; entries of lists too. */
const NAMES_OF_IDS =
	/(?:id|ids|key|identifier|number|nr|alias|email|emailaddress|phone|mobile|msisdn|fax)(?:\[\d+\])?$/i;

/**
 * @param path of a field in the contract, or where a value stands in a body
 * @returns whether the field takes texts that nobody writes by hand, such as IDs
 */
export function takesId(path: string): boolean {
	return NAMES_OF_IDS.test(path);
}

/** @throws InvalidValueError for a text that is a word for nothing, see above */
export function refusePlaceholderText(text: string, label: string, isId: boolean): void {
	const word = text.trim();
	const problem = `is '${word}'`;
	if (OBJECT.test(word)) throw new InvalidValueError(label, problem, OBJECT_HINT);
	let isNothing = NOTHING_ANYWHERE.has(word);
	if (isId && NOTHING_IN_IDS.has(word.toLowerCase())) isNothing = true;
	if (isNothing) throw new InvalidValueError(label, problem, NOTHING_HINT);
}

const OBJECT_HINT =
	'An object or a list became a text. Choose one of its values, or in JSON write {{ JSON.stringify($json.name) }} with its name';
const NOTHING_HINT =
	'Software writes this word where it has no value. Check where it comes from; leave the field empty to keep what is there';
