import omit from 'lodash/omit';

import type { TriggerEvent } from '../../nodes/HospitalityBookingTrigger/events/events';
import type { Emission } from '../../nodes/HospitalityBookingTrigger/follow/buildEmission';
import { generated } from '../support/thorough';
import { DAY, HOUR, Polled, feedOf } from '../unit/trigger/support';

const BEGIN = Date.parse('2026-01-01T00:00:00Z');
const DAYS = Number(process.env.MODEL_DAYS ?? generated(70, 365));
const PER_DAY = Number(process.env.MODEL_PER_DAY ?? 200);
/** How often a poll is made: the trigger is the same whatever the time between two polls. */
const POLL_EVERY = DAY;

/** A booking that is made, moved once and paid once, in between edited. */
interface Life {
	guid: string;
	created: number;
	start: number;
	/** What happens to it when. */
	events: Array<{ at: number; change: object }>;
}

/** Numbers from 0 to 1, the same each time. */
function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

/** Most bookings are made some days ahead, one in ten two months, a few half a year. */
function livesOf(seed: number): Life[] {
	const next = random(seed);
	const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
	return Array.from({ length: DAYS * PER_DAY }, (_, index) => {
		const created = BEGIN + Math.floor((index / PER_DAY) * DAY);
		const share = next();
		const ahead = share < 0.7 ? 10 * next() : share < 0.97 ? 60 * next() : 180 * next();
		const start = created + DAY / 2 + Math.floor(ahead * DAY);
		const at = (part: number) => created + HOUR + Math.floor(part * (start - created - HOUR));
		const end = (hours: number) => iso(start + hours * HOUR);
		return {
			guid: `guid-${index}`,
			created,
			start,
			events: [
				{ at: at(0.3), change: { guests: 4 } },
				{ at: at(0.9), change: { end: end(3) } },
				{ at: start + 2 * HOUR, change: { chargePayedAmount: 80, status: 2 } },
			],
		};
	});
}

/** The bookings of a site, as the service lists them. */
class Site {
	private readonly changed: Array<{ at: number; life: Life; count: number }>;

	constructor(readonly lives: readonly Life[]) {
		this.changed = lives
			.flatMap((life) => [
				{ at: life.created, life, count: 0 },
				...life.events.map(({ at }, index) => ({ at, life, count: index + 1 })),
			])
			.sort((one, other) => one.at - other.at);
	}

	/** How many changes of a kind have happened by a moment to bookings made since the beginning. */
	changesOf(kind: string, until: number): Set<string> {
		const found = this.lives.flatMap(({ guid, events }) =>
			events.filter(({ at, change }) => at <= until && kind in change).map(() => guid),
		);
		return new Set(found);
	}

	list({ includeContact, ...period }: Record<string, unknown>, now: number): unknown[] {
		const found = this.find(period, now);
		return includeContact === true ? found : found.map((booking) => omit(booking, 'contact'));
	}

	private find(
		{ changedFrom, startTime, endTime }: Record<string, unknown>,
		now: number,
	): object[] {
		if (startTime !== undefined) {
			const from = Date.parse(String(startTime));
			const to = Date.parse(String(endTime));
			return this.lives
				.filter(({ created, start }) => created <= now && start + 3 * HOUR > from && start < to)
				.map((life) => this.write(life, now));
		}
		const from = Date.parse(`${String(changedFrom).replace('Z', '')}Z`);
		const since = this.changed.filter(({ at }) => at > from && at <= now);
		return [...new Set(since.map(({ life }) => life))].map((life) => this.write(life, now));
	}

	private write({ guid, created, start, events }: Life, now: number): object {
		const iso = (ms: number) => new Date(ms).toISOString().slice(0, 19);
		const past = events.filter(({ at }) => at <= now);
		return Object.assign(
			{
				guid,
				createdDate: iso(created),
				changeDate: iso(past.at(-1)?.at ?? created),
				start: iso(start),
				end: iso(start + 2 * HOUR),
				guests: 2,
				status: 1,
				contact: { fname: 'Anna', email: `${guid}@example.com` },
				message: 'By the window',
				chargePayedAmount: 0,
			},
			...past.map(({ change }) => change),
		) as object;
	}
}

type Year = Awaited<ReturnType<typeof play>>;

async function play(event: TriggerEvent, site: Site, whatChanged = false) {
	const emitted: Emission[] = [];
	let bytes = 0;
	let end = 0;
	const trigger = new Polled(feedOf(event, { include: ['includeContact'], whatChanged }), {
		watching: event,
	});
	trigger.answer = async (query) => await Promise.resolve(site.list(query, trigger.now));
	for (let now = BEGIN; now <= BEGIN + DAYS * DAY; now += POLL_EVERY) {
		trigger.now = now;
		emitted.push(...(await trigger.emissions()));
		bytes = Math.max(bytes, JSON.stringify(trigger.own).length);
		end = now;
	}
	return {
		emitted,
		bytes,
		end,
		reports: trigger.reports.flat(),
		state: JSON.stringify(trigger.state),
	};
}

describe(`${DAYS} days of ${PER_DAY} bookings a day`, () => {
	const site = new Site(livesOf(48_210_977));
	const guidsOf = ({ emitted }: Year) =>
		emitted.map(({ record }) => (record as { guid: string }).guid);
	/** A booking that is made and changed between two polls is seen only then. */
	const isSeenBefore = (kind: string) => (guid: string) => {
		const life = site.lives[Number(guid.slice(5))];
		const at = life?.events.find(({ change }) => kind in change)?.at ?? 0;
		const pollOf = (ms: number) => Math.ceil((ms - BEGIN) / POLL_EVERY);
		return life !== undefined && pollOf(life.created) < pollOf(at);
	};

	it.each<[TriggerEvent, string]>([
		['bookingRescheduled', 'end'],
		['bookingPaymentChanged', 'chargePayedAmount'],
		['bookingStatusChanged', 'status'],
	])(
		'lose and repeat none of the changes of %s, however long ago the booking was made',
		async (event, kind) => {
			const year = await play(event, site);
			const guids = guidsOf(year);
			const emitted = new Set(guids);
			const expected = [...site.changesOf(kind, year.end)].filter(isSeenBefore(kind));
			process.stdout.write(
				`model: ${guids.length} of ${event}, at most ${year.bytes} bytes of state\n`,
			);
			expect(guids).toHaveLength(emitted.size);
			expect(expected.filter((guid) => !emitted.has(guid))).toEqual([]);
			expect(expected.length).toBeGreaterThan((DAYS - 30) * PER_DAY * 0.4);
			expect(year.reports).toEqual([]);
			expect(year.bytes).toBeLessThan(2_000 * PER_DAY);
		},
	);

	it("leave no item of 'Add What Changed' without what was before, and no guest in the state", async () => {
		const year = await play('bookingUpdated', site, true);
		const unknown = year.emitted.filter(({ changes }) => changes === null);
		const seen = unknown.filter(({ record }) =>
			isSeenBefore('guests')((record as { guid: string }).guid),
		);
		process.stdout.write(
			`model: ${year.emitted.length} updates, at most ${year.bytes} bytes of state\n`,
		);
		expect(seen).toEqual([]);
		expect(year.reports).toEqual([]);
		expect(year.bytes).toBeLessThan(2_000 * PER_DAY);
		expect(new Set(year.emitted.flatMap(({ changes }) => changes?.fields ?? []))).toEqual(
			new Set(['end', 'guests', 'status']),
		);
		expect(/Anna|example\.com|By the window/.exec(year.state)?.[0]).toBeUndefined();
	});
});
