import { webBookingLocator } from '../../../shared/booking/locators';
import type { FieldRow } from '../../../shared/form/kinds';
import { field } from '../../../shared/form/rows';

/**
 * The web booking to change. Its name is all that an agent's model reads of it, so it says what may be given.
 *
 * @param path of its GUID in the call
 */
export function webBookingField(path: string): FieldRow {
	return field('Booking Number or GUID', path, {
		as: 'guid',
		locator: webBookingLocator,
		lookUp: 'bookingNumber',
		namesRecord: true,
	});
}
