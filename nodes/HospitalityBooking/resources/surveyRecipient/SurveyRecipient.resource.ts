import type { Resource } from '../../../shared/operation/operation';
import { getAll } from './getAll.operation';
import { getWithSurvey } from './getWithSurvey.operation';

export const surveyRecipientResource: Resource = {
	value: 'surveyRecipient',
	name: 'Survey Recipient',
	description: 'People that surveys are sent to, and what became of it',
	operations: [getAll, getWithSurvey],
};
