import { goldenRoles } from './goldenStates';
import {
	type BookingChange,
	type BookingChoice,
	type BookingFilters,
	bookingFeed,
	dueFeed,
} from '../../../nodes/HospitalityBookingTrigger/feeds/bookings';
import { customerFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/customers';
import type { Feed, Query } from '../../../nodes/HospitalityBookingTrigger/feeds/feed';
import { recipientFeed } from '../../../nodes/HospitalityBookingTrigger/feeds/recipients';
import type { TriggerEvent } from '../../../nodes/HospitalityBookingTrigger/events';
import { followerOf } from '../../../nodes/HospitalityBookingTrigger/follow/follower';
import type { Emission, FollowSettings, Start } from '../../../nodes/HospitalityBookingTrigger/follow/step';
import {
	type NoticesError,
	type PollHost,
	type PollSettings,
	poll,
} from '../../../nodes/HospitalityBookingTrigger/poll/poll';
import {
	type State,
	type StoredState,
	readState,
} from '../../../nodes/HospitalityBookingTrigger/state/stored';

export const SECOND = 1000;
export const MINUTE = 60 * SECOND;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
export const NOW = Date.parse('2026-07-01T12:00:00Z');
/** @param minutes after {@link NOW} */
export const at = (minutes: number) => new Date(NOW + minutes * MINUTE).toISOString();

export const BASELINE: Start = { kind: 'baseline' };
export const NO_FILTERS: BookingFilters = { unitParameter: 'unitIds' };

export const bookingsOf = (
	event: BookingChange,
	filters: Partial<BookingFilters> = {},
	more: Partial<BookingChoice> = {},
) => bookingFeed(event, { filters: { ...NO_FILTERS, ...filters }, include: [], ...more });

export function feedOf(event: TriggerEvent): Feed {
	if (event === 'surveyAnswered') return recipientFeed('');
	if (event === 'customerCreated' || event === 'customerChanged') return customerFeed(event);
	if (event === 'bookingStartsSoon' || event === 'bookingEnded')
		return dueFeed(event, HOUR, { filters: NO_FILTERS, include: [] });
	return bookingsOf(event, { statusRoles: goldenRoles(event) });
}

/** How a feed is followed, where nothing else is said. */
export const FOLLOWED = { zone: 'UTC', overlapMs: 2 * MINUTE, maxAgeMs: 24 * HOUR, maxItems: 500 };

export const follow = (feed: Feed, settings: Partial<FollowSettings> = {}) =>
	followerOf({ feed, ...FOLLOWED, ...settings });

/** The form of a trigger, where nothing else is chosen. */
const POLLED = {
	...FOLLOWED,
	node: 'Trigger',
	watching: '["bookingCreated","demo",[]]',
	account: 'https://booking.example',
	startAt: null,
	skipsMissed: false,
	reEmit: false,
};

let nodes = 0;

/** A trigger with its service, polled as n8n does. */
export class Polled {
	records: unknown = [];
	queries: Query[] = [];
	/** What polls have reported, each time. */
	reports: string[][] = [];
	own: StoredState | undefined;
	published: { publication: number; state?: StoredState } | undefined;
	now = NOW;
	budgetMs = 5 * MINUTE;
	wasPublished = false;
	/** How long each poll may wait for the service, in milliseconds. */
	waits: number[] = [];
	answer: (query: Query, deadline: number) => Promise<unknown> = async () =>
		await Promise.resolve(this.records);
	settings: PollSettings;
	private id = `node ${++nodes}`;

	constructor(feed: Feed, settings: Partial<PollSettings> = {}) {
		this.settings = { ...POLLED, feed, ...settings };
	}

	/** @returns the names of what comes out, `*` for what is marked */
	async poll(mode: PollHost<unknown>['mode'] = 'timer'): Promise<string[]> {
		return (await this.emissions(mode)).map(({ record, again }) => `${nameOf(record)}${again ? '*' : ''}`);
	}

	async emissions(mode: PollHost<unknown>['mode'] = 'timer'): Promise<Emission[]> {
		const host: PollHost<Emission[]> = {
			...{ id: this.id, mode, wasPublished: this.wasPublished, budgetMs: this.budgetMs },
			load: () => ({ own: this.own, published: this.published }),
			save: (state) => {
				const isStored = this.own?.publication === state.publication;
				this.own = asStored(state);
				if (mode === 'publication') this.published = { publication: state.publication, state: this.own };
				else if (isStored && this.published) delete this.published.state;
			},
			fetch: async (_path, query, deadline) => {
				this.queries.push(query);
				this.waits.push(deadline - this.now);
				return await this.answer(query, deadline);
			},
			present: (records) => records,
			report: ({ notices }: NoticesError) => this.reports.push([...notices]),
			warn: () => undefined,
			now: () => this.now,
		};
		return (await poll(host, this.settings)) ?? [];
	}

	/** What the node itself has stored. */
	get state(): State | undefined {
		return readState(this.own, this.settings.node);
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

	/** n8n is ended and started again. */
	restart(): void {
		this.id = `node ${++nodes}`;
	}
}

export function nameOf(record: unknown): string {
	const { guid, id } = record as { guid?: string; id?: string | number };
	return String(guid ?? id);
}

/** As n8n stores it. */
export const asStored = <T>(state: T): T => JSON.parse(JSON.stringify(state)) as T;
