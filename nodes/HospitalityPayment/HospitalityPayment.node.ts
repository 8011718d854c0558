import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { testPaymentAccess } from '../shared/auth/credentialTests';
import { nodeProperties, subtitleOf } from '../shared/operation/form';
import { optionsOf } from '../shared/operation/options';
import { customOperations, executeTool } from '../shared/operation/executeItems';
import { paymentService } from './resources';
import { includeTokenOption } from './resources/customer/authenticate.operation';

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
		subtitle: subtitleOf(paymentService),
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
		requestDefaults: {},
		requestOperations: { pagination: executeTool(paymentService) },
		properties: nodeProperties(paymentService, optionsOf(paymentService, [includeTokenOption])),
	};

	methods = { credentialTest: { testPaymentAccess } };

	customOperations = customOperations(paymentService);
}
