import { field, operation } from '../../../shared/operation/contractFields';
import { surveyLocator } from '../../../shared/booking/locators';
import { recipientStatuses, surveyRecipients } from '../../../shared/booking/records/surveyRecipient';
import { filters } from '../../../shared/operation/query';

export const getAll = operation('surveyRecipient.getAll', {
	name: 'Get Many',
	action: 'Get many survey recipients',
	description:
		'List the people that surveys were sent to, of all surveys or of one, in all statuses or in some',
	query: [
		filters(
			field('Status', 'status', {
				names: recipientStatuses,
				description: 'Only recipients with one of these statuses',
				narrows: true,
			}),
			field(surveyLocator.displayName, 'surveyId', { as: 'guid', locator: surveyLocator, narrows: true }),
		),
	],
	narrowedBy: "'Survey' or 'Status'",
	output: surveyRecipients,
});
