import { articleView } from '../routes/article.ts';
import type { Sandbox } from '../sandbox.ts';
import { BOOKING_STATUS } from '../state/codes.ts';

const SHOWN = 100;

/** A cell: a value as it is, or one that the page shows in a form of its own. */
type Cell = string | number | null | undefined | { time: string | null } | { code: string } | Pill;

interface Pill {
	pill: string | number;
	bad: boolean;
}

/** A table of the start page. */
export interface PageTable {
	name: string;
	columns: string[];
	rows: Cell[][];
}

/** What the sandbox holds, for people: its latest bookings and requests, and the IDs that no list of the API gives. */
export function pageTables({ mainState: state, log }: Sandbox): PageTable[] {
	const changed = (stamp: string | null) => Date.parse(stamp ?? '') || 0;
	const bookings = [...state.records.bookings.all()]
		.sort((a, b) => changed(b.web.changeDate) - changed(a.web.changeDate))
		.slice(0, SHOWN);
	return [
		{
			name: 'Bookings',
			columns: [
				'Number',
				'Status',
				'Start',
				'Guest',
				'Guests',
				'Message',
				'Changed',
				'Root ID',
				'GUID',
			],
			rows: bookings.map(({ web, rootId, alias }) => [
				web.globalBookingNumber,
				{
					pill: web.history?.at(-1)?.statusName ?? web.status,
					bad: web.status === BOOKING_STATUS.canceled,
				},
				{ time: web.start },
				`${web.contact.fname} ${web.contact.lname}`,
				web.guests,
				web.message,
				{ time: web.changeDate },
				alias === undefined ? rootId : `${rootId} (${alias})`,
				{ code: web.guid },
			]),
		},
		{
			name: 'Articles',
			columns: ['Number', 'Name', 'Regular', 'Take away', 'Conference', 'ID'],
			rows: [...state.records.articles.all()]
				.slice(0, SHOWN)
				.map((article) => articleView(state, article))
				.map(({ articleNumber, name, prices, articleId }) => [
					articleNumber,
					name,
					prices.regular.inclVat,
					prices.takeAway.inclVat,
					prices.conference.inclVat,
					{ code: articleId },
				]),
		},
		{
			name: 'Surveys',
			columns: ['Title', 'Revision', 'Changed', 'ID'],
			rows: [...state.records.surveys.all()].map(({ content, revision, changedTime, id }) => [
				String(content['title']),
				revision,
				{ time: changedTime },
				{ code: id },
			]),
		},
		{
			name: 'Recent requests',
			columns: ['Time', 'Method', 'Address', 'Status', 'Body'],
			rows: log
				.list(SHOWN)
				.reverse()
				.map(({ time, method, rawUrl, status, body }) => [
					{ time },
					method,
					{ code: rawUrl },
					{ pill: status ?? 'cut', bad: status === null || status >= 400 },
					{ code: body === undefined ? '' : JSON.stringify(body).slice(0, 200) },
				]),
		},
	];
}
