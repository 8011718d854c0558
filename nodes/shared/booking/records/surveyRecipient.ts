import type { IDataObject } from 'n8n-workflow';

import { type OutputShape, valueAt } from '../recordShape';
import { questionTitles } from './survey';

/** @see contract/openapi.yaml SurveyRecipientStatus */
export const recipientStatuses = [
	{ name: 'Canceled', value: 5 },
	{ name: 'Deleted', value: 6 },
	{ name: 'Error', value: 999 },
	{ name: 'Opened', value: 3 },
	{ name: 'Responded', value: 4 },
	{ name: 'Scheduled', value: 1 },
	{ name: 'Sent', value: 2 },
	{ name: 'Template', value: 0 },
];

/**
 * Survey recipients as items.
 *
 * @see contract/openapi.yaml SurveyRecipient
 */
export const surveyRecipients: OutputShape = {
	kind: 'list',
	schema: 'SurveyRecipient',
	simplified: {
		name: 'name',
		status: (recipient) => statusName(recipient, 'status'),
		respondedTime: 'respondedTime',
		openedTime: 'openedTime',
		sentTime: 'sentTime',
		emailAddress: 'emailAddress',
		mobilePhone: 'mobilePhone',
		ref: 'ref',
		surveyId: 'surveyId',
		id: 'id',
	},
};

/**
 * A survey recipient with the content of the survey.
 *
 * @see contract/openapi.yaml RecipientWithSurvey
 */
export const recipientWithSurvey: OutputShape = {
	kind: 'record',
	schema: 'RecipientWithSurvey',
	simplified: {
		name: 'recipient.name',
		status: (answer) => statusName(answer, 'recipient.status'),
		surveyTitle: 'content.title',
		questions: (answer) => questionTitles(answer, 'content'),
		respondedTime: 'recipient.respondedTime',
		sentTime: 'recipient.sentTime',
		emailAddress: 'recipient.emailAddress',
		mobilePhone: 'recipient.mobilePhone',
		surveyId: 'recipient.surveyId',
		id: 'recipient.id',
	},
};

/** @returns the status by its name; a value without a name as it is */
function statusName(record: IDataObject, at: string): unknown {
	const status = valueAt(record, at);
	return recipientStatuses.find(({ value }) => value === status)?.name ?? status;
}
