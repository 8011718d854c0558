/** The sandbox's records, like the contract's schemas of the same names. Date-times are ISO in UTC. */

export interface Contact {
	returning: boolean;
	id: number;
	fname: string;
	lname: string;
	phone: string;
	mobile: string;
	fax: string;
	email: string;
	streetaddress: string;
	zipcode: string;
	city: string;
	newsletter: boolean;
	lastGrab: boolean;
	allowStoringForever: boolean;
	deliveryInfo: string;
}

/** The fields that the full and the embedded customer share. */
interface CustomerFields {
	id: number;
	name: string;
	streetaddress: string;
	zipcode: string;
	city: string;
	orgNr: string;
	phone: string;
	fax: string;
	email: string;
	information: string;
	invoiceStreetaddress: string;
	invoiceZipCode: string;
	invoiceCity: string;
	invoiceCode1: string;
	invoiceCode2: string;
	invoiceCode3: string;
	customerNumber: string;
	accountManager: string;
	webpage: string;
	lastChangedBy: string;
	agreementLevel: number;
}

export interface WebBookingCustomer extends CustomerFields {
	lastChangedUtc: string;
}

export interface Customer extends CustomerFields {
	hidden: boolean;
	ediNumber: string | null;
	marking: string;
	invoicingPaymentTerms: number | null;
	invoicingFee: number | null;
	binaryFlags: number;
	lastChangedUtc: string | null;
}

export interface BookedArticle {
	articleId: number;
	bookedArticleId: number;
	bookedArticleParentId: number;
	sectionId: number;
	articleGroupId: number;
	unitId: number;
	articleGroupName: string | null;
	departmentId: string | null;
	name: string | null;
	tableName: string | null;
	tableNumber: string | null;
	message: string | null;
	menuGuid: string | null;
	articleGroupType: number;
	start: string;
	end: string;
	tableChairs: number;
	quantity: number;
	outPriceIncVat: number;
	vat: number;
	outAmountExVat: number;
	outAmountInclVat: number;
	isTable: boolean;
	webFlags: number;
	priceModel: number;
	ruleId: number | null;
}

export interface HistoryEntry {
	changeDate: string | null;
	status: number;
	statusName: string;
}

export interface PayMethod {
	id: number;
	name: string | null;
	hidden: boolean;
	changeStatus: number;
}

export interface PaymentEvent {
	id: number;
	bookingRootId: number;
	bookingVersionId: number;
	paymentEventRootId: number | null;
	invoiceInformationId: number | null;
	chargeRootId: number | null;
	payMethodId: number | null;
	creditAffectsId: number | null;
	type: number;
	requestedAmount: number;
	payedAmount: number;
	message: string | null;
	createdBy: string | null;
	changedBy: string | null;
	changeMessage: string | null;
	isCredit: boolean;
	createdDate: string;
	changedDate: string;
	transactionDate: string | null;
	subPaymentEvents: PaymentEvent[];
}

export interface Marking {
	text: string | null;
	prefix: string | null;
	hidden: boolean;
}

/** The amounts that the payment-only update changes. */
export interface ChargeAmounts {
	chargeShouldPayAmount: number;
	chargeShouldPayVat: number;
	chargeShouldPayAmountVat: number;
	chargeAuthorizedAmount: number;
	chargePayedAmount: number;
	chargeRefundedAmount: number;
}

export interface WebBooking extends ChargeAmounts {
	guid: string;
	globalBookingNumber: string;
	unitId: number;
	start: string;
	end: string;
	status: number;
	subStatus: number;
	history: HistoryEntry[] | null;
	guests: number;
	guestsChildren: number;
	message: string | null;
	createdDate: string | null;
	changeDate: string | null;
	recoupTime: number;
	articles: BookedArticle[];
	nonTableArticles: BookedArticle[];
	chargeType: number;
	chargeId: string | null;
	chargeStatus: number;
	customerFriendlyId: string | null;
	contact: Contact;
	customer?: WebBookingCustomer;
	payMethod: PayMethod;
	arrangementName: string | null;
	eventTag: string | null;
	menus: unknown[] | null;
	elevatedRespond: boolean;
	disableAllConfirmationMessages: boolean;
	markings: Marking[] | null;
	longBookingNumber: string | null;
	terminalReturnUrl: string | null;
	language: string | null;
	cancelAllowedBeforeUtc: string | null;
	bookingFlags: number;
	chargePaymentLinkExpirationDate: string | null;
	internalContactName: string | null;
	feedbackDate: string | null;
	validUntil: string | null;
	webBookingRules: unknown[] | null;
	waitListOffers: unknown[] | null;
	paymentEvents: PaymentEvent[];
	inquiryValues?: Record<string, unknown>;
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

export interface SurveyRecipient {
	id: string;
	surveyId: string;
	rev: number;
	ref: string;
	name: string;
	emailAddress: string;
	mobilePhone: string;
	callbackUri: string;
	referenceTime: string;
	sendTime: string;
	remindTime: string;
	sentTime?: string;
	remindedTime?: string;
	openedTime?: string;
	respondedTime?: string;
	callbackCalledTime?: string;
	invitationMethod: number;
	callbackCallCount: number;
	callbackCallSuccess: boolean;
	status: number;
	replaceParams: Record<string, string>;
}

export interface Survey {
	id: string;
	revision: number;
	createdTime: string | null;
	changedTime: string | null;
	createdBy: string | null;
	changedBy: string | null;
	statusMessage: string | null;
	status: number;
	content: Record<string, unknown>;
	emailContent: Record<string, unknown>;
	viewerType: number;
}

/** A record that a PUT by id changes field by field; the fields are those of the contract's schema. */
export type PlainRecord = Record<string, unknown> & { id: number };

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

export interface Subscription {
	MerchantId: number;
	BuyerId: number;
	SubscriptionId: string;
	Charges: Array<Record<string, unknown>>;
	CreatedDate: string;
	LastCharge: string;
	NextCharge: string;
	Status: string;
	OrderNumber: string;
	PlanId: string;
}

/** A confirmation that the sandbox would have sent to the guest. */
export interface ConfirmationMessage {
	bookingGuid: string;
	channel: 'email' | 'sms';
	about: 'updated' | 'canceled';
	time: string;
}
