import { shapeRecord } from '../../../../nodes/shared/values/recordShape';
import { webBookings } from '../../../../nodes/shared/booking/records';

const made = { changeDate: '2026-03-01T10:00:00', status: 1, statusName: 'Requested' };
const confirmed = { changeDate: '2026-03-02T10:00:00', status: 2, statusName: 'Confirmed' };
const booking = (history: unknown) => ({ guid: 'a', status: 2, createdDate: '2026-03-01T10:00:00', history });
const simplified = (record: unknown) => shapeRecord(record, webBookings, 'simplified', []);

describe('a simplified web booking', () => {
	it.each([
		['oldest first', [made, confirmed]],
		['newest first', [confirmed, made]],
	])('names its status by the newest entry of the history, %s', (_, history) => {
		expect(simplified(booking(history))).toMatchObject({ statusName: 'Confirmed' });
	});

	it.each([[[]], [null], [undefined], [[{ ...made, statusName: '' }]], ['text'], [[null]]])(
		'has no name for its status with the history %j',
		(history) => {
			expect(simplified(booking(history))).toMatchObject({ statusName: null });
		},
	);
});

test('selected fields are those of the record, not of every object', () => {
	expect(shapeRecord({ guid: 'a' }, webBookings, 'selected', ['guid', 'toString'])).toEqual({ guid: 'a' });
});
