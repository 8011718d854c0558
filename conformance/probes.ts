import { setTimeout as sleep } from 'node:timers/promises';
import type { ContractDocument, Operation, Schema } from '../contract/model.ts';
import { readOperations } from '../contract/model.ts';
import type { CallResult, Client } from './client.ts';
import { concernOf, usedBy } from './concerns.ts';
import { type DateTimes, type Difference, ShapeCheck, isRecord } from './shape.ts';

/** One thing in which the service differs from the contract or from what this package relies on. */
export interface Finding {
	operation: string;
	/** Path of the field; '' for the whole response or the call itself. */
	path: string;
	what: string;
	/** Which operation, option or setting of the package it concerns. */
	concerns: string;
	examples: string[];
	weight: Weight;
}

/** How much a difference matters: what the service does, values that cannot be read as documented, more fields, fewer. */
export type Weight = 'behavior' | 'value' | 'undocumented' | 'absent';

/** How the service behaves where the API does not specify it. */
export interface Observation {
	question: string;
	found: string;
	concerns: string;
}

/** What a run has come to. */
export interface Results {
	findings: Finding[];
	observations: Observation[];
	/** Which operation's date-times are written how. */
	dateTimes: Array<DateTimes & { operation: string }>;
	/** How many records of each operation were compared. */
	records: Record<string, number>;
	/** What nothing that came could show, with the reason. */
	unjudged: string[];
	/** Which fields of the account the service rejected, or led nowhere: nothing else could be asked. */
	rejected: string[];
}

type Say = (line: string) => void;
type Row = Record<string, unknown>;

const BOOKINGS = '/api/booking/v1/WebBooking/WebBookings';
const CUSTOMERS = '/api/booking/v1/booking/customers';
const RECIPIENTS = '/api/booking/v1/Survey/Recipients';

const RELATED = {
	includeContact: 'contact',
	includeCustomer: 'customer',
	includePayMethod: 'payMethod',
	includeTableArticles: 'articles',
	includeNonTableArticles: 'nonTableArticles',
	includeMarkings: 'markings',
	includeInternalContact: 'internalContactName',
};
const INCLUDE_ALL = Object.fromEntries(Object.keys(RELATED).map((name) => [name, true]));

const DAY_MS = 86_400_000;
/** Half the width in days of the periods that are asked for until one has a booking. */
const PERIODS = [1, 7, 30, 180];
const CHANGED_WITHIN = [1, 30, 365];
const NO_SUCH_ID = 2_000_000_011;
const FAR_FUTURE = '2999-01-01T00:00:00Z';
const RESPONDED = 4;
const CANCELED = 5;
const LARGE_CLOCK_DIFFERENCE_MS = 60_000;
const WATCH_EVERY_MS = 5_000;
const CHANGES_TO_SEE = 20;

/** Node's codes of a host that could not be reached. */
const UNREACHABLE = /^(?:E[A-Z_]+|CERT_\w+|UNABLE_TO_\w+|\w*SELF_SIGNED\w*)$/;
const WEIGHTS: Partial<Record<Difference['kind'], Weight>> = { missing: 'absent', unknown: 'undocumented' };

/** Makes the reading calls, one after the other, and notes what differs. */
export class Probes {
	readonly results: Results = {
		findings: [],
		observations: [],
		dateTimes: [],
		records: {},
		unjudged: [],
		rejected: [],
	};
	private readonly client: Client;
	private readonly operations: Operation[];
	private readonly shapes: ShapeCheck;
	private readonly say: Say;

	constructor(client: Client, contract: ContractDocument, say: Say) {
		this.client = client;
		this.say = say;
		this.operations = readOperations(contract);
		this.shapes = new ShapeCheck(contract);
	}

	/** @param watchMinutes how long to watch how late changes show; 0 leaves it out */
	async run(watchMinutes: number): Promise<Results> {
		if (await this.token()) {
			const bookings = await this.bookings();
			if (this.results.rejected.length === 0) await this.others(bookings, watchMinutes);
		}
		if (this.client.account.payment) await this.payment();
		this.clock();
		return this.results;
	}

	private async others(bookings: Row[], watchMinutes: number): Promise<void> {
		await this.changedFrom(bookings);
		await this.unitFilter(bookings);
		await this.categoryFilter(bookings);
		await this.customers();
		const recipients = await this.recipients();
		await this.withSurvey(recipients);
		await this.systemHeader();
		if (watchMinutes > 0) await this.watch(watchMinutes);
	}

	private async token(): Promise<boolean> {
		this.say('Token');
		const result = await this.client.fetchToken();
		if (result.status === 401 || (isRecord(result.body) && result.body['error'] === 'invalid_client')) {
			this.results.rejected.push(
				`The service rejected 'Client ID' or 'Client Secret' (${result.status}): copy both again`,
			);
			this.results.unjudged.push('what needs a token: none was issued');
			return false;
		}
		const { access_token: token, expires_in: seconds } = isRecord(result.body) ? result.body : {};
		if (!this.hold('token.issue', result, [result.body], 1)) return false;
		this.observe(
			'How long is a token valid?',
			typeof seconds === 'number' ? `${seconds} s` : 'expires_in is not a number',
			'how often a token is asked for',
		);
		return typeof token === 'string' && token !== '';
	}

	/** The bookings of the narrowest period that has one. */
	private async bookings(): Promise<Row[]> {
		this.say('Web bookings');
		let rows: Row[] = [];
		let period: [number, number] = [0, 0];
		for (const days of PERIODS) {
			period = [Date.now() - days * DAY_MS, Date.now() + days * DAY_MS];
			const [startTime, endTime] = period.map((time) => new Date(time).toISOString());
			const result = await this.list(BOOKINGS, 'webBooking.getAll', { startTime, endTime, ...INCLUDE_ALL });
			if (!result) return [];
			rows = result;
			if (rows.length > 0) break;
		}
		this.compareRows('webBooking.getAll', rows);
		if (rows.length === 0) return rows;
		const outside = rows.filter(({ start, end }) => {
			const [from, until] = [timeOf(start), timeOf(end)];
			// Times without an offset may be up to 14 hours from UTC.
			return until < period[0] - 0.6 * DAY_MS || from > period[1] + 0.6 * DAY_MS;
		});
		if (outside.length > 0) {
			this.find(
				'webBooking.getAll',
				'',
				`${outside.length} of ${rows.length} lie outside the period asked for`,
				{
					concerns: "'Start Time' and 'End Time' of Get Many",
				},
			);
		}
		await this.related(rows, period);
		return rows;
	}

	/** Related data is left out unless its flag is true. */
	private async related(rows: Row[], period: [number, number]): Promise<void> {
		const [startTime, endTime] = period.map((time) => new Date(time).toISOString());
		const bare = await this.list(BOOKINGS, 'webBooking.getAll', { startTime, endTime });
		for (const [flag, field] of Object.entries(RELATED)) {
			const with_ = rows.filter((row) => isFilled(row[field])).length;
			const without = (bare ?? []).filter((row) => isFilled(row[field])).length;
			if (with_ === 0) this.results.unjudged.push(`${flag}: no booking has ${field}`);
			if (with_ > 0 && without > 0) {
				this.find('webBooking.getAll', `[].${field}`, `comes although ${flag} is not true`, {
					concerns: "'Include' of Get Many: leaving it out saves nothing",
				});
			}
		}
	}

	private async changedFrom(rows: Row[]): Promise<void> {
		const stamps = rows.map(({ changeDate }) => changeDate).filter((stamp) => typeof stamp === 'string');
		const newest = stamps.sort((a, b) => timeOf(a) - timeOf(b)).at(-1);
		if (newest === undefined) {
			this.results.unjudged.push(
				`changedFrom: ${rows.length > 0 ? 'no booking has a changeDate' : 'no booking came'}`,
			);
			return;
		}
		this.say('Changed since');
		const after = await this.list(BOOKINGS, 'webBooking.getAll', { changedFrom: newest });
		const future = await this.list(BOOKINGS, 'webBooking.getAll', { changedFrom: FAR_FUTURE });
		if (!after || !future) return;
		const older = after.filter(({ changeDate }) => timeOf(changeDate) < timeOf(newest)).length;
		if (older + future.length > 0) {
			const what =
				future.length > 0
					? `changedFrom has no effect: in the far future it returns ${future.length} bookings`
					: `changedFrom returns ${older} bookings changed before it`;
			this.find('webBooking.getAll', '', what, {
				concerns: "'Changed After' of Get Many; what the trigger asks for with each poll",
			});
		}
		if (future.length === 0)
			this.observe(
				'Does changedFrom include a change made at that very time?',
				after.some(({ changeDate }) => changeDate === newest) ? 'yes' : 'no, only later ones',
				'the trigger works with both',
			);
		const digits = this.results.dateTimes.find(
			({ operation, path }) => operation === 'webBooking.getAll' && path === '[].changeDate',
		)?.fractionDigits;
		this.observe(
			'How fine are the timestamps of changes?',
			digits ? `${digits} digits of a second` : 'whole seconds',
			'two changes of one booking between two polls are told apart by it',
		);
	}

	private async unitFilter(rows: Row[]): Promise<void> {
		if (rows.length === 0) {
			this.results.unjudged.push('unitIds: no booking came');
			return;
		}
		this.say('Filters');
		const period = periodOf(rows);
		const all = await this.list(BOOKINGS, 'webBooking.getAll', period);
		const none = await this.list(BOOKINGS, 'webBooking.getAll', { ...period, unitIds: [NO_SUCH_ID] });
		if (!all || !none || all.length === 0) return;
		if (none.length === all.length) {
			this.find('webBooking.getAll', '', 'unitIds does not narrow the list: the filter has another name', {
				concerns: "'Unit IDs' of Get Many and the trigger: set 'Unit Filter Name' in the credential",
			});
			return;
		}
		const unit = all.map(({ unitId }) => unitId).find((id) => typeof id === 'number');
		const own = await this.list(BOOKINGS, 'webBooking.getAll', { ...period, unitIds: [Number(unit)] });
		const others = (own ?? []).filter(({ unitId }) => unitId !== unit).length;
		if (others > 0) {
			this.find('webBooking.getAll', '', `unitIds returns ${others} bookings of other units`, {
				concerns: "'Unit IDs' of Get Many and the trigger",
			});
		}
	}

	private async categoryFilter(rows: Row[]): Promise<void> {
		if (!rows.some(({ articles }) => Array.isArray(articles) && articles.length > 0)) {
			this.results.unjudged.push('articleCategoryIds: no booking has articles');
			return;
		}
		const period = { ...periodOf(rows), includeTableArticles: true, includeNonTableArticles: true };
		const all = await this.list(BOOKINGS, 'webBooking.getAll', period);
		const none = await this.list(BOOKINGS, 'webBooking.getAll', {
			...period,
			articleCategoryIds: [NO_SUCH_ID],
		});
		if (!all || !none) return;
		const count = (some: Row[]) =>
			some.reduce((sum, { articles }) => sum + (Array.isArray(articles) ? articles.length : 0), some.length);
		if (count(none) >= count(all)) {
			this.find('webBooking.getAll', '', 'articleCategoryIds does not narrow the list: it has another name', {
				concerns: "'Article Category IDs' of Get Many: set 'Article Category Filter Name' in the credential",
			});
		}
	}

	private async customers(): Promise<void> {
		this.say('Customers');
		let rows: Row[] = [];
		for (const days of CHANGED_WITHIN) {
			const changedFromUtc = new Date(Date.now() - days * DAY_MS).toISOString();
			const result = await this.list(CUSTOMERS, 'customer.getAll', { changedFromUtc });
			if (!result) return;
			rows = result;
			const older = rows.filter(
				({ lastChangedUtc }) => timeOf(lastChangedUtc) < timeOf(changedFromUtc) - DAY_MS,
			);
			if (older.length > 0) {
				this.find(
					'customer.getAll',
					'',
					`changedFromUtc returns ${older.length} customers changed before it`,
					{
						concerns: "'Changed After' of Get Many customers; the trigger reads the whole list each time",
					},
				);
			}
			if (rows.length > 0) break;
		}
		this.compareRows('customer.getAll', rows);
	}

	private async recipients(): Promise<Row[]> {
		this.say('Survey recipients');
		const rows = await this.list(RECIPIENTS, 'surveyRecipient.getAll', {});
		if (!rows) return [];
		this.compareRows('surveyRecipient.getAll', rows);
		const status = rows.map((row) => row['status']).find((code) => typeof code === 'number');
		const surveyId = rows.map((row) => row['surveyId']).find((id) => typeof id === 'string');
		const filters: Array<[string, string, unknown]> = [
			['status', "'Status' of Get Many survey recipients; Survey Answered", status],
			['surveyId', "'Survey' of Get Many survey recipients", surveyId],
		];
		for (const [name, concerns, value] of filters) {
			if (value === undefined) {
				this.results.unjudged.push(`${name}: no recipient has one`);
				continue;
			}
			const some = await this.list(RECIPIENTS, 'surveyRecipient.getAll', { [name]: value as string });
			const others = (some ?? []).filter((row) => row[name] !== value).length;
			if (others === 0) continue;
			this.find('surveyRecipient.getAll', '', `${name} returns ${others} recipients with another one`, {
				concerns,
			});
		}
		return rows;
	}

	private async withSurvey(rows: Row[]): Promise<void> {
		const isOver = ({ status }: Row) => status === RESPONDED || status === CANCELED;
		const samples = [rows.find((row) => !isOver(row)), rows.find(isOver)].filter(
			(row): row is Row => row !== undefined && typeof row['id'] === 'string',
		);
		const operation = 'surveyRecipient.getWithSurvey';
		const bodies: unknown[] = [];
		for (const row of samples) {
			const path = `${RECIPIENTS}/${encodeURIComponent(String(row['id']))}/WithSurvey`;
			const result = await this.client.booking({ operation, path }, false);
			if (!result.isUsable && isRefusal(result.status)) {
				const again = await this.client.booking({ operation, path });
				if (again.isUsable) {
					this.find(operation, '', `takes no call without the header 'system' (${result.status})`, {
						concerns: "Get With Survey: add 'system' under 'Extra Headers' in the credential",
					});
					bodies.push(again.body);
					continue;
				}
			}
			if (!this.usable(operation, result)) continue;
			bodies.push(result.body);
			const hasContent = isRecord(result.body) && isFilled(result.body['content']);
			if (hasContent === isOver(row)) {
				const state = isOver(row) ? 'answered or canceled' : 'neither answered nor canceled';
				this.find(
					operation,
					'content',
					`${hasContent ? 'comes' : 'does not come'} for a recipient that has ${state}`,
					{
						concerns: 'Get With Survey',
					},
				);
			}
		}
		const withContent = bodies.filter((body) => isRecord(body) && isFilled(body['content']));
		if (bodies.length > 0) this.hold(operation, undefined, withContent.length > 0 ? withContent : bodies);
		else this.results.unjudged.push(`${operation}: no recipient came`);
	}

	/** A call without `system`, of each list: what it narrows to is empty, so that little is sent. */
	private async systemHeader(): Promise<void> {
		this.say("Header 'system'");
		const lists: Array<[string, string, Record<string, string | number[]>]> = [
			['webBooking.getAll', BOOKINGS, { changedFrom: FAR_FUTURE }],
			['customer.getAll', CUSTOMERS, { changedFromUtc: FAR_FUTURE }],
			['surveyRecipient.getAll', RECIPIENTS, { status: [999] }],
		];
		const answers: string[] = [];
		for (const [operation, path, query] of lists) {
			if (!this.client.hasRead(operation)) {
				this.results.unjudged.push(`the header 'system': ${operation} could not be read with it`);
				continue;
			}
			const { status, isUsable } = await this.client.booking({ operation, path, query }, false);
			const needs = isRefusal(status) ? 'does' : 'unknown';
			answers.push(`${operation} ${isUsable ? 'does not' : `${needs} (${status || 'no response'})`}`);
		}
		if (answers.length > 0)
			this.observe("Which calls need the header 'system'?", answers.join(', '), 'it is always sent');
	}

	/** Watches bookings change, to see how long after its own timestamp a change shows. */
	private async watch(minutes: number): Promise<void> {
		this.say(`Watching for changes, ${minutes} min`);
		const until = Date.now() + minutes * 60_000;
		const seen = new Set<string>();
		const delays: number[] = [];
		let isFirst = true;
		while (Date.now() < until && delays.length < CHANGES_TO_SEE && !this.client.isOutOfTime) {
			const changedFrom = new Date(Date.now() - 600_000).toISOString();
			const rows = await this.list(BOOKINGS, 'webBooking.getAll', { changedFrom });
			if (!rows) return;
			const now = Date.now() + (this.client.clockAheadMs ?? 0);
			for (const { guid, changeDate } of rows) {
				const key = `${String(guid)} ${String(changeDate)}`;
				if (!seen.has(key) && !isFirst) delays.push(now - timeOf(changeDate));
				seen.add(key);
			}
			isFirst = false;
			await sleep(WATCH_EVERY_MS);
		}
		const found =
			delays.length === 0
				? 'no change came'
				: `${delays.length} changes, at most ${Math.round(Math.max(...delays) / 1000)} s (polls are ${WATCH_EVERY_MS / 1000} s apart)`;
		this.observe('How late does a change show?', found, "the trigger's overlap of 2 minutes");
	}

	private async payment(): Promise<void> {
		this.say('Payment');
		const { customerId, password, planId } = this.client.account.payment ?? {};
		const content = { CustomerId: customerId, Password: password };
		const result = await this.client.payment('customer.authenticate', 'POST', '/authentication', content);
		if (result.status === 401 || (isRecord(result.body) && result.body['IsAuthenticated'] === false)) {
			this.results.rejected.push(
				`The payment service rejected 'Customer ID' or 'Password' (${result.status}): check both`,
			);
			this.results.unjudged.push('what needs a session: none was issued');
			return;
		}
		if (!this.hold('customer.authenticate', result, [result.body], 1)) return;
		if (!planId) {
			this.results.unjudged.push('subscription.get: no plan was named');
			return;
		}
		const token = isRecord(result.body) ? String(result.body['AuthenticationToken']) : '';
		const ways: Array<[string, Record<string, string>]> = [
			['Authorization: Bearer', { authorization: `Bearer ${token}` }],
			['Not Sent', {}],
			['Other Header (AuthenticationToken)', { authenticationtoken: token }],
		];
		const taken: string[] = [];
		let first: CallResult | undefined;
		for (const [way, headers] of ways) {
			const answer = await this.client.payment(
				'subscription.get',
				'GET',
				'/subscriptions/',
				{ Id: planId },
				headers,
			);
			if (!answer.isUsable) continue;
			taken.push(way);
			first ??= answer;
		}
		this.observe(
			"How may the token of the payment service be sent ('Send Token As')?",
			taken.length > 0 ? taken.join(', ') : 'in none of the ways tried',
			'the credential Hospitality Payment API',
		);
		if (first) this.hold('subscription.get', first, [first.body], 1);
		else this.usable('subscription.get', { status: 0, headers: {}, body: undefined, isUsable: false });
	}

	private clock(): void {
		const ahead = this.client.clockAheadMs;
		if (ahead === undefined || Math.abs(ahead) < LARGE_CLOCK_DIFFERENCE_MS) return;
		const seconds = Math.round(Math.abs(ahead) / 1000);
		this.find(
			'token.issue',
			'',
			`the service's clock is ${seconds} s ${ahead > 0 ? 'ahead of' : 'behind'} this machine's`,
			{
				concerns: 'Booking Starting Soon and Booking Ended go by the clock of n8n',
			},
		);
	}

	/** @returns the records of a list; undefined where none can be read, which is a finding */
	private async list(
		path: string,
		operation: string,
		query: Record<string, string | boolean | Array<string | number> | undefined>,
	): Promise<Row[] | undefined> {
		const result = await this.client.booking({ operation, path, query });
		if (!this.usable(operation, result)) return undefined;
		if (result.body === undefined || result.body === null) return [];
		if (!Array.isArray(result.body)) {
			this.find(operation, '', 'is not a list', { concerns: usedBy(operation) });
			return undefined;
		}
		return result.body.filter(isRecord);
	}

	private compareRows(operation: string, rows: Row[]): void {
		if (rows.length === 0) this.results.unjudged.push(`${operation}: no record came`);
		else this.hold(operation, undefined, [rows]);
	}

	/** Holds bodies against the contract. @returns whether there was a usable response */
	private hold(
		operation: string,
		result: CallResult | undefined,
		bodies: unknown[],
		fewest?: number,
	): boolean {
		if (result && !this.usable(operation, result)) return false;
		const schema = this.schemaOf(operation);
		if (!schema) return true;
		this.results.records[operation] = bodies.flat().length;
		for (const difference of this.shapes.compare(schema, bodies, fewest)) {
			this.find(operation, this.client.redact(difference.path), sentence(difference), {
				concerns: concernOf(operation, difference),
				examples: difference.examples.map((example) => this.client.redact(example)),
				weight: WEIGHTS[difference.kind] ?? 'value',
			});
		}
		const written = this.shapes.dateTimes(schema, bodies);
		this.results.dateTimes.push(...written.map((dates) => ({ operation, ...dates })));
		return true;
	}

	private usable(operation: string, { status, isUsable, body }: CallResult): boolean {
		if (isUsable) return true;
		const reason = this.client.calls.at(-1)?.unusable ?? `status ${status}`;
		const field = addressOf(operation);
		const hasResponded = this.client.calls.some(
			(one) => one.status > 0 && addressOf(one.operation) === field,
		);
		if (!hasResponded && UNREACHABLE.test(reason)) {
			this.results.rejected.push(`'${field}' could not be reached (${reason}): check the address`);
			return false;
		}
		const title =
			isRecord(body) && typeof body['title'] === 'string' ? `: ${this.client.redact(body['title'])}` : '';
		this.find(operation, '', `could not be read: ${reason}${title}`, { concerns: usedBy(operation) });
		return false;
	}

	private schemaOf(id: string): Schema | undefined {
		const responses = this.operations.find((operation) => operation.id === id)?.responses ?? {};
		const [, success] = Object.entries(responses).find(([status]) => status.startsWith('2')) ?? [];
		return success?.content?.['application/json']?.schema;
	}

	private find(
		operation: string,
		path: string,
		what: string,
		{ concerns, examples = [], weight = 'behavior' }: Pick<Finding, 'concerns'> & Partial<Finding>,
	): void {
		const isKnown = this.results.findings.some(
			(known) => known.operation === operation && known.path === path && known.what === what,
		);
		if (!isKnown) this.results.findings.push({ operation, path, what, concerns, examples, weight });
	}

	private observe(question: string, found: string, concerns: string): void {
		this.results.observations.push({ question, found, concerns });
	}
}

/** The field of the account with the address of an operation. */
function addressOf(operation: string): string {
	if (operation === 'token.issue') return 'Token URL Base';
	return ['customer.authenticate', 'subscription.get'].includes(operation) ? 'Payment URL' : 'Base URL';
}

function sentence({ kind, what, count, of }: Difference): string {
	return kind === 'missing' ? `never comes (${of} looked at)` : `${what} (${count} of ${of})`;
}

/** The period in which the bookings lie. */
function periodOf(rows: Row[]): { startTime: string; endTime: string } {
	const starts = rows.map(({ start }) => timeOf(start)).filter(Number.isFinite);
	const ends = rows.map(({ end }) => timeOf(end)).filter(Number.isFinite);
	const earliest = starts.reduce((least, time) => Math.min(least, time), Date.now());
	const latest = ends.reduce((most, time) => Math.max(most, time), Date.now());
	return {
		startTime: new Date(earliest - DAY_MS).toISOString(),
		endTime: new Date(latest + DAY_MS).toISOString(),
	};
}

/** Milliseconds since 1970 of a date-time, taken as UTC where it has no offset; NaN for none. */
function timeOf(value: unknown): number {
	if (typeof value !== 'string') return Number.NaN;
	return Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(value) ? value : `${value}Z`);
}

function isFilled(value: unknown): boolean {
	if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
	return value !== undefined && value !== null && value !== '';
}

function isRefusal(status: number): boolean {
	return status >= 400 && status < 500;
}
