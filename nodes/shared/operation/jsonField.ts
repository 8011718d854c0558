import escape from 'lodash/escape';
import truncate from 'lodash/truncate';

import { type Field, type Look, field } from './fields';
import { parseJson } from './formValues';

const DOCS =
	'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking/blob/main/docs/operations.md';

/** A part of the body with more levels than a form can show well, as JSON. */
export function json(displayName: string, at: string, example: unknown, look: Look = {}): Field {
	const shown = { hint: exampleHint(example), ...look };
	return { ...field(displayName, at, 'json', '', shown, parseJson), example };
}

const MAX_HINT_LENGTH = 700;

/** @returns an example of JSON to show below a parameter; a long one is cut off, and whole in docs/operations.md */
export function exampleHint(example: unknown): string {
	const shortened = (_: string, value: unknown) =>
		typeof value === 'string' ? truncate(value, { length: 50, omission: '…' }) : (value ?? undefined);
	const text = JSON.stringify(example, shortened, 1).replace(/\s*\n\s*/g, ' ');
	if (text.length <= MAX_HINT_LENGTH) return `Example, not sent: <code>${escape(text)}</code>`;
	return `Example, not sent: <code>${escape(text.slice(0, MAX_HINT_LENGTH))} …</code> The <a href="${DOCS}">documentation</a> has all of it.`;
}
