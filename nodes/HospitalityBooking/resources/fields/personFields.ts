import { type Field, boolean, identifier, string } from '../../../shared/operation/fields';

/**
 * What a contact (a person) has in every body.
 *
 * @param at path in the body
 */
export function personFields(at: string): Field[] {
	return [
		identifier('Contact ID', `${at}.id`, 'int64', {
			placeholder: 'e.g. 2071',
			description: 'ID of the person among the contacts',
		}),
		string('First Name', `${at}.fname`, { placeholder: 'e.g. Anna' }),
		string('Last Name', `${at}.lname`, { placeholder: 'e.g. Lind' }),
		string('Email', `${at}.email`, { placeholder: 'e.g. anna.lind@example.com' }),
		string('Mobile', `${at}.mobile`, { placeholder: 'e.g. +46 70 123 45 67' }),
		string('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		string('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		string('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Harbour Street 1' }),
		string('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		string('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		boolean('Newsletter', `${at}.newsletter`, 'Whether the person gets the newsletter'),
		boolean('Returning', `${at}.returning`, 'Whether the person has been here before'),
		boolean(
			'Allow Storing Forever',
			`${at}.allowStoringForever`,
			'Whether the personal data may be kept without a time limit',
		),
	];
}
