import { type Sandbox, type SandboxOptions, startSandbox } from '../../../dev/sandbox.ts';
import { type Answer, type CallInput, ContractClient } from './client';
import { findIds, fullRequests, type Ids } from './requests';

export type Json = Record<string, unknown>;

/** What the tests of a file share: one sandbox, seeded anew before each test. */
export interface Here {
	sandbox: Sandbox;
	control: Sandbox['control'];
	client: ContractClient;
	ids: Ids;
	/** The fullest request of an operation. */
	request: (id: string) => CallInput;
	/** Makes the fullest call of an operation, but for what is given. */
	call: (id: string, own?: CallInput) => Promise<Answer>;
	/** The same. @returns the status */
	status: (id: string, own?: CallInput) => Promise<number>;
	/** The same. @returns the body of what has to be a success */
	accepted: <T = Json>(id: string, own?: CallInput) => Promise<T>;
	/** The booking that the requests are about as the sandbox holds it, with what no answer shows. */
	booking: () => Promise<{ web: Json; log: string[] }>;
}

/** A booking whose history has a status of that name. */
export const became = (statusName: string): Json => ({
	history: expect.arrayContaining([expect.objectContaining({ statusName })]) as unknown,
});

/** Starts a sandbox for the tests of a file. The fields are there once a test runs. */
export function useSandbox(options: SandboxOptions = {}): Here {
	let requests: Record<string, CallInput>;
	const here = {
		request(id) {
			const request = requests[id];
			if (!request) throw new Error(`No request for ${id}`);
			return request;
		},
		call: (id, own) => here.client.call(id, { ...here.request(id), ...own }),
		status: async (id, own) => (await here.call(id, own)).status,
		async accepted<T>(id: string, own?: CallInput) {
			const { status, body, text } = await here.call(id, own);
			if (status >= 300) throw new Error(`${id}: ${status} ${text}`);
			return body as T;
		},
		async booking() {
			const bookings = await here.control<Array<{ web: Json; log: string[] }>>(
				'GET',
				'/state/bookings',
			);
			const booking = bookings.find(({ web }) => web['guid'] === here.ids.guid);
			if (!booking) throw new Error('The booking is gone');
			return booking;
		},
	} as Here;

	beforeAll(async () => {
		here.sandbox = await startSandbox({ control: true, ...options });
		here.control = here.sandbox.control;
		here.client = new ContractClient(here.sandbox.info);
	});

	beforeEach(async () => {
		await here.control('POST', '/reset');
		here.ids = await findIds(here.sandbox);
		requests = fullRequests(here.client, here.ids);
		await here.client.fetchToken();
	});

	afterAll(() => here.sandbox.stop());

	return here;
}
