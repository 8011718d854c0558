import type { INode } from 'n8n-workflow';
import get from 'lodash/get';

import { isBlank } from '../values/blank';
import type { Field } from './fields';
import { filledIn } from './values';

/** What parameters are read from: values by path, and the node as stored in the workflow. */
export interface Form {
	node: INode;
	/** The value of a parameter or a path such as `options.system`; undefined if empty or missing. */
	getParameter(name: string): unknown;
}

/**
 * Reads a parameter that stands alone. One that a person has filled in must not come out empty: without it, the call may do
 * more.
 *
 * @param place its path on the form
 * @returns the default of one that was not filled in
 * @throws InvalidValueError that names the parameter; n8n's own error for an expression
 */
export function readParameter(
	{ getParameter, node }: Form,
	field: Field,
	place = field.property.name,
	timeZone?: string,
): unknown {
	const value = filledIn(getParameter(place));
	if (value === undefined) {
		const entered: unknown = get(node.parameters, place);
		if (isBlank(entered)) return field.property.default;
	}
	return field.serialize(value, timeZone);
}

/** Like {@link readParameter}, for one under 'Options'. */
export function readOption(form: Form, option: Field, timeZone?: string): unknown {
	return readParameter(form, option, `options.${option.property.name}`, timeZone);
}
