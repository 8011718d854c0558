import { isRecord } from '../../../shared/values/record';

const IN_SQUARE_BRACKETS = /\[\[\s*([\p{L}\p{N}_.-]+)\s*\]\]/gu;

/**
 * The service fills in `{{name}}` for each recipient, but n8n takes that for an expression. So a person writes `[[name]]`.
 *
 * @param value a text, or anything that holds texts
 * @returns the same with `{{name}}` in every text
 */
export function withPlaceholders(value: unknown): unknown {
	if (typeof value === 'string') return value.replace(IN_SQUARE_BRACKETS, '{{$1}}');
	if (Array.isArray(value)) return value.map(withPlaceholders);
	if (!isRecord(value)) return value;
	return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, withPlaceholders(own)]));
}
