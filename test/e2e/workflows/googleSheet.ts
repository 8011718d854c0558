import { writeFileSync } from 'node:fs';
import { type Received, type TestServer, sendJson, startServer } from '../../engine/support/server';
import { foundStack } from '../support/stack.ts';

type Cell = string | number | boolean;

/** A sheet of a Google document. */
export interface GoogleSheet extends TestServer {
	/** The lines below the headings, by heading. */
	lines: () => Array<Record<string, Cell>>;
	/** How the service was to read what was written: RAW, or as if a person had typed it. */
	inputOptions: Set<string>;
}

const title = 'Bookings';
/** As the note on the canvas says. */
const headings =
	'guid, bookingNumber, status, state, date, time, guests, guestName, guestEmail, guestPhone, message'.split(
		', ',
	);

/**
 * Starts a stand-in for the part of Google's Sheets API with which n8n's node reads, adds and updates lines.
 *
 * @throws in n8n, when it is asked for another sheet, or for anything else
 */
export async function startGoogleSheet(): Promise<GoogleSheet> {
	const rows: Cell[][] = [headings];
	const inputOptions = new Set<string>();
	const calls: Record<string, (url: URL, body: string) => object | undefined> = {
		'GET /v4/spreadsheets/the-document': () => ({ sheets: [{ properties: { sheetId: 0, title } }] }),
		[`GET /v4/spreadsheets/the-document/values/'${title}'`]: () => ({ values: rows }),
		'POST /v4/spreadsheets/the-document:batchUpdate': () => ({}),
		'POST /v4/spreadsheets/the-document/values:batchUpdate': (_, body) => {
			const { data, valueInputOption } = JSON.parse(body) as {
				data: Array<{ range: string; values: Cell[][] }>;
				valueInputOption: string;
			};
			inputOptions.add(valueInputOption);
			for (const { range, values } of data) {
				const [, column = '', row] = new RegExp(`^${title}!([A-Z])(\\d+)$`).exec(range) ?? [];
				const line = rows[Number(row) - 1];
				if (!line) return undefined;
				line[column.charCodeAt(0) - 'A'.charCodeAt(0)] = values[0]?.[0] ?? '';
			}
			return {};
		},
	};
	const addLines = (path: string, body: string, option: string) => {
		inputOptions.add(option);
		const [, from] = new RegExp(`/values/${title}!(\\d+):\\d+$`).exec(path) ?? [];
		if (from === undefined) return undefined;
		const { values } = JSON.parse(body) as { values: Cell[][] };
		rows.splice(Number(from) - 1, values.length, ...values);
		return {};
	};
	const respond = ({ method, url, headers, body }: Received) => {
		if (headers.authorization !== 'Bearer of-the-stand-in') return undefined;
		const asked = new URL(url, 'http://google.example');
		const path = decodeURIComponent(asked.pathname);
		return method === 'PUT'
			? addLines(path, body, asked.searchParams.get('valueInputOption') ?? '')
			: calls[`${method} ${path}`]?.(asked, body);
	};
	const server = await startServer((request, response) => {
		const found = respond(request);
		sendJson(response, found ?? { error: { message: 'Not found' } }, found ? 200 : 404);
	});
	writeFileSync(foundStack().googleFile, server.url);
	return {
		...server,
		inputOptions,
		lines: () =>
			rows
				.slice(1)
				.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? '']))),
	};
}
