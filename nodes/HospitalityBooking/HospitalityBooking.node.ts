import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testBookingAccess } from '../shared/auth/credentialTests';
import { nodeProperties } from '../shared/operation/nodeForm';
import { outputFieldsOf } from '../shared/operation/output';
import { executeNode } from '../shared/run/run';
import {
	searchArticleGroups,
	searchCheckoutBookings,
	searchContacts,
	searchCustomers,
	searchRules,
	searchSurveyRecipients,
	searchWebBookings,
} from '../shared/booking/lists';
import { getBookingStatuses } from '../shared/booking/recentNames';
import { bookingService } from './resources';
import { getArticleFields } from './resources/article/articleFields';

/** All operations of the booking and article services. */
export class HospitalityBooking implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Hospitality Booking',
		name: 'hospitalityBooking',
		icon: {
			light: 'file:../../icons/hospitality.svg',
			dark: 'file:../../icons/hospitality.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Follow and manage bookings, guests, customers, surveys and articles of a restaurant, hotel or activity center',
		defaults: { name: 'Hospitality Booking' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Reads and changes bookings, check-outs, guests (contacts), customers, surveys, campaigns and articles. It retries, paces and limits calls by itself: add no loop, wait or retry around it.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-hospitality-booking.hospitalityBookingTrigger',
					relationHint:
						'Starts a workflow when a booking, customer or survey answer is new or changes',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'hospitalityBookingApi', required: true, testedBy: 'testBookingAccess' }],
		requestDefaults: {
			baseURL: '={{ $credentials.baseUrl }}',
			headers: { Accept: 'application/json' },
		},
		properties: nodeProperties(bookingService),
	};

	methods = {
		credentialTest: { testBookingAccess },
		listSearch: {
			searchArticleGroups,
			searchCheckoutBookings,
			searchContacts,
			searchCustomers,
			searchRules,
			searchSurveyRecipients,
			searchWebBookings,
		},
		loadOptions: { getBookingStatuses, getFields: outputFieldsOf(bookingService) },
		resourceMapping: { getArticleFields },
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeNode(this, bookingService);
	}
}
