import { field } from '../../../shared/operation/declare';

/** What a contact (a person) has in every body. */
export const personFields = [
	field('Contact ID', 'id', {
		placeholder: 'e.g. 2071',
		description: 'Contact ID of the person',
	}),
	field('First Name', 'fname', { placeholder: 'e.g. Anna' }),
	field('Last Name', 'lname', { placeholder: 'e.g. Lind' }),
	field('Email', 'email', { placeholder: 'e.g. anna.lind@example.com' }),
	field('Mobile', 'mobile', { placeholder: 'e.g. +46 70 123 45 67' }),
	field('Phone', 'phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	field('Fax', 'fax', { placeholder: 'e.g. +46 8 123 45 68' }),
	field('Street Address', 'streetaddress', { placeholder: 'e.g. Harbour Street 1' }),
	field('Zip Code', 'zipcode', { placeholder: 'e.g. 111 30' }),
	field('City', 'city', { placeholder: 'e.g. Stockholm' }),
	field('Newsletter', 'newsletter', { description: 'Whether the person receives the newsletter' }),
	field('Returning', 'returning', { description: 'Whether the person has been here before' }),
	field('Allow Storing Forever', 'allowStoringForever', {
		description: 'Whether the personal data may be kept without a time limit',
	}),
];
