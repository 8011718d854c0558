import { type SafeText, redacted } from '../errors/secrets';
import { KeySet } from '../values/keys';
import { joined, plainText } from '../values/plainText';

/** Characters of their names. */
const MAX_COLUMNS = 500;
const MAX_HINT = 2_000;

/** What a run left out, for the hint that n8n shows with its output, and for the data of a tool. */
export class OmittedData {
	/** Records of responses that 'Limit' left out. */
	records = 0;
	/** Whether 'Limit' was met before everything was asked for. */
	mayHaveMore = false;
	/** Columns of input items that automatic mapping did not send, each by the start of its name. */
	private readonly columns = new KeySet<string>();
	/** Filters that a language model left blank, as displayed. */
	readonly blankFilters = new KeySet<string>();
	/** What a tool was asked for, in the words of the form. */
	asked = '';
	/** Fields whose text was cut, in some record. */
	readonly texts = new KeySet<string>();

	/** @param name of a column of an input item that automatic mapping did not send */
	addColumn(name: string): void {
		const start = plainText(name, MAX_COLUMNS);
		this.columns.add(start);
	}

	/** @returns '' where nothing was left out */
	describe(secrets: readonly string[]): SafeText {
		const limited = this.describeLimit();
		const columns = listed(this.columns);
		const filters = listed(this.blankFilters);
		const texts = listed(this.texts);
		const sentences = [
			limited && `${limited}. Raise it or switch on 'Return All'.`,
			columns && `Columns that were not sent, as no field has their name: ${columns}.`,
			filters && `Filters that were left blank, and were not used: ${filters}.`,
			texts && `A longer text ends with '…' in: ${texts}. Set 'Output' to 'Raw' for the whole.`,
		];
		return redacted(joined(sentences), secrets, MAX_HINT);
	}

	private describeLimit(): string {
		const { records, mayHaveMore } = this;
		if (records > 0) {
			const atLeast = mayHaveMore ? 'at least ' : '';
			return `Records left out by 'Limit': ${atLeast}${records}`;
		}
		return mayHaveMore ? "'Limit' was reached, there may be more records" : '';
	}
}

/** @returns names in one line, cut where they are too many or too long */
function listed(names: ReadonlySet<string>): string {
	const line = Array.from(names).join(', ');
	return plainText(line, MAX_COLUMNS);
}
