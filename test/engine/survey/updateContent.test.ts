import type { INodeParameters } from 'n8n-workflow';
import { useOperation } from '../support/operation';

const here = useOperation('survey.updateContent');

async function sent(parameters: INodeParameters): Promise<unknown> {
	const { surveyId } = here.records;
	const items = [{ title: 'How was it, [[name]]?', survey: written }];
	const { error } = await here.run({ surveyId, ...parameters }, { items });
	expect(error).toBeUndefined();
	return (await here.service.requests())[0]?.body;
}

/** A survey whose every text but `ref` holds this. */
function survey(text: string) {
	const question = { id: 1, ref: 'q1', title: text, description: text, required: true, questionType: 2 };
	const questionScale = { min: 1, max: 5, minLabel: text, maxLabel: text };
	const sections = [{ title: text, description: text, questions: [{ ...question, questionScale }] }];
	return {
		title: text,
		description: text,
		confirmationText: text,
		pages: [{ title: text, description: text, sections }],
	};
}

const written = survey('How was it, [[name]]? [[ place_2 ]]');
const wanted = survey('How was it, {{name}}? {{place_2}}');

test('placeholders typed by hand arrive as the service writes them, in every text', async () => {
	const { pages, title, ...additionalFields } = written;
	const fields = { title, pages: JSON.stringify(pages), additionalFields };

	expect(await sent(fields as unknown as INodeParameters)).toEqual(wanted);
});

test('placeholders from an expression and beside one arrive', async () => {
	expect(
		await sent({
			title: '={{ $json.title }}',
			pages: '[]',
			additionalFields: { description: '=Dear [[name]], {{ 1 + 1 }} questions' },
		}),
	).toEqual({
		title: 'How was it, {{name}}?',
		description: 'Dear {{name}}, 2 questions',
		pages: [],
	});
});

test.each([
	['typed by hand', JSON.stringify(written)],
	['in Expression mode', `=${JSON.stringify(written)}`],
	['as an object', '={{ $json.survey }}'],
	['in the notation of the service, not in Expression mode', JSON.stringify(wanted)],
])('placeholders in JSON %s arrive', async (_, jsonBody) => {
	expect(await sent({ bodyMode: 'json', jsonBody })).toEqual(wanted);
});

test('square brackets that are no placeholder stay as they are', async () => {
	const title = '[[two words]] [name] [[]] [[a]b]]';

	expect(await sent({ title, pages: '[]' })).toEqual({ title, pages: [] });
});
