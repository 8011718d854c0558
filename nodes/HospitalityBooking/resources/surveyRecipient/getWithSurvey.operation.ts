import { surveyRecipientInPath } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { recipientWithSurvey } from '../../../shared/booking/records/surveyRecipient';

/** @see contract/openapi.yaml surveyRecipient.getWithSurvey */
export const getWithSurvey: Operation = {
	value: 'getWithSurvey',
	name: 'Get With Survey',
	action: 'Get survey recipient with survey',
	description:
		'Get one recipient together with the content of the survey. The content is left out when the recipient has responded or is canceled.',
	method: 'GET',
	path: '/api/booking/v1/Survey/Recipients/{id}/WithSurvey',
	pathFields: [surveyRecipientInPath],
	takesSystem: false,
	output: recipientWithSurvey,
};
