import { operation } from '../../../shared/operation/declare';
import { field } from '../../../shared/form/rows';
import { surveyRecipientLocator } from '../../../shared/booking/locators';
import { timeAt } from '../../../shared/output/recordShape';
import { questionTitles, recipientStatusName } from '../../../shared/booking/outputColumns';

export const getWithSurvey = operation('surveyRecipient.getWithSurvey', {
	name: 'Get With Survey',
	action: 'Get survey recipient with survey',
	description:
		'Get a recipient and the content of the survey. The content is left out if the recipient has responded or is canceled.',
	pathFields: [
		field('Survey Recipient', 'id', {
			as: 'guid',
			locator: surveyRecipientLocator,
		}),
	],
	output: {
		simplified: {
			name: 'recipient.name',
			statusName: recipientStatusName('recipient.status'),
			surveyTitle: 'content.title',
			questions: questionTitles,
			respondedTime: timeAt('recipient.respondedTime'),
			sentTime: timeAt('recipient.sentTime'),
			email: 'recipient.emailAddress',
			phone: 'recipient.mobilePhone',
			surveyId: 'recipient.surveyId',
			id: 'recipient.id',
		},
	},
});
