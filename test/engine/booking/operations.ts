import type { INodeParameters } from 'n8n-workflow';
import { fullBody } from './fullBody';

/** Records of the sandbox that the calls are about. */
export interface Records {
	guid: string;
	rootId: number;
	tableIds: number[];
	alias: string;
	surveyId: string;
	recipientId: string;
	companyId: string;
	brandId: string;
	articleIds: string[];
}

/** One call: the parameters of the form, and what has to arrive. */
export interface WireCase {
	parameters: INodeParameters;
	query?: Record<string, unknown>;
	body?: unknown;
}

/** An operation with what is needed to fill in its form. */
export interface WireOperation {
	resource: string;
	operation: string;
	method: string;
	path: (records: Records) => string;
	/** False where the documents list no `system` header. */
	takesSystem?: false;
	smallest: (records: Records) => WireCase;
	fullest: (records: Records) => WireCase;
}

const BOOKING = '/api/booking/v1';

/** By ID, as the editor keeps a record that is chosen or typed. */
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as unknown as INodeParameters;

/** Where the values of a body stand on the form: the open parameters under '', those of a collection under its name. */
type Layout = Record<string, readonly string[]>;

const under = (parent: string, names: string) => names.split(' ').map((name) => `${parent}.${name}`);

/** `contact.fname` is the parameter `contactFname`. */
const parameterOf = (place: string) => place.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());

function valueAt(body: unknown, place: string): unknown {
	return place.split('.').reduce<unknown>((value, step) => (value as Record<string, unknown>)[step], body);
}

/** A value as a person fills it in: lists with commas, lists of objects as rows, maps as rows of name and value. */
function filledIn(value: unknown, asJson: boolean): unknown {
	if (asJson) return JSON.stringify(value);
	if (Array.isArray(value)) {
		if (value.every((entry) => typeof entry !== 'object')) return value.join(', ');
		const rows = value.map((row: Record<string, unknown>) =>
			Object.fromEntries(Object.entries(row).map(([name, own]) => [name, filledIn(own, false)])),
		);
		return { entry: rows };
	}
	if (typeof value !== 'object' || value === null) return value;
	return { entry: Object.entries(value).map(([name, own]) => ({ name, value: own as unknown })) };
}

/**
 * The form of a full body.
 *
 * @param json the places that are one JSON parameter
 * @param locators the places that are chosen from a list
 */
function fromFields(
	body: Record<string, unknown>,
	layout: Layout,
	{ json = [], locators = {} }: { json?: readonly string[]; locators?: Record<string, string> } = {},
): INodeParameters {
	const parameters: Record<string, unknown> = { bodyMode: 'fields' };
	for (const [collection, places] of Object.entries(layout)) {
		const values: Record<string, unknown> = collection === '' ? parameters : {};
		for (const place of places) {
			const value = filledIn(valueAt(body, place), json.includes(place));
			const chosen = locators[place];
			values[chosen ?? parameterOf(place)] = chosen ? byId(value) : value;
		}
		if (collection !== '') parameters[collection] = values;
	}
	return parameters as INodeParameters;
}

const EMBEDDED_CONTACT =
	'returning id fname lname phone mobile fax email streetaddress zipcode city newsletter lastGrab allowStoringForever deliveryInfo';
const EMBEDDED_CUSTOMER =
	'id name streetaddress zipcode city orgNr phone fax email information customerNumber accountManager webpage lastChangedUtc lastChangedBy agreementLevel';
const INVOICE_ADDRESS =
	'invoiceStreetaddress invoiceZipCode invoiceCity invoiceCode1 invoiceCode2 invoiceCode3';
const FULL_CUSTOMER = `${EMBEDDED_CUSTOMER} ${INVOICE_ADDRESS} hidden ediNumber marking invoicingPaymentTerms invoicingFee binaryFlags`;
const FULL_CONTACT =
	'guestIdentifier fname lname title phone mobile fax email streetaddress zipcode city information lastUsed hidden allowStoringForever newsletter isAnonymized returning id tempId filterData fullname lastChangedUtc lastChangedBy binaryFlags contactFilterData';
const CONTACT_INVOICING =
	'customerId customerName orgNr customerCustomerNumber invoiceReference customerNumber invoicingPaymentTerms invoicingFee agreementLevel';
const MESSAGES = [
	'logMessage',
	'disableAllConfirmationMessages',
	'disableEmailConfirmationMessage',
	'disableSmsConfirmationMessage',
];

/** An update by ID: the form asks for the ID under `idParameter`. */
function updateOf(
	resource: string,
	{ path, idParameter, id, fixed, layout, json, query = {} }: UpdateById,
): WireOperation {
	const body = fullBody(`${resource}.update`, fixed);
	return {
		resource,
		operation: 'update',
		method: 'PUT',
		path: () => `${BOOKING}/${path}/${id}`,
		smallest: () => ({ parameters: { [idParameter]: id }, body: {} }),
		fullest: () => ({
			parameters: { [idParameter]: id, ...fromFields(body, layout, { json }), ...query.parameters },
			body,
			query: query.sent,
		}),
	};
}

interface UpdateById {
	path: string;
	idParameter: string;
	id: string;
	fixed: Record<string, unknown>;
	layout: Layout;
	json?: readonly string[];
	query?: { parameters?: INodeParameters; sent?: Record<string, unknown> };
}

const WIRE_ARTICLE =
	'articleId name description customerFacingName customerFacingDescription prices.regular.inclVat prices.regular.exclVat prices.takeAway.inclVat prices.takeAway.exclVat prices.conference.inclVat prices.conference.exclVat attributes.colorHexValue attributes.allowDiscount attributes.allowPriceOverride attributes.keepStockBalance attributes.isLoyaltyContributing attributes.nonSale attributes.salesUnit attributes.ageRestriction attributes.resetColor attributes.resetAllowDiscount attributes.resetAllowPriceOverride attributes.resetSalesUnit attributes.resetKeepStockBalance attributes.resetIsLoyaltyContributing attributes.resetAgeRestriction attributes.resetNonSale';

/** All operations of the node, as the two documents describe their calls. */
export const wireOperations: WireOperation[] = [
	{
		resource: 'article',
		operation: 'batchUpdate',
		method: 'POST',
		path: ({ companyId, brandId }) => `/api/am/v1/articles/${companyId}/${brandId}/batch-update`,
		takesSystem: false,
		smallest: ({ companyId, brandId, articleIds: [articleId] }) => ({
			parameters: {
				companyId,
				brandId,
				article: { mappingMode: 'defineBelow', value: { articleId: String(articleId) } } as INodeParameters,
			},
			body: { items: [{ articleId }] },
		}),
		fullest: ({ companyId, brandId, articleIds: [articleId] }) => {
			const body = fullBody('article.batchUpdate', { 'items[0].articleId': articleId });
			const [article] = body.items as unknown[];
			const value = Object.fromEntries(
				WIRE_ARTICLE.split(' ').map((place) => [parameterOf(place), valueAt(article, place)]),
			) as INodeParameters;
			return {
				parameters: { companyId, brandId, article: { mappingMode: 'defineBelow', value } },
				body,
			};
		},
	},
	updateOf('articleGroup', {
		path: 'articlegroups',
		idParameter: 'articleGroupId',
		id: '100',
		fixed: { id: 100 },
		layout: {
			updateFields: [
				...'name color centralKey sortOrder colorIndex hidden isRestaurants onePerGuest'.split(' '),
				...'notRelevantForCheckout id type changeDate'.split(' '),
			],
			accounts: 'accountVat25 accountVat12 accountVat06 accountVat00 accountCostOfGoods accountNumber'.split(
				' ',
			),
		},
	}),
	updateOf('campaign', {
		path: 'Campaign',
		idParameter: 'campaignId',
		id: 'campaign-1',
		fixed: { campaignId: 'campaign-1' },
		layout: {
			updateFields: 'name displayName description campaignId startDate endDate id status'.split(' '),
			rules: [
				'requirements',
				'benefits',
				'maxNumberOfOutcomes',
				'availableTiers',
				'availableRewards',
				'availableVouchers',
			],
			marketing: [
				'imageMap',
				'uploadImages',
				...under('marketing', 'enabled imageMap uploadImages sortOrder'),
			],
		},
		json: ['requirements', 'uploadImages', 'marketing.uploadImages'],
		query: { parameters: { queryFields: { _: 1_700_000_000_000 } }, sent: { _: '1700000000000' } },
	}),
	{
		resource: 'checkoutBooking',
		operation: 'checkIn',
		method: 'PUT',
		path: ({ rootId }) => `${BOOKING}/booking/checkout/bookings/CheckIn/${rootId}`,
		smallest: ({ rootId }) => ({ parameters: { bookingRootId: String(rootId) } }),
		fullest: ({ rootId }) => ({
			parameters: { bookingRootId: rootId, additionalFields: { cashierName: 'Åsa & Co' } },
			query: { cashierName: 'Åsa & Co' },
		}),
	},
	{
		resource: 'checkoutBooking',
		operation: 'checkOut',
		method: 'PUT',
		path: () => `${BOOKING}/booking/checkout/bookings/CheckOut`,
		smallest: ({ rootId }) => ({
			parameters: { bookingRootId: String(rootId) },
			body: { bookingRootId: rootId },
		}),
		fullest: ({ rootId, tableIds }) => {
			const body = fullBody('checkoutBooking.checkOut', { bookingRootId: rootId, tableArticleIds: tableIds });
			const layout = { '': ['bookingRootId'], additionalFields: ['cashierName', 'tableArticleIds'] };
			return { parameters: fromFields(body, layout), body };
		},
	},
	{
		resource: 'checkoutBooking',
		operation: 'cancelToBeInvoiced',
		method: 'POST',
		path: () => `${BOOKING}/booking/checkout/bookings/CancelBookingToBeInvoiced`,
		smallest: ({ alias }) => ({ parameters: { alias }, query: { alias } }),
		fullest: ({ alias }) => ({
			parameters: {
				alias,
				options: {
					extraHeaders: { entry: [{ name: 'X-Source', value: 'n8n' }] },
					extraQuery: { entry: [{ name: 'lang', value: 'sv' }] },
				},
			},
			query: { alias, lang: 'sv' },
		}),
	},
	{
		resource: 'contact',
		operation: 'connectToCustomer',
		method: 'POST',
		path: () => `${BOOKING}/booking/contactcustomerconnections`,
		smallest: () => ({
			parameters: { contactId: '1', customerId: byId(2) },
			body: { contactId: 1, customerId: 2 },
		}),
		fullest: () => {
			const body = fullBody('contact.connectToCustomer', { contactId: 3, customerId: 4 });
			const layout = {
				'': ['contactId', 'customerId'],
				connection: 'id customerFriendlyId customerName contactFirstName contactLastName binaryFlags'.split(
					' ',
				),
				contact: under('contact', FULL_CONTACT),
				contactInvoicing: under('contact', CONTACT_INVOICING),
				contactCustomer: under('contact.customer', FULL_CUSTOMER),
				customer: under('customer', FULL_CUSTOMER),
			};
			return { parameters: fromFields(body, layout, { locators: { customerId: 'customerId' } }), body };
		},
	},
	{
		resource: 'contact',
		operation: 'sendGuestMessage',
		method: 'POST',
		path: () => `${BOOKING}/booking/contacts/GuestServiceBusListenerAction`,
		smallest: () => ({ parameters: {}, body: {} }),
		fullest: () => {
			const body = fullBody('contact.sendGuestMessage');
			const layout = {
				event: [...under('properties', 'action entityId entity'), 'passcode'],
				guest: under(
					'message',
					'containerId createdDate emailAddress id identifier locale loyaltyEnabled msisdn name system updatedDate',
				),
			};
			return {
				parameters: { ...fromFields(body, layout), queryFields: { passcode: 'pass code' } },
				query: { passcode: 'pass code' },
				body,
			};
		},
	},
	updateOf('contactFilter', {
		path: 'ContactFilters',
		idParameter: 'contactFilterId',
		id: '1',
		fixed: { id: 1 },
		layout: { updateFields: 'id name itemsString type items hidden'.split(' ') },
	}),
	{
		resource: 'customer',
		operation: 'getAll',
		method: 'GET',
		path: () => `${BOOKING}/booking/customers`,
		smallest: () => ({ parameters: {} }),
		fullest: () => ({
			parameters: { filters: { changedFromUtc: '2026-03-01T10:00:00+01:00' } },
			query: { changedFromUtc: '2026-03-01T10:00:00+01:00' },
		}),
	},
	updateOf('department', {
		path: 'departments',
		idParameter: 'departmentId',
		id: '1',
		fixed: { id: 1 },
		layout: { updateFields: 'id name hidden changeStatus'.split(' ') },
	}),
	{
		resource: 'survey',
		operation: 'updateContent',
		method: 'PUT',
		path: ({ surveyId }) => `${BOOKING}/Survey/Surveys/${surveyId}/Content`,
		smallest: ({ surveyId }) => ({
			parameters: { surveyId: byId(surveyId), title: 'Dinner', pages: '[]' },
			body: { title: 'Dinner', pages: [] },
		}),
		fullest: ({ surveyId }) => {
			const body = fullBody('survey.updateContent');
			const layout = { '': ['title', 'pages'], additionalFields: ['description', 'confirmationText'] };
			return {
				parameters: { surveyId: byId(surveyId), ...fromFields(body, layout, { json: ['pages'] }) },
				body,
			};
		},
	},
	{
		resource: 'surveyRecipient',
		operation: 'getAll',
		method: 'GET',
		path: () => `${BOOKING}/Survey/Recipients`,
		smallest: () => ({ parameters: {} }),
		fullest: ({ surveyId }) => ({
			parameters: { filters: { surveyId: byId(surveyId), status: [2, 4, 999] } },
			query: { surveyId, status: ['2', '4', '999'] },
		}),
	},
	{
		resource: 'surveyRecipient',
		operation: 'getWithSurvey',
		method: 'GET',
		path: ({ recipientId }) => `${BOOKING}/Survey/Recipients/${recipientId}/WithSurvey`,
		takesSystem: false,
		smallest: ({ recipientId }) => ({ parameters: { surveyRecipientId: byId(recipientId) } }),
		fullest: ({ recipientId }) => ({
			parameters: {
				surveyRecipientId: byId(recipientId),
				options: { extraQuery: { entry: [{ name: 'lang', value: 'sv' }] } },
			},
			query: { lang: 'sv' },
		}),
	},
	{
		resource: 'webBooking',
		operation: 'cancel',
		method: 'POST',
		path: ({ guid }) => `${BOOKING}/WebBooking/WebBookings/${guid}/Cancel`,
		smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
		fullest: ({ guid }) => {
			const body = fullBody('webBooking.cancel');
			return {
				parameters: { webBookingId: byId(guid), ...fromFields(body, { messages: MESSAGES }) },
				body,
			};
		},
	},
	{
		resource: 'webBooking',
		operation: 'getAll',
		method: 'GET',
		path: () => `${BOOKING}/WebBooking/WebBookings`,
		smallest: () => ({
			parameters: { getBy: 'lastChange', changedFrom: '2026-03-01T10:00:00Z', include: [] },
			query: { changedFrom: '2026-03-01T10:00:00Z' },
		}),
		fullest: () => {
			const include = [
				'includeContact',
				'includeInternalContact',
				'includeTableArticles',
				'includeNonTableArticles',
				'includePayMethod',
				'includeCustomer',
				'includeMarkings',
			];
			return {
				parameters: {
					startTime: '2026-03-01T10:00:00+01:00',
					endTime: '2026-03-02T10:00:00+01:00',
					include,
					filters: { unitIds: '1, 2', articleCategoryIds: '3, 4' },
					options: { articleCategoryIdsName: 'articleCategoryIds' },
				},
				query: {
					startTime: '2026-03-01T10:00:00+01:00',
					endTime: '2026-03-02T10:00:00+01:00',
					unitIds: ['1', '2'],
					articleCategoryIds: ['3', '4'],
					...Object.fromEntries(include.map((name) => [name, 'true'])),
				},
			};
		},
	},
	{
		resource: 'webBooking',
		operation: 'update',
		method: 'PUT',
		path: () => `${BOOKING}/WebBooking/WebBookings`,
		smallest: ({ guid }) => ({
			parameters: {
				webBookingId: byId(guid),
				timeSetDate: '2031-05-01T18:00:00Z',
				guests: 0,
				times: {},
			},
			body: { bookingGuid: guid, timeSetDate: '2031-05-01T18:00:00Z', guests: 0, times: [] },
		}),
		fullest: ({ guid }) => {
			const body = fullBody('webBooking.update', { bookingGuid: guid, bookingStatus: 2 });
			const layout = {
				'': ['bookingGuid', 'timeSetDate', 'times', 'guests'],
				details: [
					...'guestsChildren bookingStatus message lang eventTag isWaitList isInquiry isPending'.split(' '),
					...'markings replaceTimes removeTimes'.split(' '),
				],
				guest: under('contact', EMBEDDED_CONTACT),
				company: under('customer', EMBEDDED_CUSTOMER),
				invoice: [...under('customer', INVOICE_ADDRESS), 'payMethod', 'invoiceMarking'],
				messages: MESSAGES,
			};
			return { parameters: fromFields(body, layout, { locators: { bookingGuid: 'webBookingId' } }), body };
		},
	},
	{
		resource: 'webBooking',
		operation: 'updatePayment',
		method: 'PUT',
		path: ({ guid }) => `${BOOKING}/WebBooking/WebBookingsPaymentOnly/${guid}`,
		smallest: ({ guid }) => ({ parameters: { webBookingId: byId(guid) }, body: {} }),
		fullest: ({ guid }) => {
			const body = fullBody('webBooking.updatePayment', { guid });
			return {
				parameters: { webBookingId: byId(guid), ...fromFields(body, { payment: Object.keys(body) }) },
				body,
			};
		},
	},
];
