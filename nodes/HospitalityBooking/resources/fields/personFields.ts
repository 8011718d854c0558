import { type FieldRow, field } from '../../../shared/operation/contractFields';

/**
 * What a contact (a person) has in every body.
 *
 * @param at path in the body
 */
export function personFields(at: string): FieldRow[] {
	return [
		field('Contact ID', `${at}.id`, {
			placeholder: 'e.g. 2071',
			description: 'ID of the person among the contacts',
		}),
		field('First Name', `${at}.fname`, { placeholder: 'e.g. Anna' }),
		field('Last Name', `${at}.lname`, { placeholder: 'e.g. Lind' }),
		field('Email', `${at}.email`, { placeholder: 'e.g. anna.lind@example.com' }),
		field('Mobile', `${at}.mobile`, { placeholder: 'e.g. +46 70 123 45 67' }),
		field('Phone', `${at}.phone`, { placeholder: 'e.g. +46 8 123 45 67' }),
		field('Fax', `${at}.fax`, { placeholder: 'e.g. +46 8 123 45 68' }),
		field('Street Address', `${at}.streetaddress`, { placeholder: 'e.g. Harbour Street 1' }),
		field('Zip Code', `${at}.zipcode`, { placeholder: 'e.g. 111 30' }),
		field('City', `${at}.city`, { placeholder: 'e.g. Stockholm' }),
		field('Newsletter', `${at}.newsletter`, { description: 'Whether the person gets the newsletter' }),
		field('Returning', `${at}.returning`, { description: 'Whether the person has been here before' }),
		field('Allow Storing Forever', `${at}.allowStoringForever`, {
			description: 'Whether the personal data may be kept without a time limit',
		}),
	];
}
