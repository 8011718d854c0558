import { writeFileSync } from 'node:fs';
import { type Received, type TestServer, sendJson, startServer } from '../../engine/support/server';
import { foundStack } from '../support/stack.ts';

type Cell = string | number | boolean;

/** A Google document. */
export interface GoogleSheet extends TestServer {
	/** The lines below the headings of a sheet, by heading. */
	lines: (title?: string) => Array<Record<string, Cell>>;
}

/** The columns of each sheet, as the notes on the canvases say. */
const HEADINGS: Record<string, string[]> = {
	Bookings:
		'guid, bookingNumber, status, state, date, time, guests, guestName, guestEmail, guestPhone, message'.split(
			', ',
		),
	Payments:
		'event, noted, bookingNumber, date, guestName, paid, refunded, paidInAll, authorized, currency'.split(
			', ',
		),
};
const TITLES = Object.keys(HEADINGS);
const DOCUMENT = '/v4/spreadsheets/the-document';

/** What the document holds, and what n8n's node asks of it. */
class GoogleDocument {
	private readonly rows = new Map<string, Cell[][]>();

	constructor() {
		for (const title of TITLES) this.rows.set(title, [HEADINGS[title] ?? []]);
	}

	rowsOf(title: string): Cell[][] {
		return this.rows.get(title) ?? [];
	}

	/** @returns undefined for what the node does not ask */
	respond({ method, url, headers, body }: Received): object | undefined {
		if (headers.authorization !== 'Bearer of-the-stand-in') return undefined;
		const path = decodeURIComponent(new URL(url, 'http://google.example').pathname);
		const added = /\/values\/(\w+)!(\d+):\d+$/.exec(path);
		if (method === 'PUT' && added) return this.add(String(added[1]), Number(added[2]), body);
		if (`${method} ${path}` === `GET ${DOCUMENT}`) {
			return { sheets: TITLES.map((title, sheetId) => ({ properties: { sheetId, title } })) };
		}
		const read = /\/values\/'(\w+)'$/.exec(path);
		if (method === 'GET' && read) return { values: this.rowsOf(String(read[1])) };
		if (`${method} ${path}` === `POST ${DOCUMENT}:batchUpdate`) return {};
		if (`${method} ${path}` === `POST ${DOCUMENT}/values:batchUpdate`) return this.update(body);
		return undefined;
	}

	private add(title: string, from: number, body: string): object {
		const { values } = JSON.parse(body) as { values: Cell[][] };
		this.rowsOf(title).splice(from - 1, values.length, ...values);
		return {};
	}

	private update(body: string): object {
		const { data } = JSON.parse(body) as { data: Array<{ range: string; values: Cell[][] }> };
		for (const { range, values } of data) {
			const place = /^(\w+)!([A-Z])(\d+)$/.exec(range);
			const line = this.rowsOf(String(place?.[1]))[Number(place?.[3]) - 1];
			const column = String(place?.[2]).charCodeAt(0) - 'A'.charCodeAt(0);
			if (line) line[column] = values[0]?.[0] ?? '';
		}
		return {};
	}
}

/**
 * Starts a stand-in for the part of Google's Sheets API with which n8n's node reads, adds and updates lines.
 *
 * @throws in n8n, when it is asked for another sheet, or for anything else
 */
export async function startGoogleSheet(): Promise<GoogleSheet> {
	const document = new GoogleDocument();
	const server = await startServer((request, response) => {
		const found = document.respond(request);
		sendJson(response, found ?? { error: { message: 'Not found' } }, found ? 200 : 404);
	});
	writeFileSync(foundStack().googleFile, server.url);
	const lines = (title = 'Bookings') => {
		const headings = HEADINGS[title] ?? [];
		const lineOf = (row: Cell[]) =>
			Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? '']));
		return document.rowsOf(title).slice(1).map(lineOf);
	};
	return Object.assign(server, { lines });
}
