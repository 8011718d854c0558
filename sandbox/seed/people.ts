import type { Faker } from '@faker-js/faker';
import pick from 'lodash/pick.js';
import type { Contact, Customer, WebBookingCustomer } from '../state/records.ts';
import { blank } from './byContract.ts';
import { minutesFrom } from '../state/clock.ts';
import type { Words } from './words.ts';

function phone(faker: Faker, { phone: pattern }: Words): string {
	return pattern
		? faker.helpers.replaceSymbols(pattern)
		: faker.phone.number({ style: 'international' });
}

/** A guest. */
export function makeContact(faker: Faker, words: Words, id: number): Contact {
	const fname = faker.person.firstName();
	const lname = faker.person.lastName();
	return {
		...blank('Contact'),
		returning: faker.datatype.boolean(0.4),
		id,
		fname,
		lname,
		phone: phone(faker, words),
		mobile: phone(faker, words),
		email: faker.internet
			.email({ firstName: fname, lastName: lname, provider: 'guests.example' })
			.toLowerCase(),
		streetaddress: faker.location.streetAddress(),
		zipcode: faker.location.zipCode(),
		city: faker.location.city(),
		newsletter: faker.datatype.boolean(0.3),
		allowStoringForever: faker.datatype.boolean(0.7),
	};
}

/** A company, changed at some time in the 90 days before `now`. */
export function makeCustomer(faker: Faker, words: Words, id: number, now: number): Customer {
	const name = faker.company.name();
	const streetaddress = faker.location.streetAddress();
	const zipcode = faker.location.zipCode();
	const city = faker.location.city();
	return {
		...blank('Customer'),
		id,
		name,
		streetaddress,
		zipcode,
		city,
		orgNr: faker.string.numeric({ length: 10, allowLeadingZeros: false }),
		phone: phone(faker, words),
		email: faker.internet
			.email({ firstName: 'office', lastName: '', provider: 'companies.example' })
			.toLowerCase(),
		information: faker.helpers.arrayElement(words.customerInformation),
		invoiceStreetaddress: streetaddress,
		invoiceZipCode: zipcode,
		invoiceCity: city,
		customerNumber: String(10_000 + id),
		accountManager: faker.person.fullName(),
		webpage: `https://${faker.helpers
			.slugify(name)
			.toLowerCase()
			.replaceAll(/[^a-z0-9-]/g, '')}.example`,
		lastChangedBy: faker.person.firstName(),
		agreementLevel: faker.number.int({ max: 3 }),
		ediNumber: faker.datatype.boolean(0.3) ? faker.string.numeric(13) : null,
		invoicingPaymentTerms: faker.helpers.arrayElement([null, 10, 30]),
		invoicingFee: faker.helpers.arrayElement([null, 25]),
		binaryFlags: faker.helpers.arrayElement([0, 1, 2]),
		lastChangedUtc: minutesFrom(now, -faker.number.int({ min: 60, max: 90 * 1440 })),
	};
}

/** The customer as a web booking embeds it. */
export function embedCustomer(customer: Customer): WebBookingCustomer {
	return pick(customer, Object.keys(blank('WebBookingCustomer'))) as WebBookingCustomer;
}
