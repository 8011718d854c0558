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
	const changed = Math.max(
		Date.parse(web.changeDate ?? '') || 0,
		Date.parse(web.createdDate ?? '') || 0,
	);
	return { start: Date.parse(web.start), end: Date.parse(web.end), changed };
}

const none = () => undefined;
const byId = (record: { id: number | string }) => String(record.id);

/** A contact customer connection: the body that created it, with its ID. */
export type Connection = PlainRecord & { customerId: number; contactId: number };

/** Something that happened once, numbered as it came. */
type Numbered = { id: number };

/** @param delay milliseconds after which changes become visible in lists */
function makeCollections(delay: () => number) {
	const changed = ({ lastChangedUtc }: Customer) => Date.parse(lastChangedUtc ?? '') || 0;
	return {
		bookings: new Collection<Booking, BookingIndex>(({ web }) => web.guid, bookingIndex, delay),
		customers: new Collection<Customer, number>(byId, changed, delay),
		recipients: new Collection<SurveyRecipient>(byId, none, delay),
		contacts: new Collection<Contact>(byId, none),
		surveys: new Collection<Survey>(byId, none),
		contactFilters: new Collection<PlainRecord>(byId, none),
		campaigns: new Collection<PlainRecord & { campaignId: string }>((one) => one.campaignId, none),
		articleGroups: new Collection<PlainRecord>(byId, none),
		departments: new Collection<PlainRecord>(byId, none),
		connections: new Collection<Connection>(byId, none),
		categories: new Collection<ArticleCategory>((category) => category.categoryId, none),
		articles: new Collection<StoredArticle>((article) => article.articleId, none),
		subscriptions: new Collection<Subscription>((subscription) => subscription.PlanId, none),
		guestMessages: new Collection<Numbered & Record<string, unknown>>(byId, none),
		confirmations: new Collection<Numbered & ConfirmationMessage>(byId, none),
	};
}

/** The records of a system by their kind. */
export type Collections = ReturnType<typeof makeCollections>;

/** The data of one system (database) of the service. */
export class State {
	readonly system: string;
	readonly language: Language;
	/** The words of its language. */
	readonly words: Words;
	/** The records, as the control interface and the data file show them too. */
	readonly records: Collections;
	private readonly guidByRoot = new Map<number, string>();
	private readonly guidByAlias = new Map<string, string>();
	private lastId = 0;

	/** @param delay milliseconds after which changes become visible in lists */
	constructor(system: string, language: Language, delay: () => number) {
		this.system = system;
		this.language = language;
		this.words = wordsOf(language);
		this.records = makeCollections(delay);
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
		return this.records.bookings.put(booking);
	}

	bookingByRoot(rootId: number): Booking | undefined {
		return this.records.bookings.get(this.guidByRoot.get(rootId) ?? '');
	}

	bookingByAlias(alias: string): Booking | undefined {
		return this.records.bookings.get(this.guidByAlias.get(alias) ?? '');
	}

	/** The category of an article. Throws when it was never seeded. */
	category(categoryId: string): ArticleCategory {
		const category = this.records.categories.get(categoryId);
		if (!category) throw new Error(`No article category ${categoryId}`);
		return category;
	}

	/** Adds a record of a kind that is known by its name only. */
	put(kind: string, record: unknown): void {
		if (kind === 'bookings') this.putBooking(record as Booking);
		else this.records[kind as keyof Collections]?.put(record as never);
	}

	/** Forgets everything. */
	clear(): void {
		for (const collection of Object.values(this.records)) collection.clear();
		this.guidByRoot.clear();
		this.guidByAlias.clear();
		this.lastId = 0;
	}
}

/** All systems of the sandbox with what they share. */
export interface Service {
	clock: Clock;
	systems: Map<string, State>;
	/** Milliseconds after which changes become visible in lists. */
	visibilityDelay: number;
}
