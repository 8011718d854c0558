import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { testPaymentAccess } from '../shared/auth/credentialTests';
import { nodeProperties } from '../shared/operation/nodeForm';
import { executeNode } from '../shared/run/run';
import { paymentService } from './resources';

/** All operations of the payment service. */
export class HospitalityPayment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Hospitality Payment',
		name: 'hospitalityPayment',
		icon: {
			light: 'file:../../icons/hospitality-payment.svg',
			dark: 'file:../../icons/hospitality-payment.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Read and cancel subscriptions, and authenticate customers, of a hospitality payment service',
		defaults: { name: 'Hospitality Payment' },
		sensitiveOutputFields: ['AuthenticationToken'],
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Authenticates customers and reads or cancels subscriptions of the payment service. It retries by itself: add no loop, wait or retry around it.',
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'hospitalityPaymentApi', required: true, testedBy: 'testPaymentAccess' }],
		requestDefaults: {
			baseURL: '={{ $credentials.payUrl }}',
			headers: { Accept: 'application/json' },
		},
		properties: nodeProperties(paymentService),
	};

	methods = { credentialTest: { testPaymentAccess } };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await executeNode(this, paymentService);
	}
}
