import { Readable } from 'node:stream';
import type { IPollFunctions } from 'n8n-workflow';

import { pollInN8n } from '../../../nodes/HospitalityBookingTrigger/poll/host';
import { type PollMemory, noteMode } from '../../../nodes/HospitalityBookingTrigger/poll/modes';
import { MINUTE, NOW } from './support';

const contextOf = (activationMode: string) =>
	({ getMode: () => 'trigger', getActivationMode: () => activationMode }) as IPollFunctions;

describe('how n8n makes a poll', () => {
	it('is told of its scheduler by a new context for each poll, however many it makes', () => {
		const memory: PollMemory = {};

		const modes = ['activate', 'update', 'update', 'update'].map((activationMode) =>
			noteMode(contextOf(activationMode), memory),
		);

		expect(modes).toEqual(['publication', 'scheduler', 'scheduler', 'scheduler']);
	});

	it('is told of its timers by the context of the publication, and a new one is a publication then', () => {
		const memory: PollMemory = {};
		const context = contextOf('activate');

		const modes = [context, context, context, contextOf('update')].map((given) =>
			noteMode(given, memory),
		);

		expect(modes).toEqual(['publication', 'timer', 'timer', 'publication']);
	});
});

const respond = (data: unknown) => ({
	statusCode: 200,
	headers: {},
	body: Readable.from([Buffer.from(JSON.stringify(data))]),
});

it('a second outage is told, though within an hour of the first', async () => {
	jest.useFakeTimers({ now: NOW });
	let isDown = false;
	const context = {
		getNode: () => ({ id: '1', name: 'Trigger', type: 'x', typeVersion: 1, parameters: {} }),
		getWorkflow: () => ({ id: 'outages' }),
		getMode: () => 'trigger',
		getActivationMode: () => 'activate',
		getNodeParameter: (name: string, fallback: unknown) =>
			({ event: 'bookingCreated', output: 'raw', filters: {}, options: {} })[name] ?? fallback,
		getWorkflowStaticData: () => ({}),
		getCredentials: async () =>
			await Promise.resolve({
				baseUrl: 'http://service',
				authUrl: 'http://service',
				clientId: 'id',
				clientSecret: 'secret',
				timeZone: 'UTC',
				system: 'own',
			}),
		helpers: {
			httpRequest: async () => await Promise.resolve(respond({ access_token: 'token' })),
			httpRequestWithAuthentication: {
				call: async () => {
					if (isDown) throw new Error('The certificate has expired');
					return await Promise.resolve(respond([]));
				},
			},
		},
	} as unknown as IPollFunctions;
	const told: number[] = [];
	for (let minute = 0; minute < 8; minute++) {
		isDown = [2, 3, 5, 6].includes(minute);
		await pollInN8n(context).catch(() => told.push(minute));
		jest.setSystemTime(NOW + (minute + 1) * MINUTE);
	}
	expect(told).toEqual([2, 5]);
	jest.useRealTimers();
});
