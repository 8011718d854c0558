import { jsonParse } from 'n8n-workflow';
import attempt from 'lodash/attempt';

import { InvalidValueError } from '../values/invalidValue';
import { findJsonBreak } from './jsonBreak';

/**
 * @param value JSON text, or an object from an expression
 * @throws InvalidValueError that says where the text stops being JSON, but quotes none of it: it may hold a password
 */
export function parseJson(value: unknown, label: string): unknown {
	if (typeof value !== 'string') return value;
	const parsed: unknown = attempt(jsonParse, value);
	if (!(parsed instanceof Error)) return parsed;
	const found = findJsonBreak(value);
	let problem = 'is not valid JSON';
	let hint = JSON_HINT;
	if (found) {
		problem += ` (line ${found.line}, column ${found.column})`;
		hint = `Expected ${found.expected}. ${hint}`;
	}
	throw new InvalidValueError(label, problem, hint);
}

const JSON_HINT =
	'Check quotes, commas and brackets. In place of a value in quotes, write {{ JSON.stringify($json.name) }} with its name: it adds the quotes, whatever the text';
