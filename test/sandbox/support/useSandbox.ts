import { type Sandbox, startSandbox } from '../../../harness/sandbox.ts';
import { ContractClient } from './client';
import { findIds, fullRequests, type Ids } from './requests';

/** What the tests of a file share: one sandbox, seeded anew before each test. */
export interface Here {
	sandbox: Sandbox;
	client: ContractClient;
	ids: Ids;
	/** The fullest request of each operation. */
	requests: ReturnType<typeof fullRequests>;
}

/** Starts a sandbox for the tests of a file. The fields are there once a test runs. */
export function useSandbox(): Here {
	const here = {} as Here;

	beforeAll(async () => {
		here.sandbox = await startSandbox({ control: true });
		here.client = new ContractClient(here.sandbox.info);
	});

	beforeEach(async () => {
		await here.sandbox.control('POST', '/reset');
		here.ids = await findIds(here.sandbox);
		here.requests = fullRequests(here.sandbox, here.ids);
		await here.client.fetchToken();
	});

	afterAll(() => here.sandbox.stop());

	return here;
}
