import compact from 'lodash/compact';

import { GUID } from '../values/address';
import { asText } from '../values/asText';
import { isRecord } from '../values/record';
import { comparable, withoutAccents } from '../values/text';

/** What a person may be found by. The values are as the service returns them, of any type. */
export interface Person {
	/** GUIDs, numbers and emails: only the whole of one finds the person. */
	ids: readonly unknown[];
	/** The parts of the name. */
	names: readonly unknown[];
	phones: readonly unknown[];
}

/** A record as the service returns it. */
type ServiceRecord = Readonly<Record<string, unknown>>;

/** The guest of a web booking, who is also found by the booking. @see contract/openapi.yaml WebBooking */
export function guestOf(booking: ServiceRecord): Person {
	const { guid, globalBookingNumber, contact } = booking;
	const guest = contactAsPerson(isRecord(contact) ? contact : {});
	const ids = [guid, globalBookingNumber].concat(guest.ids);
	return { ...guest, ids };
}

/** @see contract/openapi.yaml Contact */
export function contactAsPerson(contact: ServiceRecord): Person {
	return {
		ids: [contact.email],
		names: [contact.fname, contact.lname],
		phones: [contact.mobile, contact.phone],
	};
}

/** @see contract/openapi.yaml CustomerListItem */
export function customerAsPerson(customer: ServiceRecord): Person {
	return {
		ids: [customer.id, customer.customerNumber, customer.orgNr, customer.email],
		names: [customer.name],
		phones: [customer.phone],
	};
}

/** @see contract/openapi.yaml SurveyRecipient */
export function recipientAsPerson(recipient: ServiceRecord): Person {
	return {
		ids: [recipient.id, recipient.ref, recipient.emailAddress],
		names: [recipient.name],
		phones: [recipient.mobilePhone],
	};
}

const FEWEST_DIGITS = 6;

/** Letters that are more than a letter with an accent, as a keyboard without them writes them. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ð: 'd',
	þ: 'th',
	ħ: 'h',
	ŧ: 't',
};

/** The same, where a letter with an accent is written as two. */
const DOUBLE_LETTERS: Readonly<Record<string, string>> = {
	...PLAIN_LETTERS,
	å: 'aa',
	ä: 'ae',
	ö: 'oe',
	ø: 'oe',
	ü: 'ue',
};

const SPECIAL_LETTERS = new RegExp(`[${Object.keys(DOUBLE_LETTERS).join('')}]`, 'g');
const APOSTROPHES = /'/g;
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}]+/u;

/** A word of a name, in the ways in which it may be written without its accents. */
interface Word {
	/** `oberg` for Öberg */
	plain: string;
	/** `oeberg` for Öberg */
	double: string;
	/** `oberg` for Öberg, Oberg and Oeberg: fit for whole words only, as it is `jol` for Joel. */
	shortest: string;
}

/** Braces stand around a GUID, and `tel:` before a number that nodes put out. */
const AROUND = /^(?:tel:|\{)|\}$/g;

/**
 * Finds people by what somebody has typed: a GUID, a number, an email, a telephone number, or words of the name in any
 * order. Only the first 200 characters of a text count.
 */
export class PeopleSearch {
	private readonly wanted: string;
	private readonly digits: string = '';
	private readonly words: readonly Word[] = [];

	constructor(search: string) {
		this.wanted = comparable(search).replace(AROUND, '').trim();
		const isIdOrEmail = GUID.test(this.wanted) || this.wanted.includes('@');
		if (isIdOrEmail) return;
		this.digits = phoneDigits(this.wanted);
		this.words = wordsOf(this.wanted);
	}

	/** Whether the text is the whole of one of the IDs: a GUID, a number or an email. */
	isOneOf(ids: readonly unknown[]): boolean {
		if (this.wanted === '') return false;
		return ids.some((id) => textOf(id) === this.wanted);
	}

	finds(person: Person): boolean {
		if (this.isOneOf(person.ids)) return true;
		if (this.findsPhone(person.phones)) return true;
		return this.findsName(person.names);
	}

	private findsPhone(phones: readonly unknown[]) {
		const { digits } = this;
		if (digits.length < FEWEST_DIGITS) return false;
		return phones.some((phone) => {
			const other = phoneDigits(textOf(phone));
			if (other.length < FEWEST_DIGITS) return false;
			return other.endsWith(digits) || digits.endsWith(other);
		});
	}

	private findsName(names: readonly unknown[]) {
		if (this.words.length === 0) return false;
		const texts = names.map(textOf);
		const ofName = texts.flatMap(wordsOf);
		return this.words.every((word) => isIn(ofName, word));
	}
}

function textOf(value: unknown) {
	return comparable(asText(value ?? ''));
}

/**
 * @param text as {@link comparable} gives it
 * @returns the digits without the `(0)` after a country code and without zeros at the beginning, so that 0046 70… and
 * 070… end alike; '' for a text with letters, which is no telephone number
 */
function phoneDigits(text: string) {
	if (/\p{L}/u.test(text)) return '';
	return text
		.replace(/\(\s*0\s*\)/g, '')
		.replace(/\D/g, '')
		.replace(/^0+/, '');
}

/** @param text as {@link comparable} gives it */
function wordsOf(text: string): Word[] {
	const written = text.replace(APOSTROPHES, '');
	const words = written.split(BETWEEN_WORDS);
	return compact(words).map(wordOf);
}

function wordOf(word: string): Word {
	const plain = withLetters(word, PLAIN_LETTERS);
	const double = withLetters(word, DOUBLE_LETTERS);
	return { plain, double, shortest: shortened(plain) };
}

function withLetters(word: string, letters: Readonly<Record<string, string>>) {
	const written = word.replace(SPECIAL_LETTERS, (letter) => letters[letter] ?? letter);
	return withoutAccents(written);
}

function shortened(plain: string) {
	return plain
		.replace(/a[ae]+/g, 'a')
		.replace(/oe+/g, 'o')
		.replace(/ue+/g, 'u');
}

function isIn(name: readonly Word[], wanted: Word) {
	return name.some((word, at) => {
		if (isPartOf(word, wanted)) return true;
		return areWrittenAs(wanted, name.slice(at));
	});
}

/** Whether the first of several words are written as one: Annakarin for Anna-Karin. */
function areWrittenAs(wanted: Word, words: readonly Word[]) {
	let joined = '';
	for (const word of words) {
		joined += word.plain;
		if (shortened(joined) === wanted.shortest) return true;
		if (joined.length > 2 * wanted.double.length) return false;
	}
	return false;
}

function isPartOf(word: Word, wanted: Word) {
	if (word.plain.includes(wanted.plain)) return true;
	return word.double.includes(wanted.double);
}
