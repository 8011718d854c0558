import { type Field, flag, identifier, text } from '../../../shared/fields';

/**
 * What a contact (a person) has wherever it stands (first document, 'Contact' and 'ContactFull').
 *
 * @param at where it stands in the body
 */
export function personFields(at: string): Field[] {
	return [
		identifier('Contact ID', `${at}.id`, 'int64', {
			placeholder: 'e.g. 2071',
			description: 'ID of the person among the contacts',
		}),
		text('First Name', `${at}.fname`, { placeholder: 'e.g. Anna' }),
		text('Last Name', `${at}.lname`, { placeholder: 'e.g. Lind' }),
		text('Email', `${at}.email`, { placeholder: 'e.g. anna.lind@example.com' }),
		text('Mobile', `${at}.mobile`, { placeholder: 'e.g. +46 70 123 45 67' }),
		text('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		text('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		text('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Harbour Street 1' }),
		text('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		text('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		flag('Newsletter', `${at}.newsletter`, 'Whether the person gets the newsletter'),
		flag('Returning', `${at}.returning`, 'Whether the person has been here before'),
		flag(
			'Allow Storing Forever',
			`${at}.allowStoringForever`,
			'Whether the personal data may be kept without a time limit',
		),
	];
}
