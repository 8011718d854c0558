import type { StoredWorkflow } from '../../harness/n8nClient.ts';
import type { Arrival } from '../support/changeRecorder';
import { say, until } from '../support/progress';
import { PublishedTriggers } from '../support/publishedTrigger';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** All clocks are so far ahead: none of the sandbox's own bookings is due. */
const YEAR = 365 * 24 * HOUR;
/** The service's zone, an hour ahead of UTC all year; the credential says UTC at first. */
const ZONE = 'Africa/Lagos';
/** An event comes out within this time once it can. */
const LATE_MS = 2 * MINUTE;
/** Bookings made meanwhile start so soon that they come out at once where the times are read right. */
const SOON_MS = 30 * MINUTE;

interface Booking {
	guid: string;
	start: string;
	createdDate: string;
	changeDate: string | null;
}

let n8n: PublishedTriggers;

afterEach(async () => {
	await (n8n as PublishedTriggers | undefined)?.stop();
});

const nameOf = ({ guid, event }: Arrival) => `${guid} ${event.type} ${event.time}`;

/** What happens to bookings and clocks under published triggers, and what has to come out for it. */
class History {
	/** By the name of each event: since when it can come out, by n8n's clock. */
	private readonly expected = new Map<string, number>();
	private readonly workflows: StoredWorkflow[] = [];
	private n8nAheadMs = 0;
	/** How much later than the service means it a time of its is read. */
	private misreadMs = HOUR;

	/** Publishes 'Booking Created or Updated' and 'Booking Starting Soon' with the credential's zone still wrong. */
	static async begin(): Promise<History> {
		n8n = await PublishedTriggers.start(false, new Date(Date.now() + YEAR).toISOString());
		const history = new History();
		history.setClock(0);
		await history.setServiceClock(0);
		for (const parameters of [
			{ event: 'bookingChanged' },
			{ event: 'bookingStartsSoon', distance: 60, distanceUnit: 'minutes' },
		]) {
			const workflow = await n8n.create(parameters);
			await n8n.publish(workflow);
			history.workflows.push(workflow);
		}
		await n8n.polls(4);
		return history;
	}

	/** @param aheadMs of the right time */
	setClock(aheadMs: number): void {
		this.n8nAheadMs = aheadMs;
		n8n.setClock(new Date(this.now).toISOString());
	}

	/** @param aheadMs of the right time */
	async setServiceClock(aheadMs: number): Promise<void> {
		const clock = { skewMs: YEAR + aheadMs, offset: 'none', timeZone: ZONE };
		await n8n.sandbox.control('PUT', '/clock', clock);
	}

	async correctZone(): Promise<void> {
		await n8n.changeCredential({ timeZone: ZONE });
		this.misreadMs = 0;
	}

	/** Kills n8n and starts it again. What comes out for what happens meanwhile can do so once n8n is there again. */
	async restart(whileDown: () => Promise<void>): Promise<void> {
		await n8n.restart(async () => {
			await whileDown();
			this.setClock(this.n8nAheadMs);
		});
		for (const name of this.lost) this.expected.set(name, this.now);
	}

	/** A booking that starts so long from now, by the right time. */
	async book(startsInMs: number): Promise<Booking> {
		const start = Date.now() + YEAR + startsInMs;
		const booking = { start: new Date(start).toISOString(), end: new Date(start + HOUR).toISOString() };
		const [made] = await n8n.sandbox.control<Booking[]>('POST', '/bookings', { count: 1, booking });
		if (!made) throw new Error('The sandbox made no booking.');
		this.expectChange(made);
		return made;
	}

	async change({ guid }: Booking): Promise<void> {
		const fields = { message: `Changed at ${this.now}` };
		this.expectChange(await n8n.sandbox.control<Booking>('PATCH', `/bookings/${guid}`, fields));
	}

	/** 'Booking Starting Soon' comes out for a booking from now on. */
	expectSoon({ guid, start }: Booking): void {
		this.expect(guid, 'bookingStartsSoon', Date.parse(start) - HOUR);
	}

	private expectChange({ guid, createdDate, changeDate }: Booking): void {
		this.expect(guid, 'bookingChanged', Date.parse(changeDate ?? createdDate));
	}

	private expect(guid: string, event: string, at: number): void {
		this.expected.set(`${guid} ${event} ${new Date(at + this.misreadMs).toISOString()}`, this.now);
	}

	/** Until all that is expected has come out, if it does, and each trigger has polled twice more. */
	async quiet(): Promise<void> {
		const all = until('everything that is expected has come out', () => this.lost.length === 0, 2 * LATE_MS);
		await all.catch((error: unknown) => say(`${String(error)} ${this.lost.join(', ')}`));
		await n8n.polls(4);
	}

	/** By n8n's clock. */
	private get now(): number {
		return Date.now() + YEAR + this.n8nAheadMs;
	}

	private get lost(): string[] {
		const came = new Set(n8n.arrivals.map(nameOf));
		return [...this.expected.keys()].filter((name) => !came.has(name));
	}

	/** By the recorder outside n8n; what nothing has happened for counts as repeated. */
	async report(): Promise<Record<'lost' | 'repeated' | 'outOfTime' | 'failures', string[]>> {
		const names = n8n.arrivals.map(nameOf);
		const repeated = names.filter((name, index) => names.indexOf(name) < index || !this.expected.has(name));
		const outOfTime: string[] = [];
		let latest = 0;
		for (const arrival of n8n.arrivals) {
			const startedAt = await n8n.startOf(arrival.execution);
			const after = startedAt - (this.expected.get(nameOf(arrival)) ?? 0);
			const isEarly =
				arrival.event.type === 'bookingStartsSoon' && startedAt < Date.parse(arrival.event.time);
			latest = Math.max(latest, after);
			if (isEarly || after > LATE_MS) outOfTime.push(`${nameOf(arrival)} after ${after} ms`);
		}
		const failures = (await Promise.all(this.workflows.map((workflow) => n8n.failures(workflow)))).flat();
		const counts = `${this.lost.length} lost, ${repeated.length} repeated, ${outOfTime.length} out of time`;
		say(`${this.expected.size} events, ${names.length} deliveries, the latest after ${latest} ms; ${counts}`);
		return { lost: this.lost, repeated, outOfTime, failures };
	}
}

describe('a corrected time zone, clocks that jump and come back, and a kill, real n8n', () => {
	it('lose and repeat no change and no start of a booking, and each comes out in time', async () => {
		const history = await History.begin();
		const old = await history.book(20 * HOUR);
		history.expectSoon(await history.book(-20 * MINUTE));
		const readTooLate = await history.book(SOON_MS);
		await history.quiet();
		say('the credential has the wrong zone: done');

		await history.correctZone();
		history.expectSoon(readTooLate);
		await history.quiet();
		await history.change(old);
		history.expectSoon(await history.book(SOON_MS));
		await history.quiet();
		say('the zone is corrected: done');

		for (const ahead of [3 * HOUR, 0]) {
			await history.setServiceClock(ahead);
			await history.change(old);
			history.expectSoon(await history.book(SOON_MS));
			await history.quiet();
		}
		say("the service's clock jumps and comes back: done");

		history.setClock(5 * HOUR);
		// Before the trigger has looked by that clock, what has started by it still comes out.
		await history.quiet();
		const startedByThen = await history.book(40 * MINUTE);
		history.expectSoon(await history.book(5 * HOUR + SOON_MS));
		await history.quiet();
		await history.restart(async () => {
			await history.change(old);
			history.expectSoon(await history.book(5 * HOUR + SOON_MS));
		});
		await history.quiet();
		say("n8n's clock jumps, n8n is killed and started again: done");

		history.setClock(0);
		history.expectSoon(startedByThen);
		await history.change(old);
		history.expectSoon(await history.book(SOON_MS));
		await history.quiet();
		say("n8n's clock comes back: done");

		expect(await history.report()).toEqual({ lost: [], repeated: [], outOfTime: [], failures: [] });
	});
});
