import type { IDataObject } from 'n8n-workflow';
import get from 'lodash/get';

import { SEARCHED_PERIOD } from '../booking/aroundNow';
import { BookingNumbers, type NumberedBooking } from '../booking/bookingNumbers';
import { recentlyChanged, statusNames } from '../booking/recentNames';
import { callOf } from '../contract/calls';
import { isTool } from '../errors/nodeErrors';
import type { Field } from '../form/fields';
import { isEmptyValue } from '../form/values';
import { readList } from '../http/response';
import type { ItemContext, Operation, Run } from '../operation/operation';
import { usesJson } from '../operation/nodeForm';
import { readSystem } from '../operation/options';
import { isGuid } from '../values/address';
import { InvalidValueError } from '../values/invalidValue';
import { quoted } from '../values/plainText';
import { comparable } from '../values/text';

/** A field in whose place something else may be entered. */
interface Place {
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
	/** Whether it stands where numbers are entered, not IDs. */
	isByNumber: boolean;
	isByAgent: boolean;
	/** Calls for other systems have indexes of their own. */
	system: string | undefined;
}

/**
 * Finds what an operation needs, by what a person or an agent has entered in its place: a booking's GUID by its number, its
 * root ID, or a status by its name. What is read for it is read once for all items of a run.
 */
export class LookUps {
	private readonly places: readonly Place[];
	/** By system. */
	private readonly numbers = new Map<string | undefined, BookingNumbers>();
	private readonly statuses = new Map<string | undefined, Map<number, string>>();

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
			const { parameter, path } = place;
			if (parameter !== path && isJson) continue;
			const value: unknown = item.getParameter(path);
			if (isEmptyValue(value) || typeof value === 'object') continue;
			const found = await this.find(item, place, String(value).trim());
			if (found !== undefined) resolved = withParameter(resolved, place, found);
		}
		return resolved;
	}

	/** @returns undefined where the value is taken as it is */
	private async find(
		item: ItemContext,
		{ field, path }: Place,
		text: string,
	): Promise<string | number | undefined> {
		const entered = {
			label: field.property.displayName,
			text,
			isByNumber: get(item.node.parameters, [...path.split('.'), 'mode']) === 'number',
			isByAgent: isTool(item.node),
			system: this.run.operation.takesSystem ? readSystem(item) : undefined,
		};
		switch (field.lookUp) {
			case 'bookingNumber':
				return await this.guidOf(item, entered);
			case 'bookingRootId':
				return await this.rootIdOf(item, entered);
			default:
				return await this.statusNamed(item, entered);
		}
	}

	private async guidOf(item: ItemContext, entered: Entered): Promise<string | undefined> {
		if (isGuid(entered.text) || !(entered.isByNumber || entered.isByAgent)) return undefined;
		const bookings = await this.numbersFor(item, entered).find(entered.text);
		return onlyOne(bookings, entered).guid;
	}

	private async rootIdOf(item: ItemContext, entered: Entered): Promise<string | undefined> {
		if (!entered.isByNumber && !entered.isByAgent) return undefined;
		const numbers = this.numbersFor(item, entered);
		const bookings = await numbers.find(entered.text);
		// An agent gives a number or a root ID.
		const mayBeRootId = !entered.isByNumber && /^\d+$/.test(entered.text);
		if (bookings.length === 0 && mayBeRootId) return undefined;
		const booking = onlyOne(bookings, entered);
		const guidOfRootId = mayBeRootId ? numbers.guidOfRootId(entered.text) : undefined;
		if (guidOfRootId !== undefined && guidOfRootId !== booking.guid)
			throw new InvalidValueError(
				entered.label,
				`is '${quoted(entered.text)}', the number of one booking and the root ID of another`,
				'Ask the person which booking is meant, by its date and guest',
			);
		const [rootId, another] = booking.rootIds;
		if (rootId !== undefined && another === undefined) return rootId;
		throw new InvalidValueError(
			entered.label,
			rootId === undefined
				? `is '${quoted(entered.text)}', a booking that has no checkout number yet`
				: `is '${quoted(entered.text)}', a booking that has several checkout numbers`,
			"Choose 'By Root ID' and enter the number that the checkout shows for it",
		);
	}

	/** Numbers are taken as they are. */
	private async statusNamed(item: ItemContext, entered: Entered): Promise<number | undefined> {
		if (/^[+-]?\d+$/.test(entered.text)) return undefined;
		const names = await this.statusesFor(item, entered);
		const wanted = comparable(entered.text);
		const found = [...names].filter(([, name]) => comparable(name) === wanted);
		const status = found[0]?.[0];
		if (status !== undefined && found.length === 1) return status;
		const known = [...names].map(([number, name]) => `${name} (${number})`).join(', ');
		throw new InvalidValueError(
			entered.label,
			found.length > 1
				? `is '${quoted(entered.text)}', the name of several statuses`
				: `is '${quoted(entered.text)}', which no recent booking has had as a status`,
			`Enter its number, or one of the names of recent bookings: ${known || 'there are none'}`,
		);
	}

	private numbersFor(item: ItemContext, { system }: Entered): BookingNumbers {
		const known = this.numbers.get(system);
		if (known) return known;
		const numbers = new BookingNumbers(
			item.account.timeZone,
			async (period) => await this.listBookings(item, system, { ...period }),
		);
		this.numbers.set(system, numbers);
		return numbers;
	}

	/** @returns the names of statuses by number */
	private async statusesFor(item: ItemContext, { system }: Entered): Promise<Map<number, string>> {
		const known = this.statuses.get(system);
		if (known) return known;
		const statuses = statusNames(
			await this.listBookings(item, system, recentlyChanged(item.account.timeZone)),
		);
		this.statuses.set(system, statuses);
		return statuses;
	}

	/** @see contract/openapi.yaml webBooking.getAll */
	private async listBookings(
		item: ItemContext,
		system: string | undefined,
		query: IDataObject,
	): Promise<unknown[]> {
		const { timeout, giveUpAfterMs } = this.run.settings;
		const { method, path } = callOf('webBooking.getAll');
		const { body } = await item.call({
			method,
			path,
			query,
			system,
			timeout,
			giveUpAfterMs,
			expects: 'list',
		});
		return readList(body) ?? [];
	}
}

function placesOf({ pathFields = [], query = [], body }: Operation): Place[] {
	const sections = [{ fields: pathFields }, ...query, ...(body?.sections ?? [])];
	return sections.flatMap(({ fields, ...section }) => {
		const collection = 'collection' in section ? section.collection?.name : undefined;
		return fields
			.filter(({ lookUp }) => lookUp !== undefined)
			.map((field) => {
				const { name } = field.property;
				if (collection === undefined) return { field, parameter: name, path: name };
				return { field, parameter: collection, path: `${collection}.${name}` };
			});
	});
}

/** @throws InvalidValueError for none and for several */
function onlyOne(bookings: readonly NumberedBooking[], { label, text }: Entered): NumberedBooking {
	const [booking, another] = bookings;
	if (booking && !another) return booking;
	if (!booking)
		throw new InvalidValueError(
			label,
			`is '${quoted(text)}', a number that no booking ${SEARCHED_PERIOD} has`,
			"Check the number. For a booking of another time choose 'By ID': Get Many returns the ID of each booking",
		);
	throw new InvalidValueError(
		label,
		`is '${quoted(text)}', the number of ${bookings.length} bookings`,
		`Choose 'By ID' and enter the one that is meant: ${bookings.map(({ guid }) => guid).join(', ')}`,
	);
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
