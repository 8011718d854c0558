import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { searchCustomers } from '../shared/booking/lists';
import { getBookingStatuses } from '../shared/booking/recentNames';
import { testBookingAccess } from '../shared/auth/credentialTests';
import { properties } from './form/properties';
import { pollInN8n } from './poll/host';

/** Starts a workflow on new and changed web bookings, their starts and ends, customers and survey answers. */
export class HospitalityBookingTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Hospitality Booking Trigger',
		name: 'hospitalityBookingTrigger',
		icon: {
			light: 'file:../../icons/hospitality.svg',
			dark: 'file:../../icons/hospitality.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: '={{ $parameter["event"] }}',
		// n8n shows it for the action, too.
		description:
			'Follow and manage bookings, guests, customers, surveys and articles of a restaurant, hotel or activity center',
		defaults: { name: 'Hospitality Booking Trigger' },
		polling: true,
		builderHint: {
			searchHint:
				'Starts the workflow when bookings, customers or survey answers are new or have changed, at their start or end. Each change is emitted once, even if the workflow is published again or n8n restarts: add no node to remove duplicates. Publishing emits nothing unless Start From is set.',
		},
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'hospitalityBookingApi', required: true, testedBy: 'testBookingAccess' }],
		properties,
	};

	methods = {
		credentialTest: { testBookingAccess },
		listSearch: { searchCustomers },
		loadOptions: { getBookingStatuses },
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await pollInN8n(this);
	}
}
