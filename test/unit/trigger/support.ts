import { EVENTS, type TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events/events';
import type { Query } from '../../../nodes/HospitalityBookingTrigger/events/rule';
import type { Choice, Filters } from '../../../nodes/HospitalityBookingTrigger/events/recordKinds';
import { type Feed, makeFeed } from '../../../nodes/HospitalityBookingTrigger/events/observe';
import type { Emission } from '../../../nodes/HospitalityBookingTrigger/follow/buildEmission';
import type { Mode, PollMemory } from '../../../nodes/HospitalityBookingTrigger/poll/modes';
import {
	type PollHost,
	type PollSettings,
	poll,
} from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import { type State, readState } from '../../../nodes/HospitalityBookingTrigger/state/stored';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOW = Date.parse('2026-07-01T12:00:00Z');
/** @param minutes after {@link NOW} */
export const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

type Given = Partial<Omit<Choice, 'filters'>> & { filters?: Filters };

/** @returns the feed of an event, as a form with nothing else on it chooses it */
export function feedOf(event: TriggerEvent, { filters, ...more }: Given = {}): Feed {
	const nothing = {
		include: [],
		whatChanged: false,
		overlapMs: 2 * MINUTE,
		distanceMs: HOUR,
	};
	const roles = { canceled: new Set(['2']), noShow: new Set(['8']), finished: new Set(['9']) };
	const choice = { zone: 'UTC', unitParameter: 'unitIds', ...nothing, ...more };
	return makeFeed(EVENTS[event], { ...choice, filters: { statusRoles: roles, ...filters } });
}

/** The form of a trigger, where nothing else is chosen. */
const POLLED = {
	node: 'Trigger',
	watching: '["bookingCreated","demo",[]]',
	account: 'https://booking.example',
	startAt: null,
	skipsMissed: false,
};

/** A trigger with its service, polled as n8n does. */
export class Polled {
	/** What the service lists as changed, and what as the bookings of a period. */
	records: unknown = [];
	booked: unknown[] = [];
	queries: Query[] = [];
	/** What polls have reported, each time. */
	reports: string[][] = [];
	own: State | undefined;
	published: { node: string; state?: State | undefined } | undefined;
	now = NOW;
	/** The service's clock, as it tells it. */
	date: () => number | undefined = () => this.now;
	budgetMs = 5 * MINUTE;
	wasPublished = false;
	/** How polls but that of a publication are made. */
	mode: Mode = 'timer';
	/** How long each poll may wait for the service, in milliseconds. */
	waits: number[] = [];
	answer: (query: Query, deadline: number) => Promise<unknown> = async ({ startTime }) =>
		await Promise.resolve(startTime === undefined ? this.records : this.booked);
	settings: PollSettings;
	private readonly live: PollMemory = {};

	constructor(feed: Feed, settings: Partial<PollSettings> = {}) {
		this.settings = { ...POLLED, feed, ...settings };
	}

	/** @returns the names of what comes out */
	async poll(isPublication = false): Promise<string[]> {
		return (await this.emissions(isPublication)).map(({ record }) => nameOf(record));
	}

	async emissions(isPublication = false): Promise<Emission[]> {
		const host: PollHost<Emission[]> = {
			memory: this.live,
			mode: isPublication ? 'publication' : this.mode,
			budgetMs: this.budgetMs,
			load: () => ({
				stored: this.own,
				published: this.published,
				wasPublished: this.wasPublished,
			}),
			save: (state, copy) => {
				this.own = asStored(state);
				this.published = asStored({ node: state.node, state: copy });
			},
			fetch: async (query, deadline) => {
				this.queries.push(query);
				this.waits.push(deadline - this.now);
				const list = (await this.answer(query, deadline)) as unknown[] | undefined;
				return { list, date: this.date() };
			},
			present: (records) => records,
			report: (notices) => this.reports.push(notices),
			now: () => this.now,
		};
		return (await poll(host, this.settings)) ?? [];
	}

	/** What the node itself has stored. */
	get state(): State | undefined {
		return readState(this.own);
	}

	/** What the last list of changes was asked from. */
	get askedFrom(): unknown {
		const query = this.queries.findLast(
			({ changedFrom, changedFromUtc }) => changedFrom ?? changedFromUtc,
		);
		return query?.changedFrom ?? query?.changedFromUtc;
	}

	/** Polls a minute apart. */
	async polls(count: number): Promise<string[][]> {
		const out: string[][] = [];
		for (let made = 0; made < count; made++) {
			this.now += MINUTE;
			out.push(await this.poll());
		}
		return out;
	}

	/** Polls ten minutes apart, each given what is listed. */
	async pages(pages: unknown[][]): Promise<Emission[][]> {
		const out: Emission[][] = [];
		for (const page of pages) {
			this.now += 10 * MINUTE;
			this.records = page;
			out.push(await this.emissions());
		}
		return out;
	}
}

/** A trigger that was published with some records there. */
export async function published(
	feed: Feed,
	{
		records = [],
		booked = [],
		...settings
	}: Partial<PollSettings> & { records?: unknown[]; booked?: unknown[] } = {},
): Promise<Polled> {
	const trigger = new Polled(feed, settings);
	Object.assign(trigger, { records, booked });
	await trigger.poll(true);
	return trigger;
}

export function nameOf(record: unknown): string {
	const { guid, id } = record as { guid?: string; id?: string | number };
	return String(guid ?? id);
}

export const namesOf = (emissions: readonly Emission[][]) =>
	emissions.map((emitted) => emitted.map(({ record }) => nameOf(record)).join(' '));

/** As n8n stores it. */
export const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state)) as T;

export const booking = (guid: string, changed: number | string, more: object = {}) => ({
	guid,
	createdDate: at(-6000),
	status: 1,
	changeDate: typeof changed === 'number' ? at(changed) : changed,
	start: '2026-08-01T18:00:00',
	end: '2026-08-01T20:00:00',
	...more,
});

/** One that was made after {@link NOW}. */
export const made = (guid: string, changed: number, more: object = {}) =>
	booking(guid, changed, { createdDate: at(changed), ...more });

export const customer = (id: number, changed?: number) => ({
	id,
	lastChangedUtc: changed === undefined ? null : at(changed),
});
