import type { INodeParameters } from 'n8n-workflow';
import { operation as contractOperation } from '../../sandbox/support/contract';
import type { ExecuteOptions, Run } from './engine';
import { type Service, useService } from './service';

/** Records of the sandbox that calls are about. */
export type Records = Awaited<ReturnType<typeof readRecords>>;

/** Records of the sandbox that operations can be tried on; the booking is a new one. */
async function readRecords(service: Service) {
	const [made] = await service.book();
	const bookings = await service.stored('bookings');
	const booking = bookings.find(({ web }) => web.guid === made?.guid);
	const recipient = (await service.stored('recipients')).find(({ status }) => status === 2);
	const alias = bookings.find((each) => each.alias !== undefined)?.alias;
	if (!booking || !recipient || alias === undefined) throw new Error('The sandbox lacks a record');
	return {
		guid: booking.web.guid,
		rootId: booking.rootId,
		alias,
		surveyId: recipient.surveyId,
		recipientId: recipient.id,
		companyId: service.info.companyId,
		brandId: service.info.brandId,
		customer: {
			CustomerId: service.info.paymentCustomerId,
			Password: service.info.paymentPassword,
		},
		planId: String((await service.stored('subscriptions'))[0]?.PlanId),
		articleIds: (await service.stored('articles')).map(({ articleId }) => articleId),
	};
}

/** One call: the parameters of the form, and the query and body that must arrive. */
export interface Call {
	parameters: INodeParameters;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** What the tests of an operation share; filled in before each test. */
export interface OperationTests extends ReturnType<typeof useService> {
	/** Records of the sandbox as it was seeded. */
	records: Records;
	/** The same, with another booking. */
	readRecords(): Promise<Records>;
	/** Runs the operation with exactly these parameters. */
	run(parameters?: INodeParameters, options?: Partial<ExecuteOptions>): Promise<Run>;
}

/** A resource locator's value, as the editor keeps a record that is chosen or typed by ID. */
export const byId = (value: unknown) =>
	({ __rl: true, mode: 'id', value }) as unknown as INodeParameters;

/** A resource mapper's value, as the editor keeps one that is filled in by hand. */
export const byHand = (value: Record<string, unknown>) =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as unknown as INodeParameters;

/** Behind each output: the name of the item that an output item is linked to. */
export const linkedName = { name: "={{ $('Before').item.json.name }}" };

/**
 * For the tests of an operation.
 *
 * @param id of the operation in the contract, e.g. `webBooking.cancel`
 */
export function useOperation(id: string): OperationTests {
	const [resource = '', operation = ''] = id.split('.');
	const isPayment = contractOperation(id).service === 'pay';
	const here = useService() as OperationTests;
	here.run = async (parameters = {}, options = {}) =>
		await here.engine.execute({
			node: isPayment ? 'hospitalityPayment' : 'hospitalityBooking',
			parameters: { resource, operation, ...parameters },
			...options,
		});
	here.readRecords = async () => await readRecords(here.service);

	beforeEach(async () => {
		here.records = await here.readRecords();
		await here.service.forgetRequests();
	});

	return here;
}
