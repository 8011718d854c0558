import { operation } from '../../../shared/operation/contractFields';
import { surveyRecipientInPath } from '../../../shared/booking/locators';
import { recipientWithSurvey } from '../../../shared/booking/records/surveyRecipient';

export const getWithSurvey = operation('surveyRecipient.getWithSurvey', {
	name: 'Get With Survey',
	action: 'Get survey recipient with survey',
	description:
		'Get one recipient together with the content of the survey. The content is left out when the recipient has responded or is canceled.',
	pathFields: [surveyRecipientInPath],
	output: recipientWithSurvey,
});
