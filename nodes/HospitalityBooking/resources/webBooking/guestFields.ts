import { type Field, flag, identifier, text } from '../../../shared/fields';

/** The guest of a web booking (first document, 'Contact (as embedded in a web booking)'). */
export const guestFields: readonly Field[] = [
	identifier('Contact ID', 'contact.id', 'int64', {
		placeholder: 'e.g. 2071',
		description: 'ID of the guest among the contacts',
	}),
	text('First Name', 'contact.fname', { placeholder: 'e.g. Anna' }),
	text('Last Name', 'contact.lname', { placeholder: 'e.g. Lind' }),
	text('Email', 'contact.email', { placeholder: 'e.g. anna.lind@example.com' }),
	text('Mobile', 'contact.mobile', { placeholder: 'e.g. +46 70 123 45 67' }),
	text('Phone', 'contact.phone', { placeholder: 'e.g. +46 8 123 45 67' }),
	text('Fax', 'contact.fax'),
	text('Street Address', 'contact.streetaddress', { placeholder: 'e.g. Harbour Street 1' }),
	text('Zip Code', 'contact.zipcode', { placeholder: 'e.g. 111 30' }),
	text('City', 'contact.city', { placeholder: 'e.g. Stockholm' }),
	text('Delivery Info', 'contact.deliveryInfo', {
		placeholder: 'e.g. Leave it at the reception',
		description: 'What to know when something is delivered to the guest',
	}),
	flag('Newsletter', 'contact.newsletter', 'Whether the guest gets the newsletter'),
	flag('Returning', 'contact.returning', 'Whether the guest has been here before'),
	flag(
		'Allow Storing Forever',
		'contact.allowStoringForever',
		"Whether the guest's data may be kept without a time limit",
	),
	flag(
		'Last Grab',
		'contact.lastGrab',
		"Whether the field 'lastGrab' is set. The documents do not say what it means.",
	),
];
