import type { INodeProperties } from 'n8n-workflow';
import isEmpty from 'lodash/isEmpty';
import lowerFirst from 'lodash/lowerFirst';
import map from 'lodash/map';
import set from 'lodash/set';
import upperFirst from 'lodash/upperFirst';

import { compareNames } from '../values/text';
import { hasNoValue } from './values';

/** One value of the service: its parameter on the form, and how it is sent. */
export interface Field {
	/** Path in the body, e.g. `contact.fname`, or the name of a query parameter or placeholder. */
	path: string;
	/** The parameter; its name is derived from `path`. */
	property: INodeProperties;
	/** Fields of the entries, for a list of objects; an entry needs the required ones. */
	entries?: readonly Field[];
	/** Set if the node does or returns something else without the value. */
	mustNotBeEmpty?: true;
	/** Set if it identifies the record: it stands above 'Specify Values', for fields and JSON alike. */
	namesRecord?: true;
	/** Set if a person may enter something else than the value, which is found by calls to the service: see `run/lookUps.ts`. */
	lookUp?: 'bookingNumber' | 'bookingRootId' | 'bookingStatus';
	/**
	 * @param timeZone IANA name, for dates and times without an offset; UTC by default
	 * @param label what errors call it; by default its name as displayed
	 * @returns the value as the service takes it
	 * @throws InvalidValueError
	 */
	serialize(value: unknown, timeZone?: string, label?: string): unknown;
}

export type PropertyUi = Partial<Omit<INodeProperties, 'name' | 'displayName' | 'type'>>;

/**
 * Turns the values of a form into an object of the service. Blank values, null among them, are left out, and the service
 * keeps its own.
 *
 * @param values by parameter name
 * @param place what stands before the name of a field in errors
 */
export function toObject(
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
	timeZone: string,
	place = '',
): Record<string, unknown> {
	const object = {};
	addValues(object, fields, values, { timeZone, place });
	return object;
}

/** Where values stand. */
interface ValuesContext {
	/** Of times without an offset. */
	timeZone: string;
	/** What stands before the name of a field in errors. */
	place?: string;
}

/** Adds to an object what {@link toObject} makes of the values. */
export function addValues(
	object: Record<string, unknown>,
	fields: readonly Field[],
	values: Readonly<Record<string, unknown>>,
	context: ValuesContext,
): void {
	const { timeZone, place = '' } = context;
	for (const field of fields) {
		const { path, property } = field;
		if (!(property.name in values)) continue;
		const value = values[property.name];
		const label = place + property.displayName;
		const sent = valueToSend(field, value, timeZone, label);
		if (sent === undefined) continue;
		if (path.includes('.')) set(object, path, sent);
		else object[path] = sent;
	}
}

/** @returns what a field sends; undefined where it is blank, but for a list that the service needs */
function valueToSend(field: Field, value: unknown, timeZone: string, label: string): unknown {
	const mayBeLeftOut = !(field.mustNotBeEmpty ?? field.property.required);
	if (mayBeLeftOut && hasNoValue(value)) return undefined;
	const sent = field.serialize(value, timeZone, label);
	const isNothing = typeof sent === 'object' && isEmpty(sent);
	if (mayBeLeftOut && isNothing) return undefined;
	return sent;
}

/** @returns the parameter name for a path in the body: `contact.fname` is `contactFname`, `Id` is `id`. */
export function parameterName(path: string): string {
	const names = path.split('.').map(upperFirst);
	return lowerFirst(names.join(''));
}

/** Optional parameters, sorted by name. */
export function collectionOf(
	fields: readonly Field[],
	ui: PropertyUi & { displayName: string; name: string },
): INodeProperties {
	const options = map(fields, 'property');
	options.sort((field, other) => compareNames(field.displayName, other.displayName));
	return { ...ui, type: 'collection', default: {}, options };
}
