import { operation } from '../../../shared/operation/declare';
import { field, filters } from '../../../shared/form/rows';
import { recipientAsPerson } from '../../../shared/booking/peopleSearch';
import { recipientStatuses, surveyRecipients } from '../../../shared/booking/outputColumns';
import { listPeople, searchField } from '../fields/searchField';

/** n8n's AI builder reads no name of a number. */
const statusNames = recipientStatuses.map(({ name, value }) => `${value} is ${name}`);

export const getAll = operation('surveyRecipient.getAll', {
	name: 'Get Many',
	action: 'Get many survey recipients',
	description: 'List the people whom surveys were sent to, for one or all surveys and statuses',
	query: [
		filters(
			searchField("or a recipient's ID or reference"),
			field('Status', 'status', {
				description: 'Only recipients with one of these statuses',
				builderHint: { propertyHint: statusNames.join(', ') },
			}),
			field('Survey ID', 'surveyId', {
				description: 'Only recipients of the survey with this ID',
				as: 'guid',
			}),
		),
	],
	output: surveyRecipients,
	sendAll: async (item, request) => await listPeople(item, request, recipientAsPerson),
});
