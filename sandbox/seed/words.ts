import { base, de, en, Faker, type LocaleDefinition, sv } from '@faker-js/faker';

/** The languages that the sandbox's data can be in. */
export const LANGUAGES = ['en', 'sv', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of the data in one language; the names of the API's own fields and codes are the same in all. */
export interface Words {
	/** Names that the history shows for a web booking's `status`, by its code. */
	statuses: Record<number, string>;
	/** What a guest's phone number looks like, `#` for a digit; absent where any will do. */
	phone?: string;
	units: [restaurant: string, bar: string, spa: string];
	table: string;
	articleGroups: [tables: string, menus: string, drinks: string, extras: string];
	extras: [menu: string, vegetarian: string, drink: string, cake: string];
	payMethods: [card: string, invoice: string, onSite: string];
	/** What guests write; null for most. */
	messages: Array<string | null>;
	customerInformation: string[];
	departments: string[];
	campaigns: string[];
	filters: Array<{ name: string; items: string[] }>;
	articles: Array<{ category: string; salesUnit: string; names: string[] }>;
	describedArticle: (name: string) => string;
	survey: {
		titles: string[];
		thanks: string;
		score: string;
		better: string;
	};
	/** What has happened, for the start page. */
	happened: {
		booking: string;
		guest: string;
		guests: string;
		made: string;
		changedFrom: string;
		canceled: string;
		moved: string;
		refunded: string;
		paid: string;
		/** Between the name of somebody and a score. */
		answered: string;
		of: string;
	};
}

const ENGLISH: Words = {
	statuses: {
		0: 'Inquiry',
		1: 'Reserved',
		2: 'Confirmed',
		3: 'Arrived',
		4: 'Checked out',
		5: 'Canceled',
		6: 'Wait list',
		7: 'Pending',
		8: 'No-show',
	},
	units: ['Harbour Restaurant', 'Rooftop Bar', 'Spa'],
	table: 'Table',
	articleGroups: ['Tables', 'Menus', 'Drinks', 'Extras'],
	extras: ['Three-course menu', 'Vegetarian menu', 'Welcome drink', 'Birthday cake'],
	payMethods: ['Card', 'Invoice', 'On site'],
	messages: [
		null,
		null,
		null,
		'One of us is allergic to nuts.',
		'A table by the window, please.',
		'We celebrate a birthday.',
		'Two high chairs, please.',
	],
	customerInformation: ['', 'Prefers the window tables', 'Invoice at the end of the month'],
	departments: ['Restaurant', 'Bar', 'Spa'],
	campaigns: ['Early bird dinner', 'Company lunch'],
	filters: [
		{ name: 'Diet', items: ['Vegetarian', 'Vegan', 'Gluten free'] },
		{ name: 'Interests', items: ['Wine', 'Music', 'Spa'] },
	],
	articles: [
		{
			category: 'Food',
			salesUnit: 'piece',
			names: [
				'Toast Skagen',
				'Meatballs',
				'Arctic char',
				'Beetroot salad',
				'Cardamom bun',
				'Cheese plate',
			],
		},
		{
			category: 'Wine',
			salesUnit: 'bottle',
			names: ['Riesling', 'Chablis', 'Barolo', 'Rioja', 'Crémant', 'Port'],
		},
	],
	describedArticle: (name) => `${name}, from our kitchen and cellar`,
	survey: {
		titles: ['How was your dinner, {{name}}?', 'How was your stay, {{name}}?'],
		thanks: 'Thank you, {{name}}!',
		score: 'How pleased were you?',
		better: 'What could we do better?',
	},
	happened: {
		booking: 'Booking',
		guest: 'guest',
		guests: 'guests',
		made: 'is made',
		changedFrom: 'is changed, from',
		canceled: 'is canceled',
		moved: 'begins half an hour later',
		refunded: 'gets refunded:',
		paid: 'is paid:',
		answered: 'has answered a survey with',
		of: 'of',
	},
};

const SWEDISH: Words = {
	statuses: {
		0: 'Förfrågan',
		1: 'Bokad',
		2: 'Bekräftad',
		3: 'Ankommen',
		4: 'Utcheckad',
		5: 'Avbokad',
		6: 'Väntelista',
		7: 'Väntar på svar',
		8: 'Utebliven',
	},
	phone: '+4670#######',
	units: ['Hamnkrogen', 'Takbaren', 'Spa'],
	table: 'Bord',
	articleGroups: ['Bord', 'Menyer', 'Drycker', 'Tillval'],
	extras: ['Trerättersmeny', 'Vegetarisk meny', 'Välkomstdrink', 'Födelsedagstårta'],
	payMethods: ['Kort', 'Faktura', 'På plats'],
	messages: [
		null,
		null,
		null,
		'En av oss är allergisk mot nötter.',
		'Gärna ett bord vid fönstret.',
		'Vi firar en födelsedag!',
		'Två barnstolar, tack.',
	],
	customerInformation: ['', 'Vill helst sitta vid fönstret', 'Faktureras i slutet av månaden'],
	departments: ['Restaurang', 'Bar', 'Spa'],
	campaigns: ['Tidig middag', 'Företagslunch'],
	filters: [
		{ name: 'Kost', items: ['Vegetarisk', 'Vegansk', 'Glutenfri'] },
		{ name: 'Intressen', items: ['Vin', 'Musik', 'Spa'] },
	],
	articles: [
		{
			category: 'Mat',
			salesUnit: 'st',
			names: [
				'Toast Skagen',
				'Köttbullar',
				'Röding',
				'Rödbetssallad',
				'Kardemummabulle',
				'Ostbricka',
			],
		},
		{
			category: 'Vin',
			salesUnit: 'flaska',
			names: ['Riesling', 'Chablis', 'Barolo', 'Rioja', 'Crémant', 'Portvin'],
		},
	],
	describedArticle: (name) => `${name}, från vårt kök och vår källare`,
	survey: {
		titles: ['Hur var middagen, {{name}}?', 'Hur var vistelsen, {{name}}?'],
		thanks: 'Tack, {{name}}!',
		score: 'Hur nöjd blev du?',
		better: 'Vad kan vi göra bättre?',
	},
	happened: {
		booking: 'Bokning',
		guest: 'gäst',
		guests: 'gäster',
		made: 'är gjord',
		changedFrom: 'är ändrad, från',
		canceled: 'är avbokad',
		moved: 'börjar en halvtimme senare',
		refunded: 'får tillbaka:',
		paid: 'är betald:',
		answered: 'har svarat på en enkät med',
		of: 'av',
	},
};

const GERMAN: Words = {
	statuses: {
		0: 'Anfrage',
		1: 'Reserviert',
		2: 'Bestätigt',
		3: 'Angekommen',
		4: 'Ausgecheckt',
		5: 'Storniert',
		6: 'Warteliste',
		7: 'Ausstehend',
		8: 'Nicht erschienen',
	},
	phone: '+49151########',
	units: ['Hafenrestaurant', 'Dachbar', 'Spa'],
	table: 'Tisch',
	articleGroups: ['Tische', 'Menüs', 'Getränke', 'Extras'],
	extras: ['Drei-Gänge-Menü', 'Vegetarisches Menü', 'Begrüßungsgetränk', 'Geburtstagstorte'],
	payMethods: ['Karte', 'Rechnung', 'Vor Ort'],
	messages: [
		null,
		null,
		null,
		'Einer von uns hat eine Nussallergie.',
		'Bitte einen Tisch am Fenster.',
		'Wir feiern Geburtstag!',
		'Zwei Hochstühle, bitte.',
	],
	customerInformation: ['', 'Sitzt am liebsten am Fenster', 'Rechnung am Monatsende'],
	departments: ['Restaurant', 'Bar', 'Spa'],
	campaigns: ['Früher Abend', 'Firmenmittag'],
	filters: [
		{ name: 'Ernährung', items: ['Vegetarisch', 'Vegan', 'Glutenfrei'] },
		{ name: 'Interessen', items: ['Wein', 'Musik', 'Spa'] },
	],
	articles: [
		{
			category: 'Speisen',
			salesUnit: 'Stück',
			names: [
				'Toast Skagen',
				'Frikadellen',
				'Saibling',
				'Rote-Bete-Salat',
				'Kardamomschnecke',
				'Käseteller',
			],
		},
		{
			category: 'Wein',
			salesUnit: 'Flasche',
			names: ['Riesling', 'Chablis', 'Barolo', 'Rioja', 'Crémant', 'Portwein'],
		},
	],
	describedArticle: (name) => `${name}, aus unserer Küche und unserem Keller`,
	survey: {
		titles: ['Wie war das Essen, {{name}}?', 'Wie war der Aufenthalt, {{name}}?'],
		thanks: 'Danke, {{name}}!',
		score: 'Wie zufrieden waren Sie?',
		better: 'Was können wir besser machen?',
	},
	happened: {
		booking: 'Buchung',
		guest: 'Gast',
		guests: 'Gäste',
		made: 'ist eingegangen',
		changedFrom: 'ist geändert, vorher',
		canceled: 'ist storniert',
		moved: 'beginnt eine halbe Stunde später',
		refunded: 'wird erstattet:',
		paid: 'ist bezahlt:',
		answered: 'hat eine Umfrage beantwortet mit',
		of: 'von',
	},
};

const LOCALES: Record<Language, LocaleDefinition[]> = {
	en: [en],
	sv: [sv, en, base],
	de: [de, en, base],
};
const WORDS: Record<Language, Words> = { en: ENGLISH, sv: SWEDISH, de: GERMAN };

/** A reproducible source of believable data: the same seed gives the same data. */
export function createFaker(seed: number, language: Language = 'en'): Faker {
	return new Faker({ locale: LOCALES[language], seed });
}

/** The words of a language. */
export function wordsOf(language: Language): Words {
	return WORDS[language];
}
