import type { ICredentialDataDecryptedObject } from 'n8n-workflow';
import { createEngine, type Engine } from './engine';
import { startSandbox, type SandboxInfo, type StartedSandbox } from '../../support/sandbox';

/** One request as the sandbox received it. Secrets are masked. */
export interface ReceivedRequest {
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, string | string[]>;
	rawUrl: string;
	headers: Record<string, string>;
	body: unknown;
	status: number;
	/** Whether it asked for an access token. */
	tokenRequest: boolean;
}

/** What the sandbox counted since the last reset. */
export interface Stats {
	requests: number;
	tokenRequests: number;
	/** Answered with 400 or more, or cut. */
	failedCalls: number;
	maxConcurrent: number;
}

/** The data of a `hospitalityBookingApi` credential for a sandbox, as a person enters it. */
export function bookingCredential({
	baseUrl,
	authUrl,
	clientId,
	clientSecret,
	system,
}: SandboxInfo): ICredentialDataDecryptedObject {
	return { baseUrl, authUrl, clientId, clientSecret, system, timeZone: 'UTC' };
}

/**
 * An engine whose `hospitalityBookingApi` credential holds a token already, and a service with its seed data that has
 * received nothing yet: what it receives from here on is what the test makes the nodes send.
 */
export async function readyEngine(service: Service): Promise<Engine> {
	await service.reset();
	const engine = await createEngine({
		credentials: { hospitalityBookingApi: bookingCredential(service.info) },
	});
	// Resetting the service revokes the token that the package may still hold for it.
	const { error } = await engine.execute({
		node: 'hospitalityBooking',
		parameters: { resource: 'customer', operation: 'getAll', limit: 1 },
	});
	if (error) throw new Error(`The sandbox refuses the credential: ${error.message}`);
	await service.forgetRequests();
	return engine;
}

/** A sandbox in a process of its own, and what tests ask it. */
export class Service {
	readonly info: SandboxInfo;
	private readonly sandbox: StartedSandbox;

	private constructor(sandbox: StartedSandbox) {
		this.sandbox = sandbox;
		this.info = sandbox.info;
	}

	static async start(args: string[] = []): Promise<Service> {
		return new Service(await startSandbox(args));
	}

	/** Takes back every fault, seeds the records anew and forgets the requests received. */
	async reset(): Promise<void> {
		await this.sandbox.control('DELETE', '/faults');
		await this.sandbox.control('POST', '/reset');
		await this.forgetRequests();
	}

	async forgetRequests(): Promise<void> {
		await this.sandbox.control('DELETE', '/requests');
		await this.sandbox.control('DELETE', '/stats');
	}

	/** The requests received since they were last forgotten, oldest first, those for tokens left out. */
	async requests(): Promise<ReceivedRequest[]> {
		const all = await this.sandbox.control<ReceivedRequest[]>('GET', '/requests');
		return all.filter(({ tokenRequest }) => !tokenRequest);
	}

	async stats(): Promise<Stats> {
		return this.sandbox.control<Stats>('GET', '/stats');
	}

	/** Calls the control interface: `control('POST', '/bookings', { count: 3 })`. */
	async control<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		return this.sandbox.control<T>(method, path, body);
	}

	async stop(): Promise<void> {
		await this.sandbox.stop();
	}
}
