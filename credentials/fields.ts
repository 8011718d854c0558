import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_LARGEST_MB, MOST_MB } from '../nodes/shared/http/response';

const shownWhenAdvanced = { show: { advanced: [true] } };

const advanced: INodeProperties = {
	displayName: 'Advanced Settings',
	name: 'advanced',
	type: 'boolean',
	default: false,
	description:
		'Whether to use settings for a deployment that differs from the API documentation or is reached through a proxy. While this is off, none of them applies.',
};

/** The meaning of web booking statuses, which the API does not specify. */
export const ROLE_FIELDS = {
	canceled: {
		displayName: 'Canceled Statuses',
		name: 'canceledStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 5, Canceled',
		description:
			"Statuses that mean a web booking was canceled: numbers or names, separated by commas. The API does not specify what its statuses mean, so the 'State' of a booking is derived from these three fields. Enter the word none if your service has no such status.",
	},
	noShow: {
		displayName: 'No-Show Statuses',
		name: 'noShowStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 8, No-show',
		description:
			'Statuses that mean the guests did not come: numbers or names, separated by commas, or the word none',
	},
	finished: {
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 4, Checked out',
		description:
			'Statuses that mean the visit is over: numbers or names, separated by commas, or the word none',
	},
} satisfies Record<string, INodeProperties>;

export const unitFilterName = filterNameField('Unit Filter Name', 'unitFilterName', 'unitIds', 'units');
export const articleCategoryFilterName = filterNameField(
	'Article Category Filter Name',
	'articleCategoryFilterName',
	'articleCategoryIds',
	'article categories',
);
export const daysPerCall: INodeProperties = {
	displayName: 'Days per Call',
	name: 'daysPerCall',
	type: 'number',
	typeOptions: { minValue: 1, numberPrecision: 0 },
	default: 31,
	displayOptions: shownWhenAdvanced,
	description: 'Web bookings of a longer period are fetched in slices of this many days, one call each',
};
export const extraHeaders = pairs('Extra Headers', 'extraHeaders', 'Header', 'e.g. X-Request-Source');
export const extraQueryParameters = pairs(
	'Extra Query Parameters',
	'extraQueryParameters',
	'Query Parameter',
	'e.g. lang',
);
export const largestResponse: INodeProperties = {
	displayName: 'Largest Response (MB)',
	name: 'largestResponse',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: MOST_MB },
	default: DEFAULT_LARGEST_MB,
	displayOptions: shownWhenAdvanced,
	description: `Maximum size of one response in megabytes (1 to ${MOST_MB}). Reading it takes several times as much memory.`,
};
const proxy: INodeProperties = {
	displayName: 'Proxy',
	name: 'proxy',
	type: 'string',
	default: '',
	placeholder: 'e.g. http://proxy.example.com:3128',
	displayOptions: shownWhenAdvanced,
	description:
		"HTTP proxy for all calls of this account, including the one that sends the secret. If left empty, n8n's own proxy settings apply.",
};
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	displayOptions: shownWhenAdvanced,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

/** Fields of both credentials, last on the form. */
const ofEveryService = [
	extraHeaders,
	extraQueryParameters,
	largestResponse,
	proxy,
	allowUnauthorizedCerts,
] as const;

/** The fields of `hospitalityBookingApi` for what is particular to a deployment. */
export const bookingDeploymentProperties: INodeProperties[] = [
	...Object.values(ROLE_FIELDS),
	advanced,
	unitFilterName,
	articleCategoryFilterName,
	daysPerCall,
	...ofEveryService,
];

/** The same for `hospitalityPaymentApi`. */
export const paymentDeploymentProperties: INodeProperties[] = [advanced, ...ofEveryService];

/**
 * Hidden fields of both credentials: the token that n8n's own nodes use, such as HTTP Request, and its account. The editor
 * saves them unchanged with a changed account, so a token is only valid together with its account.
 */
export const sessionProperties: INodeProperties[] = [
	{
		displayName: 'Session State',
		name: 'sessionState',
		type: 'hidden',
		typeOptions: { expirable: true },
		default: '',
	},
	hiddenSecret('Access Token', 'accessToken'),
	hiddenSecret('Issued For', 'issuedFor'),
	{ displayName: 'Expires At', name: 'expiresAt', type: 'hidden', default: '' },
];

function filterNameField(displayName: string, name: string, standard: string, what: string): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: standard,
		displayOptions: shownWhenAdvanced,
		description: `Name of the query parameter that filters web bookings by ${what}. The API does not specify it.`,
	};
}

/** Names with values, as rows that can be added. */
function pairs(displayName: string, name: string, entry: string, placeholder: string): INodeProperties {
	const what = entry.toLowerCase();
	return {
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${entry}`,
		default: {},
		displayOptions: shownWhenAdvanced,
		description: `Each ${what} to send with every call in addition to the documented ones`,
		options: [
			{
				displayName: entry,
				name: 'entry',
				values: [
					{
						displayName: 'Name',
						name: 'name',
						type: 'string',
						default: '',
						placeholder,
						description: `Name of the ${what}`,
					},
					{
						displayName: 'Value',
						name: 'value',
						type: 'string',
						typeOptions: { password: true },
						default: '',
						description: `Value of the ${what}`,
					},
				],
			},
		],
	};
}

function hiddenSecret(displayName: string, name: string): INodeProperties {
	return { displayName, name, type: 'hidden', typeOptions: { password: true }, default: '' };
}
