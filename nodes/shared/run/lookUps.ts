import type { IDataObject } from 'n8n-workflow';
import attempt from 'lodash/attempt';
import get from 'lodash/get';

import { SEARCHED_PERIOD } from '../booking/aroundNow';
import { BookingNumbers, type NumberedBooking } from '../booking/bookingNumbers';
import { sourceOfId } from '../booking/idSources';
import { listRecords } from '../booking/listCall';
import { type NamedStatus, namedStatuses, recentlyChanged } from '../booking/recentNames';
import { isTool } from '../errors/nodeErrors';
import type { Field } from '../form/fields';
import { refusePlaceholderText } from '../form/placeholderTexts';
import type { Section } from '../form/rows';
import { isBlankParameter } from '../form/values';
import { usesJson } from '../operation/nodeForm';
import type { ItemContext, Operation, Run } from '../operation/operation';
import { readSystem } from '../operation/options';
import { isGuid } from '../values/address';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import { KeyMap } from '../values/keys';
import { quoted } from '../values/plainText';
import { comparable } from '../values/text';

/** A field in whose place something else may be entered. */
export interface Place {
	field: Field;
	/** The parameter that holds it: its collection, or itself. */
	parameter: string;
	/** Its path in the node's parameters. */
	path: string;
	find: Finder;
}

/** @returns what is sent; undefined where that is what was entered */
type Finder = (entered: Entered) => Promise<Found | undefined>;
type Found = string | number;

/** What was entered at a place, of an item. */
interface Entered {
	label: string;
	text: string;
	/** What the form calls the way to enter the ID itself. */
	idMode: string;
	/** Whether it stands where numbers are entered, not IDs. */
	isByNumber: boolean;
	isByAgent: boolean;
	index: BookingIndex;
	/** Makes a call of the item that lists web bookings. */
	list: ListBookings;
}

type ListBookings = (query: object) => Promise<unknown[]>;

/** What is found by the bookings of one system. Each part is read when it is first needed. */
class BookingIndex {
	readonly numbers: BookingNumbers;
	private statuses?: NamedStatus[];

	/** @param timeZone of the credential */
	constructor(private readonly timeZone: string) {
		this.numbers = new BookingNumbers(timeZone);
	}

	/** @returns the names of statuses, with their numbers */
	async readStatuses(list: ListBookings): Promise<NamedStatus[]> {
		if (!this.statuses) {
			const bookings = await list(recentlyChanged(this.timeZone));
			this.statuses = namedStatuses(bookings);
		}
		return this.statuses;
	}
}

/**
 * Replaces what a person or an agent has entered by what the service takes: a booking's number by its GUID or its root ID, the name of a
 * status by its number. What is read for it is read once for all items of a run; `booking/bookingNumbers.ts` searches the bookings.
 */
export class LookUps {
	private readonly places: readonly Place[];
	/** By system. */
	private readonly indexes = new KeyMap<string | undefined, BookingIndex>();

	constructor(private readonly run: Run) {
		this.places = placesOf(run.operation);
	}

	/**
	 * @returns the item, whose parameters give what was found
	 * @throws InvalidValueError for what is not found, or is not the only one; the error of a call
	 */
	async resolve(item: ItemContext): Promise<ItemContext> {
		let resolved = item;
		// Fields of a collection do not count beside JSON.
		const isJson = this.run.operation.body !== undefined && usesJson(item);
		for (const place of this.places) {
			const isInCollection = place.parameter !== place.path;
			if (isJson && isInCollection) continue;
			const value = item.getParameter(place.path);
			if (isBlankParameter(value) || typeof value === 'object') continue;
			const text = asText(value).trim();
			const entered = this.entered(item, place, text);
			const found = await place.find(entered);
			if (found !== undefined) resolved = withParameter(resolved, place, found);
		}
		return resolved;
	}

	private entered(item: ItemContext, place: Place, text: string): Entered {
		const { operation, settings } = this.run;
		const { timeout, giveUpAfterMs } = settings;
		const system = operation.takesSystem ? readSystem(item) : undefined;
		const mode: unknown = get(item.node.parameters, `${place.path}.mode`);
		const { displayName: label, modes = [] } = place.field.property;
		refuseWordForNothing(text, label);
		const byId = modes.find(({ name }) => name === 'id');
		return {
			label,
			text,
			idMode: byId?.displayName ?? '',
			isByNumber: mode === 'number',
			isByAgent: isTool(item.node),
			index: this.indexOf(system, item.account.timeZone),
			async list(bookings) {
				const query = bookings as IDataObject;
				const request = { query, system, timeout, giveUpAfterMs };
				return await listRecords(item.call, 'webBooking.getAll', request);
			},
		};
	}

	private indexOf(system: string | undefined, timeZone: string): BookingIndex {
		let index = this.indexes.get(system);
		if (!index) {
			index = new BookingIndex(timeZone);
			this.indexes.set(system, index);
		}
		return index;
	}
}

/** @throws InvalidValueError for a word that software writes for nothing: no booking has it as a number */
function refuseWordForNothing(text: string, label: string): void {
	const refused: unknown = attempt(refusePlaceholderText, text, label, true);
	const source = sourceOfId(label) ?? '';
	if (refused instanceof InvalidValueError) throw refused.withHint(source);
}

const FINDERS: Readonly<Record<NonNullable<Field['lookUp']>, Finder>> = {
	bookingNumber: findGuid,
	bookingRootId: findRootId,
	bookingStatus: findStatus,
};

async function findGuid(entered: Entered): Promise<string | undefined> {
	const mayBeNumber = entered.isByNumber || entered.isByAgent;
	if (!mayBeNumber || isGuid(entered.text)) return undefined;
	const { numbers } = entered.index;
	const bookings = await numbers.find(entered.text, entered.list);
	const booking = onlyOne(bookings, entered, ({ guid }) => [guid]);
	return booking.guid;
}

async function findRootId(entered: Entered): Promise<string | undefined> {
	const { text, isByNumber, isByAgent } = entered;
	if (!isByNumber && !isByAgent) return undefined;
	const { numbers } = entered.index;
	const bookings = await numbers.find(text, entered.list);
	// An agent gives a number or a root ID.
	const mayBeRootId = !isByNumber && /^\d+$/.test(text);
	if (mayBeRootId && bookings.length === 0) return undefined;
	const { guid, rootIds } = onlyOne(bookings, entered, (booking) => booking.rootIds);
	const guidOfRootId = numbers.guidOfRootId(text) ?? guid;
	if (mayBeRootId && guidOfRootId !== guid) {
		const hint = 'Ask the person which booking is meant, by its date and guest';
		throw unusable(entered, 'the number of one booking and the root ID of another', hint);
	}
	if (rootIds.length === 1) return rootIds[0];
	let howMany = 'several checkout numbers';
	if (rootIds.length === 0) howMany = 'no checkout number yet';
	const hint = "Choose 'By Root ID' and enter the number that the checkout shows for it";
	throw unusable(entered, `a booking that has ${howMany}`, hint);
}

/** Numbers are taken as they are. */
async function findStatus(entered: Entered): Promise<number | undefined> {
	if (/^[+-]?\d+$/.test(entered.text)) return undefined;
	const wanted = comparable(entered.text);
	const names = await entered.index.readStatuses(entered.list);
	const found: number[] = [];
	const known: string[] = [];
	for (const { status, name } of names) {
		known.push(`${name} (${status})`);
		if (comparable(name) === wanted) found.push(status);
	}
	if (found.length === 1) return found[0];
	let what = 'the name of several statuses';
	if (found.length === 0) what = 'which no recent booking has had as a status';
	const listed = known.join(', ') || 'there are none';
	const hint = `Enter its number, or one of the names of recent bookings: ${listed}`;
	throw unusable(entered, what, hint);
}

/**
 * @param idsOf the IDs that may be entered for a booking instead
 * @throws InvalidValueError for none and for several
 */
function onlyOne(
	bookings: readonly NumberedBooking[],
	entered: Entered,
	idsOf: (booking: NumberedBooking) => readonly string[],
): NumberedBooking {
	const { label, idMode } = entered;
	const booking = bookings[0];
	if (!booking) {
		const hint = `Check the number. For a booking of another time choose '${idMode}'`;
		const error = unusable(entered, `a number that no booking ${SEARCHED_PERIOD} has`, hint);
		throw error.withHint(sourceOfId(label) ?? '');
	}
	if (bookings.length === 1) return booking;
	const ids = bookings.flatMap(idsOf).join(', ') || 'the checkout shows it';
	const hint = `Choose '${idMode}' and enter the one that is meant: ${ids}`;
	throw unusable(entered, `the number of ${bookings.length} bookings`, hint);
}

/** @param what it is, so that it cannot be sent */
function unusable(entered: Entered, what: string, hint: string): InvalidValueError {
	const { label, text } = entered;
	return new InvalidValueError(label, `is '${quoted(text)}', ${what}`, hint);
}

/** @returns where an operation's form takes something else than the value itself */
export function placesOf(operation: Operation): Place[] {
	const { pathFields = [], query = [], body } = operation;
	const ofPath: Section = { fields: pathFields };
	const sections = [ofPath].concat(query, body?.sections ?? []);
	return sections.flatMap(placesIn);
}

function placesIn({ collection, fields }: Section): Place[] {
	const places: Place[] = [];
	for (const field of fields) {
		if (field.lookUp === undefined) continue;
		const { name } = field.property;
		const find = FINDERS[field.lookUp];
		const parameter = collection?.name ?? name;
		const path = collection ? `${parameter}.${name}` : name;
		places.push({ field, parameter, path, find });
	}
	return places;
}

function withParameter(item: ItemContext, place: Place, found: Found): ItemContext {
	const { parameter, path, field } = place;
	return {
		...item,
		getParameter(name) {
			if (name === path) return found;
			const value = item.getParameter(name);
			if (name !== parameter) return value;
			return { ...Object(value), [field.property.name]: found };
		},
	};
}
