import type { Engine } from '../support/engine';
import { readyEngine, Service } from '../support/service';
import type { Records } from './operations';
import { readRecords } from './records';

/** What the tests of a file share; each test begins with a service as it was seeded. */
export interface Setting {
	service: Service;
	engine: Engine;
	/** Read again before each test. */
	records: Records;
}

/**
 * Starts a sandbox for the tests of a file and stops it after them.
 *
 * @param args of the sandbox, e.g. `--customers 130`
 * @returns filled in before each test
 */
export function useSandbox(args: string[] = []): Setting {
	const setting = {} as Setting;

	beforeAll(async () => {
		setting.service = await Service.start(args);
	});

	afterAll(async () => {
		await setting.service.stop();
	});

	beforeEach(async () => {
		setting.engine = await readyEngine(setting.service);
		setting.records = await readRecords(setting.service);
		await setting.service.forgetRequests();
	});

	return setting;
}
