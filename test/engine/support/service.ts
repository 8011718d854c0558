import type { LoggedRequest } from '../../../sandbox/control/requestLog.ts';
import { forgetAll } from '../../../nodes/shared/values/recentMap';
import {
	bookingCredential,
	type Sandbox,
	callControl,
	paymentCredential,
	startSandbox,
} from '../../../dev/sandbox.ts';
import { createEngine, type Engine } from './engine';
import type { SandboxInfo } from '../../../sandbox/info.ts';

export { bookingCredential };

/** One request as the sandbox received it. Secrets are redacted. */
export type ReceivedRequest = LoggedRequest & { headers: Record<string, string>; status: number };

/**
 * An engine with a credential of each type, that of the booking service with a token already, and a service with its seed data that has
 * received nothing yet: what it receives from here on is what the test makes the nodes send.
 */
async function readyEngine(service: Service): Promise<Engine> {
	await service.reset();
	forgetAll();
	const engine = await createEngine({
		hospitalityBookingApi: bookingCredential(service.info),
		hospitalityPaymentApi: paymentCredential(service.info),
	});
	const { error } = await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', limit: 1 },
	});
	if (error) throw new Error(`The sandbox refuses the credential: ${error.message}`);
	await service.forgetRequests();
	return engine;
}

/** A web booking, as far as tests look at it. */
export interface Booking {
	guid: string;
	start: string;
	end: string;
}

/** What the sandbox holds, as far as tests look at it. */
interface Stored {
	bookings: Array<{ rootId: number; alias?: string; web: Booking }>;
	customers: Array<{ id: number; name: string }>;
	recipients: Array<{ id: string; surveyId: string; name: string; status: number }>;
	articles: Array<{ articleId: string; name: string }>;
	subscriptions: Array<{ PlanId: string }>;
}

/** A sandbox in a process of its own, and what tests ask it. */
export class Service {
	constructor(readonly info: SandboxInfo) {}

	/** Takes back every fault, seeds the records anew and forgets the requests received. */
	async reset(): Promise<void> {
		await this.control('POST', '/reset');
	}

	async forgetRequests(): Promise<void> {
		await this.control('DELETE', '/requests');
		await this.control('DELETE', '/stats');
	}

	/** The requests received since they were last forgotten, oldest first, those for tokens left out. */
	async requests(): Promise<ReceivedRequest[]> {
		const all = await this.control<ReceivedRequest[]>('GET', '/requests');
		return all.filter(({ tokenRequest }) => !tokenRequest);
	}

	/** Calls the control interface: `control('POST', '/bookings', { count: 3 })`. */
	async control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		return await callControl<T>(this.info, method, path, body);
	}

	async stored<Kind extends keyof Stored>(kind: Kind): Promise<Stored[Kind]> {
		return await this.control<Stored[Kind]>('GET', `/state/${kind}`);
	}

	/** Makes bookings. */
	async book(count = 1, booking: object = {}): Promise<Booking[]> {
		return await this.control<Booking[]>('POST', '/bookings', { count, booking });
	}

	/** Lets a fault meet the calls of the booking API, or those that the rule names. */
	async inject(rule: object): Promise<void> {
		await this.control('POST', '/faults', { path: '/api/', ...rule });
	}

	/** Answers each call of the booking API with this body. */
	async answer(body: unknown, status = 200): Promise<void> {
		await this.inject({ fault: { kind: 'status', status, body, contentType: 'application/json' } });
	}
}

/** The sandbox of all files that a worker of jest runs: what a test changes in it, the next one resets. */
let sandbox: Promise<Sandbox> | undefined;
afterAll(async () => await (await sandbox)?.stop());

/**
 * For a test file: a sandbox with its seed data before each test, and an engine that is ready to send to it (see
 * `readyEngine`).
 */
export function useService(): { readonly service: Service; readonly engine: Engine } {
	const here = {} as { service: Service; engine: Engine };
	beforeAll(async () => {
		sandbox ??= startSandbox({ control: true });
		here.service = new Service((await sandbox).info);
	});
	beforeEach(async () => {
		here.engine = await readyEngine(here.service);
	});
	return here;
}
