import { multiOptions, narrowing, resourceLocator } from '../../../shared/operation/fields';
import { surveyLocator } from '../../../shared/booking/locators';
import type { Operation } from '../../../shared/operation/operation';
import { recipientStatuses, surveyRecipients } from '../../../shared/booking/records/surveyRecipient';
import { filters } from '../../../shared/operation/query';

/** @see contract/openapi.yaml surveyRecipient.getAll */
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
			narrowing(
				multiOptions('Status', 'status', recipientStatuses, {
					description: 'Only recipients with one of these statuses',
				}),
			),
			narrowing(resourceLocator('surveyId', 'guid', surveyLocator)),
		),
	],
	output: surveyRecipients,
};
