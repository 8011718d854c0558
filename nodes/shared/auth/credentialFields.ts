import type { INodeProperties } from 'n8n-workflow';

import { DEFAULT_LANGUAGE, LANGUAGES } from '../values/language';

/** The zone of all dates and times of an account. Other names of a zone, such as `US/Eastern`, are valid in an expression. */
export const timeZoneField: INodeProperties = {
	displayName: 'Time Zone',
	name: 'timeZone',
	type: 'options',
	options: ['UTC', ...Intl.supportedValuesOf('timeZone')].map((name) => ({ name, value: name })),
	default: '',
	required: true,
	description:
		'Where your house is. Dates and times without an offset are read in this zone, and all times are shown in it.',
};

/** The language of all texts of times of an account. Other tags, such as `de-AT`, are valid in an expression. */
export const languageField: INodeProperties = {
	displayName: 'Language',
	name: 'language',
	type: 'options',
	options: LANGUAGES,
	default: DEFAULT_LANGUAGE,
	description:
		'The language of your house. Dates and times are written in it where they are a text to read, with the weekday.',
};

/**
 * The meaning of web booking statuses, which the API does not specify: a row for each *role* that a status can have. What a booking
 * with a status of a role is called, and what it is without one, stands in `booking/states.ts`.
 *
 * An event for another meaning, e.g. *checked in*, needs a row here, its state there and a row in the trigger's `events/events.ts`.
 * A credential that was saved before lacks the new field, so `booking/states.ts` must not need it.
 */
export const ROLE_FIELDS = {
	canceled: {
		displayName: 'Canceled Statuses',
		name: 'canceledStatuses',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 5, or the name as your bookings spell it',
		description:
			"Statuses that mean a web booking was canceled: numbers or names, separated by commas. The API does not specify what its statuses mean, so the 'State' of a booking is derived from these three fields. Enter the word none if your service has no such status.",
	},
	noShow: {
		displayName: 'No-Show Statuses',
		name: 'noShowStatuses',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 8, or the name as your bookings spell it',
		description:
			'Statuses that mean the guests did not come: numbers or names, separated by commas, or the word none',
	},
	finished: {
		displayName: 'Finished Statuses',
		name: 'finishedStatuses',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 4, or the name as your bookings spell it',
		description:
			'Statuses that mean the visit is over: numbers or names, separated by commas, or the word none',
	},
} satisfies Record<string, INodeProperties>;

export const unitFilterName = filterNameField(
	'Unit Filter Name',
	'unitFilterName',
	'unitIds',
	'units',
);
export const articleCategoryFilterName = filterNameField(
	'Article Category Filter Name',
	'articleCategoryFilterName',
	'articleCategoryIds',
	'article categories',
);
export const extraHeaders: INodeProperties = {
	displayName: 'Extra Headers',
	name: 'extraHeaders',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Header',
	default: {},
	description: 'Each header to send with every call in addition to the documented ones',
	options: [
		{
			displayName: 'Header',
			name: 'entry',
			values: [
				{
					displayName: 'Name',
					name: 'name',
					type: 'string',
					default: '',
					placeholder: 'e.g. X-Request-Source',
					description: 'Name of the header',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					typeOptions: { password: true },
					default: '',
					description: 'Value of the header',
				},
			],
		},
	],
};
const allowUnauthorizedCerts: INodeProperties = {
	displayName: 'Ignore SSL Issues (Insecure)',
	name: 'allowUnauthorizedCerts',
	type: 'boolean',
	default: false,
	description: 'Whether to connect even if SSL certificate validation is not possible',
};

/** The fields of `hospitalityBookingApi` for what is particular to a deployment. */
export const bookingDeploymentProperties: INodeProperties[] = [
	...Object.values(ROLE_FIELDS),
	unitFilterName,
	articleCategoryFilterName,
	extraHeaders,
	allowUnauthorizedCerts,
];

/** The same for `hospitalityPaymentApi`. */
export const paymentDeploymentProperties: INodeProperties[] = [
	extraHeaders,
	allowUnauthorizedCerts,
];

/**
 * A hidden field of both credentials that is always empty: so n8n calls `preAuthentication` before each call of its own nodes,
 * such as HTTP Request.
 */
export const sessionProperty: INodeProperties = {
	displayName: 'Session State',
	name: 'sessionState',
	type: 'hidden',
	typeOptions: { expirable: true },
	default: '',
};

function filterNameField(
	displayName: string,
	name: string,
	standard: string,
	what: string,
): INodeProperties {
	return {
		displayName,
		name,
		type: 'string',
		default: standard,
		description: `Name of the query parameter that filters web bookings by ${what}. The API does not specify it.`,
	};
}
