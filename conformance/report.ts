import groupBy from 'lodash/groupBy.js';
import type { CallRecord } from './client.ts';
import type { Finding, Results, Weight } from './probes.ts';

interface Run {
	results: Results;
	calls: CallRecord[];
	/** Whether values of records may be shown. */
	withValues: boolean;
	at: Date;
	seconds: number;
}

/** Its sections, in their order; docs/conformance.md says what each holds. */
export const SECTIONS = [
	'Differences',
	'Could not be judged',
	'What the API does not specify',
	'Dates and times',
	'Calls',
] as const;

/** What matters most comes first. */
const WEIGHTS: readonly Weight[] = ['behavior', 'value', 'undocumented', 'absent'];

/** @returns the report as Markdown, without values unless they were asked for */
export function renderReport({ results, calls, withValues, at, seconds }: Run): string {
	const { findings, observations, dateTimes, records, unjudged, rejected } = results;
	const unread = calls.filter(({ unusable }) => unusable !== undefined).length;
	const compared = Object.entries(records).map(([operation, count]) => `${operation} ${count}`);
	const [differences, open, unspecified, dates, made] = SECTIONS.map((name) => `## ${name}`);
	const parts = [
		'# Conformance report',
		...rejected.map((what) => `**${what}.** Nothing that needs it was compared.`),
		`${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${calls.length} calls in ${seconds} s${unread > 0 ? `, ${unread} without a response that could be read` : ''}. ` +
			`Records compared: ${compared.join(', ') || 'none'}. ` +
			(withValues
				? 'It shows values of records: read it before you pass it on.'
				: 'It names fields, never values, addresses or secrets.'),
		differences,
		findings.length === 0
			? isEmpty(results)
				? 'Nothing was compared.'
				: 'Everything that was compared matches the contract.'
			: table(
					['Operation', 'Field', 'The service', 'Concerns', ...(withValues ? ['Values'] : [])],
					byWeight(findings).map(({ operation, path, what, concerns, examples }) => [
						operation,
						path,
						what,
						concerns,
						...(withValues ? [examples.join(', ')] : []),
					]),
				),
		open,
		unjudged.length === 0 ? 'Nothing.' : unjudged.map((what) => `- ${what}`).join('\n'),
		unspecified,
		table(
			['Question', 'Found', 'Concerns'],
			observations.map(({ question, found, concerns }) => [question, found, concerns]),
		),
		dates,
		"Those without an offset are read in the credential's 'Time Zone'.",
		table(['Operation', 'Fields', 'Offset', 'Digits of a second'], dateTimeRows(dateTimes)),
		made,
		table(
			['Operation', 'Method', 'Status', 'ms', 'kB', 'Records', 'Not read because'],
			calls.map(({ operation, method, status, ms, bytes, records: received, unusable }) => [
				operation,
				method,
				status === 0 ? 'none' : String(status),
				String(ms),
				(bytes / 1000).toFixed(1),
				received === undefined ? '' : String(received),
				unusable ?? '',
			]),
		),
	];
	return `${parts.join('\n\n')}\n`;
}

/** @returns whether nothing was compared and nothing else was found */
export function isEmpty({ findings, records }: Results): boolean {
	return findings.length === 0 && Object.keys(records).length === 0;
}

/** What the service does otherwise first; fields that are absent or not documented are one row for each operation. */
function byWeight(findings: readonly Finding[]): Finding[] {
	return WEIGHTS.flatMap((weight) => {
		const all = findings.filter((finding) => finding.weight === weight);
		if (weight === 'behavior' || weight === 'value') return all;
		return Object.values(groupBy(all, 'operation')).flatMap((same) => {
			const [first] = same;
			if (!first || same.length === 1) return same;
			return {
				...first,
				path: same.map(({ path }) => path).join(', '),
				what: `${same.length} fields: ${weight === 'absent' ? 'never come' : 'are not documented'}`,
				concerns: [...new Set(same.flatMap(({ concerns }) => concerns.split('; ')))].join('; '),
				examples: same.flatMap(({ examples }) => examples),
			};
		});
	});
}

function table(head: string[], rows: string[][]): string {
	if (rows.length === 0) return 'None.';
	const line = (cells: string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replace(/\s+/g, ' ')).join(' | ')} |`;
	return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** Fields of an operation that are written alike share a row. */
function dateTimeRows(dateTimes: Results['dateTimes']): string[][] {
	const groups = groupBy(dateTimes, ({ operation, withOffset, withoutOffset, fractionDigits }) => {
		const offset = withoutOffset === 0 ? 'always' : withOffset === 0 ? 'never' : 'sometimes';
		return JSON.stringify([operation, offset, String(fractionDigits)]);
	});
	return Object.entries(groups).map(([key, fields]) => {
		const [operation = '', offset = '', digits = ''] = JSON.parse(key) as string[];
		return [operation, fields.map(({ path }) => path).join(', '), offset, digits];
	});
}
