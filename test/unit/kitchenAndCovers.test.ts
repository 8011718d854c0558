import { runInNewContext } from 'node:vm';
import sumBy from 'lodash/sumBy';
import times from 'lodash/times';
import { DateTime } from 'luxon';
import { workflowFile } from '../../dev/demo/workflows.ts';

const ZONE = 'Europe/Stockholm';
const html = workflowFile('kitchen-and-covers').nodes.find(({ name }) => name === 'Write the page');
const [, code = ''] = /\{\{(.*)\}\}/s.exec(String(html?.parameters.html)) ?? [];

interface Booking {
	guid: string;
	start: string | null;
	guests: number;
}

/** The page that _Write the page_ makes of bookings, with a blank in the place of each tag. */
function pageOf(bookings: Booking[], now: DateTime): string {
	const settings = { json: { language: 'en', groupFrom: 1000 } };
	const page = runInNewContext(code, {
		DateTime,
		$: () => ({ first: () => settings }),
		$input: { all: () => bookings.map((json) => ({ json })) },
		$now: now,
	}) as string;
	return page.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
}

/** A booking in each quarter of an hour that these days have, an odd number of guests each. */
function everyQuarter(from: DateTime, days: number): Booking[] {
	const quarters = from.plus({ days }).diff(from, 'minutes').minutes / 15;
	return times(quarters, (index) => ({
		guid: String(index),
		start: from.plus({ minutes: 15 * index }).toISO(),
		guests: 1 + (index % 7),
	}));
}

describe.each([
	['25 hours', '2026-10-25'],
	['23 hours', '2027-03-28'],
])('Kitchen and covers, about a day of %s', (_, day) => {
	const changed = DateTime.fromISO(day, { zone: ZONE });
	const from = changed.minus({ days: 1 });
	const bookings = everyQuarter(from, 4);
	const covers = (date: DateTime) =>
		sumBy(
			bookings.filter(({ start }) => start?.startsWith(String(date.toISODate()))),
			'guests',
		);

	it.each(['America/New_York', ZONE, 'Asia/Tokyo'])(
		'counts each booking once, on its own date, where n8n runs in %s',
		(zone) => {
			const page = pageOf(bookings, from.set({ hour: 15 }).setZone(zone));
			const [, bars = '', weeks = ''] = /per half hour (.*) Two weeks bookings covers (.*)/.exec(page) ?? [];
			const halfHours = [...bars.matchAll(/\d\d:\d\d (\d+)/g)].map(([, found]) => Number(found));
			const days = [...weeks.matchAll(/\w{3} \d+ \w{3} (\d+) (\d+)/g)].map(([, , found]) => Number(found));

			expect(page).toContain(changed.toFormat('cccc d LLLL'));
			expect(sumBy(halfHours)).toBe(covers(changed));
			expect(days.slice(0, 4)).toEqual(times(4, (index) => covers(changed.plus({ days: index }))));
		},
	);
});
