import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { wireOperations } from './operations';
import { readRecords } from './records';
import { useSandbox } from './setUp';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';
const byId = (value: string) => ({ __rl: true, mode: 'id', value }) as unknown as INodeParameters;

const setting = useSandbox();

/** What differs from item to item, for operations that the service does not do twice on one record or in no system. */
const ownPerItem: Record<string, INodeParameters> = {
	'article.batchUpdate': {
		article: { mappingMode: 'defineBelow', value: { articleId: '={{ $json.articleId }}', name: 'New' } },
		onRejectedBatch: 'setAside',
	},
	'checkoutBooking.checkOut': { bookingRootId: '={{ $json.rootId }}' },
	'contact.connectToCustomer': { contactId: '={{ $json.contactId }}' },
	'surveyRecipient.getWithSurvey': { surveyRecipientId: byId('={{ $json.recipientId }}') },
};

/** Three items, the second of which the service refuses: its system does not exist, nor do its setting.records. */
async function threeItems(): Promise<IDataObject[]> {
	const other = await readRecords(setting.service);
	const [first, second] = setting.records.articleIds;
	const good = { system: setting.service.info.system, recipientId: setting.records.recipientId };
	return [
		{ name: 'first', ...good, articleId: first, rootId: setting.records.rootId, contactId: 11 },
		{ name: 'second', system: 'nowhere', recipientId: UNKNOWN, articleId: UNKNOWN, rootId: 1, contactId: 12 },
		{ name: 'third', ...good, articleId: second, rootId: other.rootId, contactId: 13 },
	];
}

const after = { name: "={{ $('Before').item.json.name }}" };

describe.each(wireOperations.map((entry) => ({ ...entry, id: `${entry.resource}.${entry.operation}` })))(
	'$id',
	({ id, resource, operation, smallest }) => {
		const parametersOf = (): INodeParameters => ({
			resource,
			operation,
			...smallest(setting.records).parameters,
			options: { system: '={{ $json.system }}' },
			...ownPerItem[id],
		});

		test('finds its item behind both outputs when the second of three fails', async () => {
			const run = await setting.engine.execute({
				node: 'hospitalityBooking',
				parameters: parametersOf(),
				items: await threeItems(),
				onError: 'continueErrorOutput',
				after,
			});

			expect(run.error).toBeUndefined();
			const names = run.after(0).map(({ name }) => name);
			expect([...new Set(names)]).toEqual(['first', 'third']);
			expect(run.after(1)).toEqual([{ name: 'second' }]);
			const [refused] = run.json(1);
			expect(refused).toMatchObject({ name: 'second', error: expect.stringContaining('[item 1]') });
			expect(refused?.details).toMatchObject({ status: expect.any(Number), description: expect.any(String) });
		});

		test('gives the failed item in its place when it goes on with the regular output', async () => {
			const run = await setting.engine.execute({
				node: 'hospitalityBooking',
				parameters: parametersOf(),
				items: await threeItems(),
				onError: 'continueRegularOutput',
				after,
			});

			expect(run.error).toBeUndefined();
			const names = run.after(0).map(({ name }) => name);
			expect([...new Set(names)]).toEqual(['first', 'second', 'third']);
			expect(run.json().filter(({ error }) => error !== undefined)).toHaveLength(1);
		});
	},
);
