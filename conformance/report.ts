import groupBy from 'lodash/groupBy.js';
import type { CallRecord } from './client.ts';
import type { Results } from './probes.ts';

interface Run {
	results: Results;
	calls: CallRecord[];
	/** Whether values of records may be shown. */
	withValues: boolean;
	at: Date;
	seconds: number;
}

/** @returns the report as Markdown, without values unless they were asked for */
export function renderReport({ results, calls, withValues, at, seconds }: Run): string {
	const { findings, observations, dateTimes, empty } = results;
	const unread = calls.filter(({ unusable }) => unusable !== undefined).length;
	const parts = [
		'# Conformance report',
		`${at.toISOString().slice(0, 16).replace('T', ' ')} UTC, ${calls.length} calls in ${seconds} s${unread > 0 ? `, ${unread} without a response that could be read` : ''}. ` +
			(withValues
				? 'It shows values of records: read it before you pass it on.'
				: 'It names fields, never values, addresses or secrets.'),
		`## Differences (${findings.length})`,
		findings.length === 0
			? 'Everything that came is as the contract has it.'
			: table(
					['Operation', 'Field', 'The service', 'Concerns', ...(withValues ? ['Values'] : [])],
					findings.map(({ operation, path, what, concerns, examples }) => [
						operation,
						path,
						what,
						concerns,
						...(withValues ? [examples.join(', ')] : []),
					]),
				),
		'## What the documents leave open',
		table(
			['Question', 'Found', 'Concerns'],
			observations.map(({ question, found, concerns }) => [question, found, concerns]),
		),
		'## Dates and times',
		"Those without an offset are read in the credential's 'Time Zone'.",
		table(['Operation', 'Fields', 'Offset', 'Digits of a second'], dateTimeRows(dateTimes)),
		...(empty.length > 0
			? ['## Not compared', `No record came, or nothing to read was named: ${empty.join(', ')}.`]
			: []),
		'## Calls',
		table(
			['Operation', 'Method', 'Status', 'ms', 'kB', 'Records', 'Not read because'],
			calls.map(({ operation, method, status, ms, bytes, records, unusable }) => [
				operation,
				method,
				status === 0 ? 'none' : String(status),
				String(ms),
				(bytes / 1000).toFixed(1),
				records === undefined ? '' : String(records),
				unusable ?? '',
			]),
		),
	];
	return `${parts.join('\n\n')}\n`;
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
