import type { Language, Words } from '../seed/words.ts';
import { wordsOf } from '../seed/words.ts';
import type { Clock } from './clock.ts';
import { Collection } from './collection.ts';
import type {
	ArticleCategory,
	Booking,
	ConfirmationMessage,
	Contact,
	Customer,
	PlainRecord,
	StoredArticle,
	Subscription,
	Survey,
	SurveyRecipient,
} from './records.ts';

/** The numbers that the list of web bookings filters by, milliseconds since 1970. */
export interface BookingIndex {
	start: number;
	end: number;
	/** The later of createdDate and changeDate. */
	changed: number;
}

function bookingIndex({ web }: Booking): BookingIndex {
	const changed = Math.max(Date.parse(web.changeDate ?? '') || 0, Date.parse(web.createdDate ?? '') || 0);
	return { start: Date.parse(web.start), end: Date.parse(web.end), changed };
}

const none = () => undefined;
const byId = (record: { id: number | string }) => String(record.id);

/** A contact customer connection: the body that created it, with its ID. */
export type Connection = Record<string, unknown> & { id: number; customerId: number; contactId: number };

/** The data of one system (database) of the service. */
export class State {
	readonly system: string;
	readonly language: Language;
	/** The words of its language. */
	readonly words: Words;
	readonly bookings: Collection<Booking, BookingIndex>;
	readonly customers: Collection<Customer, number>;
	readonly recipients: Collection<SurveyRecipient>;
	readonly contacts = new Collection<Contact>(byId, none);
	readonly surveys = new Collection<Survey>(byId, none);
	readonly contactFilters = new Collection<PlainRecord>(byId, none);
	readonly campaigns = new Collection<PlainRecord & { campaignId: string }>((c) => c.campaignId, none);
	readonly articleGroups = new Collection<PlainRecord>(byId, none);
	readonly departments = new Collection<PlainRecord>(byId, none);
	readonly connections = new Collection<Connection>(byId, none);
	readonly categories = new Collection<ArticleCategory>((category) => category.categoryId, none);
	readonly articles = new Collection<StoredArticle>((article) => article.articleId, none);
	readonly subscriptions = new Collection<Subscription>((subscription) => subscription.PlanId, none);
	readonly guestMessages: unknown[] = [];
	readonly confirmations: ConfirmationMessage[] = [];
	private readonly guidByRoot = new Map<number, string>();
	private readonly guidByAlias = new Map<string, string>();
	private lastId = 0;

	/** @param delay milliseconds after which changes become visible in lists */
	constructor(system: string, language: Language, delay: () => number) {
		this.system = system;
		this.language = language;
		this.words = wordsOf(language);
		this.bookings = new Collection((booking) => booking.web.guid, bookingIndex, delay);
		this.customers = new Collection<Customer, number>(
			byId,
			(customer) => Date.parse(customer.lastChangedUtc ?? '') || 0,
			delay,
		);
		this.recipients = new Collection<SurveyRecipient>(byId, none, delay);
	}

	/** The next unused number. */
	nextId(): number {
		return ++this.lastId;
	}

	/** Keeps used numbers from being given out again. */
	reserveId(id: number): void {
		this.lastId = Math.max(this.lastId, id);
	}

	/** Adds or replaces a booking, findable by guid, root id and alias. */
	putBooking(booking: Booking): Booking {
		this.guidByRoot.set(booking.rootId, booking.web.guid);
		if (booking.alias !== undefined) this.guidByAlias.set(booking.alias, booking.web.guid);
		return this.bookings.put(booking);
	}

	bookingByRoot(rootId: number): Booking | undefined {
		return this.bookings.get(this.guidByRoot.get(rootId) ?? '');
	}

	bookingByAlias(alias: string): Booking | undefined {
		return this.bookings.get(this.guidByAlias.get(alias) ?? '');
	}

	/** The category of an article. Throws when it was never seeded. */
	category(categoryId: string): ArticleCategory {
		const category = this.categories.get(categoryId);
		if (!category) throw new Error(`No article category ${categoryId}`);
		return category;
	}

	/** The collections by name, as the control interface and the data file show them. */
	collections(): Record<
		string,
		{ readonly size: number; all(): Iterable<unknown>; put(record: never): unknown }
	> {
		return {
			bookings: {
				size: this.bookings.size,
				all: () => this.bookings.all(),
				put: (b: never) => this.putBooking(b),
			},
			customers: this.customers,
			recipients: this.recipients,
			contacts: this.contacts,
			surveys: this.surveys,
			contactFilters: this.contactFilters,
			campaigns: this.campaigns,
			articleGroups: this.articleGroups,
			departments: this.departments,
			connections: this.connections,
			categories: this.categories,
			articles: this.articles,
			subscriptions: this.subscriptions,
			guestMessages: list(this.guestMessages),
			confirmations: list(this.confirmations),
		};
	}

	/** Forgets everything. */
	clear(): void {
		for (const collection of [
			this.bookings,
			this.customers,
			this.recipients,
			this.contacts,
			this.surveys,
			this.contactFilters,
			this.campaigns,
			this.articleGroups,
			this.departments,
			this.connections,
			this.categories,
			this.articles,
			this.subscriptions,
		]) {
			collection.clear();
		}
		this.guestMessages.length = 0;
		this.confirmations.length = 0;
		this.guidByRoot.clear();
		this.guidByAlias.clear();
		this.lastId = 0;
	}
}

function list(records: unknown[]): {
	readonly size: number;
	all(): Iterable<unknown>;
	put(record: never): unknown;
} {
	return { size: records.length, all: () => records, put: (record: never) => records.push(record) };
}

/** All systems of the sandbox with what they share. */
export interface Service {
	clock: Clock;
	systems: Map<string, State>;
	/** Milliseconds after which changes become visible in lists. */
	visibilityDelay: number;
}
