import { useGallery } from './support';

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
		const recipients = (await gallery.control('GET', 'state/recipients')) as Recipient[];
		const answer = async (index: number, status: number, score?: string) => {
			const recipient = recipients.filter((one) => one.status === status)[index];
			if (!recipient) throw new Error(`The sandbox has no recipient of status ${status}.`);
			const replaceParams = { ...recipient.replaceParams, ...(score === undefined ? {} : { score }) };
			await gallery.control('PATCH', `recipients/${recipient.id}`, { replaceParams, status: RESPONDED });
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
		expect(mail?.subject).toBe(`Score 2 from ${angry.name}`);
		expect(await gallery.mails(/^Score /)).toHaveLength(1);
	});
});
