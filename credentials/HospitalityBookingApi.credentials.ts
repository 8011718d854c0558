import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialType,
	IHttpRequestHelper,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate, renewSession } from '../nodes/shared/auth/signing';
import { bookingAuth } from '../nodes/shared/auth/booking';
import {
	bookingDeploymentProperties,
	sessionProperty,
	languageField,
	timeZoneField,
} from '../nodes/shared/auth/credentialFields';

/** Access to the booking and article services with an OAuth 2.0 client credentials token. */
export class HospitalityBookingApi implements ICredentialType {
	name = 'hospitalityBookingApi';

	displayName = 'Hospitality Booking API';

	icon = {
		light: 'file:../icons/hospitality.svg',
		dark: 'file:../icons/hospitality.dark.svg',
	} as const;

	documentationUrl =
		'https://github.com/n8n-nodes-hospitality-booking/n8n-nodes-hospitality-booking#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://api.example.com',
			description:
				'Address of the booking service, without the path. A trailing /api/booking is ignored.',
		},
		{
			displayName: 'Token URL Base',
			name: 'authUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://identity.example.com',
			description: 'Address that issues access tokens, without /connect/token',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'From the integrations page of your developer account',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'From the integrations page of your developer account',
		},
		{
			displayName: 'System',
			name: 'system',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. my-restaurant',
			description:
				'Name of the system (database) to work with. A node can override it under Options.',
		},
		timeZoneField,
		languageField,
		...bookingDeploymentProperties,
		sessionProperty,
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return await renewSession(bookingAuth, this, credentials);
	}

	authenticate: IAuthenticate = async (credentials, requestOptions) =>
		authenticate(bookingAuth, credentials, requestOptions);
}
