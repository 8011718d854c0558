import { chosen, namedList } from '../../../shared/fields';
import { surveyLocator } from '../../../shared/locators';
import type { Operation } from '../../../shared/operation';
import { recipientStatuses, surveyRecipients } from '../../../shared/records/surveyRecipient';
import { filters } from '../../../shared/query';

/** First document, 'List all recipients'. */
export const getAll: Operation = {
	value: 'getAll',
	name: 'Get Many',
	action: 'Get many survey recipients',
	description:
		'List the people that surveys were sent to, of all surveys or of one, in all statuses or in some',
	method: 'GET',
	path: '/api/booking/v1/Survey/Recipients',
	query: [
		filters(
			namedList('Status', 'status', recipientStatuses, {
				description: 'Only recipients with one of these statuses',
			}),
			chosen('surveyId', 'guid', surveyLocator),
		),
	],
	output: surveyRecipients,
};
