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
}

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
		this.statuses ??= namedStatuses(await list(recentlyChanged(this.timeZone)));
		return this.statuses;
	}
}

/**
 * Finds what an operation needs, by what a person or an agent has entered in its place: a booking's GUID by its number, its
 * root ID, or a status by its name. What is read for it is read once for all items of a run.
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
			if (isJson && place.parameter !== place.path) continue;
			const value = item.getParameter(place.path);
			if (isBlankParameter(value) || typeof value === 'object') continue;
			const found = await this.find(item, place, String(value).trim());
			if (found !== undefined) resolved = withParameter(resolved, place, found);
		}
		return resolved;
	}

	/** @returns undefined where the value is taken as it is */
	private async find(
		item: ItemContext,
		place: Place,
		text: string,
	): Promise<string | number | undefined> {
		const { takesSystem } = this.run.operation;
		const { timeout, giveUpAfterMs } = this.run.settings;
		const system = takesSystem ? readSystem(item) : undefined;
		const mode: unknown = get(item.node.parameters, `${place.path}.mode`);
		const { displayName: label, modes = [] } = place.field.property;
		refuseWordForNothing(text, label);
		const entered: Entered = {
			label,
			text,
			idMode: modes.find(({ name }) => name === 'id')?.displayName ?? '',
			isByNumber: mode === 'number',
			isByAgent: isTool(item.node),
			index: this.indexOf(system, item.account.timeZone),
			async list(query) {
				const request = { query: query as IDataObject, system, timeout, giveUpAfterMs };
				return await listRecords(item.call, 'webBooking.getAll', request);
			},
		};
		return await FINDERS[place.field.lookUp ?? 'bookingNumber'](entered);
	}

	private indexOf(system: string | undefined, timeZone: string): BookingIndex {
		const known = this.indexes.get(system);
		if (known) return known;
		const index = new BookingIndex(timeZone);
		this.indexes.set(system, index);
		return index;
	}
}

/** @throws InvalidValueError for a word that software writes for nothing: no booking has it as a number */
function refuseWordForNothing(text: string, label: string): void {
	const refused: unknown = attempt(refusePlaceholderText, text, label, true);
	if (refused instanceof InvalidValueError) throw refused.withHint(sourceOfId(label) ?? '');
}

const FINDERS = {
	bookingNumber: findGuid,
	bookingRootId: findRootId,
	bookingStatus: findStatus,
};

async function findGuid(entered: Entered): Promise<string | undefined> {
	const mayBeNumber = entered.isByNumber || entered.isByAgent;
	if (!mayBeNumber || isGuid(entered.text)) return undefined;
	const bookings = await entered.index.numbers.find(entered.text, entered.list);
	return onlyOne(bookings, entered, ({ guid }) => [guid]).guid;
}

async function findRootId(entered: Entered): Promise<string | undefined> {
	const { label, text, isByNumber, isByAgent } = entered;
	if (!isByNumber && !isByAgent) return undefined;
	const { numbers } = entered.index;
	const bookings = await numbers.find(text, entered.list);
	// An agent gives a number or a root ID.
	const mayBeRootId = !isByNumber && /^\d+$/.test(text);
	if (mayBeRootId && bookings.length === 0) return undefined;
	const { guid, rootIds } = onlyOne(bookings, entered, (booking) => booking.rootIds);
	const guidOfRootId = mayBeRootId ? numbers.guidOfRootId(text) : undefined;
	if (guidOfRootId !== undefined && guidOfRootId !== guid) {
		const problem = `is '${quoted(text)}', the number of one booking and the root ID of another`;
		const hint = 'Ask the person which booking is meant, by its date and guest';
		throw new InvalidValueError(label, problem, hint);
	}
	if (rootIds.length === 1) return rootIds[0];
	const howMany = rootIds.length === 0 ? 'no checkout number yet' : 'several checkout numbers';
	const problem = `is '${quoted(text)}', a booking that has ${howMany}`;
	const hint = "Choose 'By Root ID' and enter the number that the checkout shows for it";
	throw new InvalidValueError(label, problem, hint);
}

/** Numbers are taken as they are. */
async function findStatus(entered: Entered): Promise<number | undefined> {
	const { label, text } = entered;
	if (/^[+-]?\d+$/.test(text)) return undefined;
	const wanted = comparable(text);
	const found: number[] = [];
	const known: string[] = [];
	for (const { status, name } of await entered.index.readStatuses(entered.list)) {
		known.push(`${name} (${status})`);
		if (comparable(name) === wanted) found.push(status);
	}
	if (found.length === 1) return found[0];
	let what = 'the name of several statuses';
	if (found.length === 0) what = 'which no recent booking has had as a status';
	const names = known.join(', ') || 'there are none';
	const hint = `Enter its number, or one of the names of recent bookings: ${names}`;
	throw new InvalidValueError(label, `is '${quoted(text)}', ${what}`, hint);
}

/**
 * @param idsOf the IDs that may be entered for a booking instead
 * @throws InvalidValueError for none and for several
 */
function onlyOne(
	bookings: readonly NumberedBooking[],
	{ label, text, idMode }: Entered,
	idsOf: (booking: NumberedBooking) => readonly string[],
): NumberedBooking {
	const booking = bookings[0];
	if (!booking) {
		const problem = `is '${quoted(text)}', a number that no booking ${SEARCHED_PERIOD} has`;
		const hint = `Check the number. For a booking of another time choose '${idMode}'`;
		throw new InvalidValueError(label, problem, hint).withHint(sourceOfId(label) ?? '');
	}
	if (bookings.length === 1) return booking;
	const ids = bookings.flatMap(idsOf).join(', ') || 'the checkout shows it';
	const problem = `is '${quoted(text)}', the number of ${bookings.length} bookings`;
	const hint = `Choose '${idMode}' and enter the one that is meant: ${ids}`;
	throw new InvalidValueError(label, problem, hint);
}

/** @returns where an operation's form takes something else than the value itself */
export function placesOf({ pathFields = [], query = [], body }: Operation): Place[] {
	const sections: Section[] = [{ fields: pathFields }];
	return sections.concat(query, body?.sections ?? []).flatMap(placesIn);
}

function placesIn(section: Section): Place[] {
	const collection = section.collection?.name;
	const fields = section.fields.filter((field) => field.lookUp !== undefined);
	return fields.map((field) => {
		const { name } = field.property;
		const path = collection === undefined ? name : `${collection}.${name}`;
		return { field, parameter: collection ?? name, path };
	});
}

function withParameter(item: ItemContext, place: Place, found: string | number): ItemContext {
	const { parameter, path, field } = place;
	return {
		...item,
		getParameter(name) {
			if (name === path) return found;
			const value = item.getParameter(name);
			return name === parameter ? { ...Object(value), [field.property.name]: found } : value;
		},
	};
}
