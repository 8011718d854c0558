import { eventually, useGallery } from './support';

const TABLE = 'Hospitality Survey Answers';
const SENT = 2;
const RESPONDED = 4;

interface Recipient {
	id: string;
	name: string;
	status: number;
	replaceParams: Record<string, string>;
}

describe('workflows/survey-answers-and-alert.json', () => {
	const gallery = useGallery(TABLE);

	it('makes each answer a row, and alerts for a low score only', async () => {
		await gallery.publish('survey-answers-and-alert');
		const recipients = await gallery.control<Recipient[]>('GET', '/state/recipients');
		const answer = async (index: number, status: number, score?: string) => {
			const recipient = recipients.filter((one) => one.status === status)[index];
			if (!recipient) throw new Error(`The sandbox has no recipient of status ${status}.`);
			const replaceParams = { ...recipient.replaceParams, ...(score === undefined ? {} : { score }) };
			await gallery.control('PATCH', `/recipients/${recipient.id}`, { replaceParams, status: RESPONDED });
			return recipient;
		};
		const pleased = await answer(0, SENT, '5');
		const angry = await answer(1, SENT, '2');
		const silent = await answer(0, 3);
		const [mail] = await gallery.mails(/^Score /);
		const rowOf = async ({ id }: Recipient) =>
			(await gallery.rows(TABLE, ({ recipientId }) => recipientId === id))[0];

		expect(await rowOf(pleased)).toMatchObject({ name: pleased.name, score: 5 });
		expect(await rowOf(angry)).toMatchObject({ score: 2 });
		expect(await rowOf(silent)).toMatchObject({ score: null });

		const answerIds = (await gallery.rows(TABLE, () => true)).map(({ answerId }) => answerId);
		expect(answerIds).toHaveLength(3);
		expect(new Set(answerIds).size).toBe(3);
		expect(mail?.subject).toBe(`Score 2 from ${angry.name}`);
		expect(await gallery.mails(/^Score /)).toHaveLength(1);
	});

	it('writes an answer that comes out again, as after a crash of n8n, into its own row', async () => {
		const before = await gallery.rows(TABLE, () => true);
		const { workflow } = await gallery.publish('survey-answers-and-alert');
		await gallery.client.deactivate(workflow);
		const all = await gallery.control<Recipient[]>('GET', '/state/recipients');
		const responded = all.filter(({ status }) => status === RESPONDED);
		const again = await gallery.publish('survey-answers-and-alert', {
			'A survey is answered': { options: { eventDetails: true, startFrom: '2020-01-01T00:00:00Z' } },
		});
		const after = await eventually('The row of every answer', async () => {
			const rows = await gallery.rows(TABLE, () => true);
			return rows.length >= responded.length ? rows : undefined;
		});
		await gallery.client.deactivate(again.workflow);

		expect(after).toHaveLength(responded.length);
		expect(after.filter(({ answerId }) => before.some((row) => row.answerId === answerId))).toHaveLength(
			before.length,
		);
	});
});
