import type { Faker } from '@faker-js/faker';
import { RECIPIENT_STATUS } from '../state/codes.ts';
import type { Survey, SurveyRecipient } from '../state/records.ts';
import type { State } from '../state/state.ts';
import { sample } from './byContract.ts';
import { minutesFrom } from '../state/clock.ts';
import type { Words } from './words.ts';

type SurveyWords = Words['survey'];

/** Two questions: for a score from 1 to 5, and for words. */
function content(title: string, { thanks, score, better }: SurveyWords): Record<string, unknown> {
	const page = { title, description: score };
	const scale = { min: 1, max: 5, minLabel: '1', maxLabel: '5' };
	const text = { multiLine: true };
	const questions = [
		{
			...page,
			id: 1,
			ref: 'score',
			title: score,
			required: true,
			questionType: 2,
			questionScale: scale,
		},
		{
			...page,
			id: 2,
			ref: 'words',
			title: better,
			required: false,
			questionType: 1,
			questionText: text,
		},
	];
	return {
		title,
		description: score,
		confirmationText: thanks,
		pages: [{ ...page, sections: [{ ...page, questions }] }],
	};
}

/** Two survey templates, and recipients of each in every status. */
export function seedSurveys(faker: Faker, state: State, now: number): void {
	const words = state.words.survey;
	const contacts = [...state.records.contacts.all()];
	for (const title of words.titles) {
		const id = faker.string.uuid();
		state.records.surveys.put({
			...sample<Survey>('Survey'),
			id,
			revision: 1,
			createdTime: minutesFrom(now, -60 * 24 * 60),
			changedTime: minutesFrom(now, -30 * 24 * 60),
			content: content(title, words),
		});
		for (const status of Object.values(RECIPIENT_STATUS)) {
			const visit = now - faker.number.int({ min: 2, max: 20 }) * 86_400_000;
			state.records.recipients.put(
				recipient(faker, id, status, visit, faker.helpers.arrayElement(contacts)),
			);
		}
	}
}

function recipient(
	faker: Faker,
	surveyId: string,
	status: number,
	visit: number,
	contact: { fname: string; lname: string; email: string; mobile: string },
): SurveyRecipient {
	const name = `${contact.fname} ${contact.lname}`;
	const after = (minutes: number) => minutesFrom(visit, minutes);
	const sent = status >= RECIPIENT_STATUS.sent;
	const opened = status === RECIPIENT_STATUS.opened || status === RECIPIENT_STATUS.responded;
	const responded = status === RECIPIENT_STATUS.responded;
	return {
		id: faker.string.uuid(),
		surveyId,
		rev: 1,
		ref: faker.string.alphanumeric({ length: 8, casing: 'upper' }),
		name,
		emailAddress: contact.email,
		mobilePhone: contact.mobile,
		callbackUri: responded ? 'https://callbacks.example/surveys' : '',
		referenceTime: after(0),
		sendTime: after(120),
		remindTime: after(3 * 1440),
		...(sent ? { sentTime: after(121) } : {}),
		...(opened ? { openedTime: after(200), remindedTime: after(3 * 1440) } : {}),
		...(responded ? { respondedTime: after(210), callbackCalledTime: after(211) } : {}),
		invitationMethod: 0,
		callbackCallCount: responded ? 1 : 0,
		callbackCallSuccess: responded,
		status,
		replaceParams: { name },
	};
}
