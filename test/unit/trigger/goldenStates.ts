const MINUTE = 60_000;
/** When the trigger of a golden state was published, in milliseconds since 1970. */
export const GOLDEN_BEGIN = Date.parse('2026-07-01T12:00:00Z');
/** When the records that it has seen had changed, in minutes after that; those of the first poll, and of the second. */
const FIRST = [-70, -50, -3];
const SECOND = [2, 8];

/** Every event of the trigger. */
export const GOLDEN_EVENTS = [
	'bookingCreated',
	'bookingUpdated',
	'bookingChanged',
	'bookingStatusChanged',
	'bookingCanceled',
	'bookingNoShow',
	'bookingPaymentChanged',
	'bookingRescheduled',
	'customerCreated',
	'customerChanged',
	'surveyAnswered',
	'bookingStartsSoon',
	'bookingEnded',
] as const;

/** What a trigger is, and what it has stored after two polls, ten minutes apart. */
export interface GoldenState {
	event: (typeof GOLDEN_EVENTS)[number];
	zone: string;
	maxItems: number;
	reEmit: boolean;
	state: object;
}

/** What the statuses of golden records mean. */
export function goldenRoles(event: string): Record<string, ReadonlySet<string>> {
	return { [event === 'bookingNoShow' ? 'noShow' : 'canceled']: new Set(['2']) };
}

/** Whether an event goes by the booking's own time. */
export function isDueEvent(event: string): boolean {
	return event === 'bookingStartsSoon' || event === 'bookingEnded';
}

/** Minutes after {@link GOLDEN_BEGIN} at which the records changed that are there when the state is gone on from. */
export function goldenMinutes(event: string): number[] {
	return [...FIRST, ...SECOND, isDueEvent(event) ? 9 : 9.5];
}

/** A record, as the service shows it, that makes the golden state's event happen at some minutes after its beginning. */
export function goldenRecord(
	{ event, zone }: Pick<GoldenState, 'event' | 'zone'>,
	name: number,
	minutes: number,
): object {
	const utc = (at: number) => new Date(GOLDEN_BEGIN + at * MINUTE).toISOString();
	const text = (at: number) => (zone === 'UTC' ? utc(at) : utc(at + 120).slice(0, 19));
	if (event === 'surveyAnswered') return { id: `r${name}`, status: 4, respondedTime: text(minutes) };
	if (event.startsWith('customer')) {
		const changed = utc(minutes);
		return { id: name, lastChangedUtc: zone === 'UTC' ? changed : changed.slice(0, 19) };
	}
	const guid = `b${name}`;
	if (isDueEvent(event)) {
		const anchor = event === 'bookingEnded' ? minutes - 60 : minutes + 60;
		const [start, end] = event === 'bookingEnded' ? [anchor - 30, anchor] : [anchor, anchor + 60];
		return { guid, createdDate: text(-3000), start: text(start), end: text(end), status: 1 };
	}
	const isStatus = ['bookingStatusChanged', 'bookingCanceled', 'bookingNoShow'].includes(event);
	const history = [{ changeDate: text(-3000), status: 1, statusName: 'One' }];
	if (isStatus) history.push({ changeDate: text(minutes), status: 2, statusName: 'Two' });
	const isNew = event === 'bookingCreated' || event === 'bookingPaymentChanged';
	const createdDate = isNew ? text(minutes) : text(-3000);
	const differs = { start: text(minutes + 6000), chargePayedAmount: 1000 + minutes };
	return { guid, createdDate, changeDate: text(minutes), status: isStatus ? 2 : 1, history, ...differs };
}

/** The bookings that come later are there from the beginning where an event is told by what was last seen. */
function goldenBeginning(golden: Omit<GoldenState, 'state'>): object[] {
	if (golden.event !== 'bookingRescheduled') return [];
	return [4, 5, 6, 7, 8].map((name) => goldenRecord(golden, name, FIRST[0] ?? 0));
}

/** A trigger without a state yet: each call is a poll, and returns what is stored after it. */
export type GoldenPoll = (page: object[], now: number) => Promise<object>;

/** Each event with the time zones and options that change what the trigger stores. */
export const GOLDEN_TRIGGERS: Array<Omit<GoldenState, 'state'>> = GOLDEN_EVENTS.flatMap((event) =>
	['UTC', 'Europe/Stockholm'].flatMap((zone) => [
		{ event, zone, maxItems: 500, reEmit: false },
		{ event, zone, maxItems: 500, reEmit: true },
		{ event, zone, maxItems: 1, reEmit: false },
	]),
);

/** The states that a version of the trigger stores, one for each of {@link GOLDEN_TRIGGERS}. */
export async function makeGoldenStates(
	triggerOf: (golden: Omit<GoldenState, 'state'>) => GoldenPoll,
): Promise<GoldenState[]> {
	const states: GoldenState[] = [];
	for (const golden of GOLDEN_TRIGGERS) {
		const poll = triggerOf(golden);
		const page = goldenMinutes(golden.event).map((minutes, index) =>
			goldenRecord(golden, index + 1, minutes),
		);
		await poll([...page.slice(0, FIRST.length), ...goldenBeginning(golden)], GOLDEN_BEGIN);
		states.push({ ...golden, state: await poll(page, GOLDEN_BEGIN + 10 * MINUTE) });
	}
	return states;
}
