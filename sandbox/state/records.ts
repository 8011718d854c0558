/**
 * The sandbox's records, by the contract's schemas of the same names; date-times are ISO in UTC. Only the fields that the
 * sandbox itself reads are named here.
 */
type Fields = Record<string, unknown>;

export interface Contact extends Fields {
	id: number;
	fname: string;
	lname: string;
	email: string;
	mobile: string;
}

export interface WebBookingCustomer extends Fields {
	id: number;
	name: string;
}

export interface Customer extends WebBookingCustomer {
	customerNumber: string;
	lastChangedUtc: string | null;
}

export interface BookedArticle extends Fields {
	articleId: number;
	bookedArticleId: number;
	sectionId: number;
	articleGroupId: number;
	start: string;
	end: string;
	outAmountExVat: number;
	outAmountInclVat: number;
	ruleId: number | null;
}

export interface HistoryEntry {
	changeDate: string | null;
	status: number;
	statusName: string;
}

export interface PayMethod extends Fields {
	id: number;
	name: string | null;
}

export interface PaymentEvent extends Fields {
	type: number;
}

/** The amounts that the payment-only update changes. */
export const CHARGE_AMOUNTS = [
	'chargeShouldPayAmount',
	'chargeShouldPayVat',
	'chargeShouldPayAmountVat',
	'chargeAuthorizedAmount',
	'chargePayedAmount',
	'chargeRefundedAmount',
] as const;

export type ChargeAmounts = Record<(typeof CHARGE_AMOUNTS)[number], number>;

export interface WebBooking extends Fields, ChargeAmounts {
	guid: string;
	globalBookingNumber: string;
	unitId: number;
	start: string;
	end: string;
	status: number;
	history: HistoryEntry[] | null;
	guests: number;
	message: string | null;
	createdDate: string | null;
	changeDate: string | null;
	articles: BookedArticle[];
	nonTableArticles: BookedArticle[];
	contact: Contact;
	customer?: WebBookingCustomer;
	payMethod: PayMethod;
	paymentEvents: PaymentEvent[];
}

/** A web booking with the data that only the checkout sees. */
export interface Booking {
	web: WebBooking;
	rootId: number;
	/** The order alias of a booking created to be invoiced. */
	alias?: string;
	checkoutStatus: number;
	mustBeInvoiced: boolean;
	checkoutPlaceId: string | null;
	/** Log messages, cashier names and the other inputs that no answer shows. */
	log: string[];
}

export interface SurveyRecipient extends Fields {
	id: string;
	surveyId: string;
	rev: number;
	name: string;
	status: number;
	sentTime?: string;
	openedTime?: string;
	respondedTime?: string;
	replaceParams: Record<string, string>;
}

export interface Survey extends Fields {
	id: string;
	revision: number;
	changedTime: string | null;
	content: Record<string, unknown>;
}

/** A record that a PUT by id changes field by field. */
export type PlainRecord = Fields & { id: number };

export interface Price {
	inclVat: number;
	exclVat: number;
}

/** The values that an article may inherit from its category. */
export interface ArticleAttributes {
	colorHexValue: string;
	allowDiscount: boolean;
	allowPriceOverride: boolean;
	salesUnit: string;
	keepStockBalance: boolean;
	isLoyaltyContributing: boolean;
	ageRestriction: number;
	nonSale: boolean;
}

export interface ArticleCategory {
	categoryId: string;
	externalId: string;
	name: string;
	attributes: ArticleAttributes;
}

export interface StoredArticle {
	articleId: string;
	categoryId: string;
	externalId: string;
	articleNumber: number;
	name: string;
	description: string;
	customerFacingName: string;
	customerFacingDescription: string;
	publicationStatus: string;
	prices: { priceSource: string; regular: Price; takeAway: Price; conference: Price };
	images: { imageIdOneByOneUrl: string; imageIdSixteenByNineUrl: string };
	/** Its own values; missing ones are inherited from the category. */
	ownAttributes: Partial<ArticleAttributes>;
}

export interface Subscription extends Fields {
	PlanId: string;
	BuyerId: number;
	Status: string;
}

/** A confirmation that the sandbox would have sent to the guest. */
export interface ConfirmationMessage {
	bookingGuid: string;
	channel: 'email' | 'sms';
	about: 'updated' | 'canceled';
	time: string;
}
