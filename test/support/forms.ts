import pickBy from 'lodash/pickBy';
import {
	type IDisplayOptions,
	type INodeParameters,
	type INodeProperties,
	NodeHelpers,
} from 'n8n-workflow';

/** The values that decide what a form shows: `{ resource: 'webBooking', operation: 'cancel' }`. */
export type Place = Record<string, unknown>;

/**
 * The parameters that belong to a resource and operation, and the ones inside their collections that do.
 *
 * @param properties the whole form of a node
 * @param place conditions on other parameters than these are taken as met
 */
export function formOf(properties: readonly INodeProperties[], place: Place): INodeProperties[] {
	return properties
		.filter((property) => isShown(property, place))
		.map((property) =>
			property.type === 'collection'
				? {
						...property,
						options: property.options?.filter((option) =>
							isShown(option as INodeProperties, place),
						),
					}
				: property,
		);
}

/** Whether n8n shows a parameter at a place; conditions on names that the place does not give a value for are taken as met. */
function isShown(property: INodeProperties, place: Place): boolean {
	const { show = {}, hide = {} } = property.displayOptions ?? {};
	const isGiven = (_: unknown, name: string) => name.replace('/', '') in place;
	const displayOptions = {
		show: pickBy(show, isGiven),
		hide: pickBy(hide, isGiven),
	} as IDisplayOptions;
	return NodeHelpers.displayParameter(
		place as INodeParameters,
		{ ...property, displayOptions },
		null,
		null,
	);
}

/**
 * The displayed names of a form that nothing but resource, operation and these values were chosen on, in order; not of an agent's tool.
 *
 * @param properties the whole form of a node
 */
export function standardLabels(properties: readonly INodeProperties[], place: Place): string[] {
	const own = formOf(properties, place);
	const values = {
		...Object.fromEntries(own.map(({ name, default: value }) => [name, value])),
		'@tool': false,
		...place,
	};
	return formOf(properties, values)
		.filter(({ type }) => type !== 'hidden' && type !== 'notice')
		.map(({ displayName }) => displayName);
}
