import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate, renewSession } from '../nodes/shared/auth/signing';
import { paymentAuth } from '../nodes/shared/auth/payment';
import {
	paymentDeploymentProperties,
	sessionProperty,
} from '../nodes/shared/auth/credentialFields';

/** Access to the payment and subscription service. */
export class HospitalityPaymentApi implements ICredentialType {
	name = 'hospitalityPaymentApi';

	displayName = 'Hospitality Payment API';

	icon = {
		light: 'file:../icons/hospitality-payment.svg',
		dark: 'file:../icons/hospitality-payment.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Payment URL',
			name: 'payUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://pay.example.com',
			description: 'Address of the payment service, without the path',
		},
		{
			displayName: 'Customer ID',
			name: 'customerId',
			type: 'string',
			default: '',
			required: true,
		},
		{
			displayName: 'Password',
			name: 'password',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
		},
		{
			displayName: 'Send Token As',
			name: 'carriedAs',
			type: 'options',
			options: [
				{ name: 'Authorization: Bearer', value: 'bearer' },
				{ name: 'Not Sent', value: 'none' },
				{ name: 'Other Header', value: 'header' },
			],
			default: 'bearer',
			description:
				'How the session token is sent with each call. The API does not specify it: choose another way if your deployment rejects calls.',
		},
		{
			displayName: 'Header Name',
			name: 'headerName',
			type: 'string',
			default: 'AuthenticationToken',
			displayOptions: { show: { carriedAs: ['header'] } },
			description: 'Name of the header that carries the token',
		},
		...paymentDeploymentProperties,
		sessionProperty,
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return await renewSession(paymentAuth, this, credentials);
	}

	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		authenticate(paymentAuth, credentials, requestOptions);
}
