import { writeFileSync } from 'node:fs';
import { type Received, type TestServer, sendJson, startServer } from '../../engine/support/server';
import { foundStack } from '../support/stack.ts';

type Cell = string | number | boolean;

/** A sheet of a Google document. */
export interface GoogleSheet extends TestServer {
	/** The lines below the headings, by heading. */
	lines: () => Array<Record<string, Cell>>;
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
	const document = '/v4/spreadsheets/the-document';
	const respond = ({ method, url, headers, body }: Received): object | undefined => {
		const path = decodeURIComponent(new URL(url, 'http://google.example').pathname);
		const [, from] = new RegExp(`/values/${title}!(\\d+):\\d+$`).exec(path) ?? [];
		if (headers.authorization !== 'Bearer of-the-stand-in') return undefined;
		if (method === 'PUT' && from !== undefined) {
			const { values } = JSON.parse(body) as { values: Cell[][] };
			rows.splice(Number(from) - 1, values.length, ...values);
			return {};
		}
		switch (`${method} ${path}`) {
			case `GET ${document}`:
				return { sheets: [{ properties: { sheetId: 0, title } }] };
			case `GET ${document}/values/'${title}'`:
				return { values: rows };
			case `POST ${document}:batchUpdate`:
				return {};
			case `POST ${document}/values:batchUpdate`: {
				const { data } = JSON.parse(body) as { data: Array<{ range: string; values: Cell[][] }> };
				for (const { range, values } of data) {
					const [, column = '', row] = new RegExp(`^${title}!([A-Z])(\\d+)$`).exec(range) ?? [];
					const line = rows[Number(row) - 1];
					if (line) line[column.charCodeAt(0) - 'A'.charCodeAt(0)] = values[0]?.[0] ?? '';
				}
				return {};
			}
			default:
				return undefined;
		}
	};
	const server = await startServer((request, response) => {
		const found = respond(request);
		sendJson(response, found ?? { error: { message: 'Not found' } }, found ? 200 : 404);
	});
	writeFileSync(foundStack().googleFile, server.url);
	const lineOf = (row: Cell[]) =>
		Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? '']));
	return { ...server, lines: () => rows.slice(1).map(lineOf) };
}
