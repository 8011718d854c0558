import { type INodeType, type INodeTypeDescription, NodeConnectionTypes } from 'n8n-workflow';

import { testPaymentAccess } from '../shared/auth/credentialTests';
import { nodeProperties, subtitleOf } from '../shared/operation/form';
import { extraRequestOptions, paceOptions, unknownFieldsOptionOf } from '../shared/operation/options';
import { customOperations, executeTool } from '../shared/operation/executeItems';
import { paymentService } from './resources';
import { authenticateOptions } from './resources/customer/authenticate.options';

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
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'hospitalityPaymentApi', required: true, testedBy: 'testPaymentAccess' }],
		requestDefaults: {},
		requestOperations: { pagination: executeTool(paymentService) },
		properties: nodeProperties(paymentService, [
			{
				displayName: 'Options',
				name: 'options',
				type: 'collection',
				placeholder: 'Add Option',
				default: {},
				options: [
					unknownFieldsOptionOf(paymentService),
					...paceOptions,
					...extraRequestOptions,
					...authenticateOptions,
				],
			},
		]),
	};

	methods = { credentialTest: { testPaymentAccess } };

	customOperations = customOperations(paymentService);
}
