import { readStatusRoles } from '../../../../nodes/shared/auth/deployment';
import { matchesFilters } from '../../../../nodes/shared/booking/filters';
import { checkStates, currentStatus, stateOf } from '../../../../nodes/shared/booking/states';

const roles = readStatusRoles({
	canceledStatuses: '5, Avbokad',
	noShowStatuses: 'Uteblev',
	finishedStatuses: '4',
});
const made = { changeDate: '2026-03-01T10:00:00', status: 1, statusName: 'Bokad' };
const confirmed = { changeDate: '2026-03-02T10:00:00', status: 2, statusName: 'Bekräftad' };
const canceled = { changeDate: '2026-03-03T10:00:00', status: 9, statusName: 'AVBOKAD' };
const undated = { changeDate: null, status: 1, statusName: 'Bokad' };
const booking = (history: unknown, status = 2) => ({
	guid: 'a',
	status,
	createdDate: '2026-03-01T10:00:00',
	history,
});

describe('the state of a booking', () => {
	it.each([
		['a name of the newest entry', booking([made, canceled]), 'canceled'],
		['a list with the newest first', booking([canceled, confirmed, made]), 'canceled'],
		['a list in no order', booking([confirmed, canceled, made], 9), 'canceled'],
		[
			'a list in no order that ends at one moment',
			booking([made, canceled, { ...confirmed, changeDate: canceled.changeDate }], 9),
			'canceled',
		],
		[
			'a booking that was canceled and came back',
			booking([made, { ...canceled, changeDate: '2026-03-01T11:00:00' }, confirmed]),
			'expected',
		],
		[
			'the status it has, where it was made and canceled at the same time',
			booking([{ ...canceled, changeDate: made.changeDate }, made], 9),
			'canceled',
		],
		[
			'the status it has, also oldest first',
			booking([made, { ...canceled, changeDate: made.changeDate }], 9),
			'canceled',
		],
		['a number of the history', booking([made, { ...confirmed, status: 4 }], 0), 'finished'],
		['a name in other letters', booking([{ ...made, statusName: ' uteblev ' }]), 'noShow'],
		['a number where there is no history', booking(null, 5), 'canceled'],
		['its own status where the history lags', booking([made, confirmed], 5), 'canceled'],
		[
			'its own status where the history lags, as a text',
			{ ...booking([made, confirmed]), status: '5' },
			'canceled',
		],
		[
			'the history where its status may be the other field of that name',
			booking([made, { ...confirmed, status: 5 }], 0),
			'canceled',
		],
		[
			'the dated entries, though others have no date',
			booking([made, canceled, undated]),
			'canceled',
		],
		['the dated entries, newest first', booking([canceled, undated, made]), 'canceled'],
		[
			'entries without a date, where no other is there',
			booking([{ ...canceled, changeDate: null }]),
			'canceled',
		],
		['none of the three', booking([made, confirmed]), 'expected'],
	])('is told by %s', (_, record, state) => {
		expect(stateOf(record, roles)).toBe(state);
	});

	it.each(['oldest', 'newest'])(
		'is told by the entry made with it where daylight saving ends, %s first',
		(order) => {
			const before = { changeDate: '2026-10-25T02:50:00', status: 1 };
			const after = { changeDate: '2026-10-25T02:10:00', status: 5 };
			const history = order === 'oldest' ? [before, after] : [after, before];
			expect(stateOf({ createdDate: before.changeDate, history }, roles)).toBe('canceled');
		},
	);

	it('compares times with offsets as moments', () => {
		const first = { changeDate: '2026-10-25T02:50:00+02:00', status: 1 };
		const second = { changeDate: '2026-10-25T02:10:00+01:00', status: 5 };
		for (const history of [
			[first, second],
			[second, first],
		]) {
			expect(stateOf({ createdDate: null, history }, roles)).toBe('canceled');
		}
	});

	it('is not known where the credential does not say, and a filter on it is refused', () => {
		const some = readStatusRoles({ canceledStatuses: '5' });
		expect(stateOf(booking([made, confirmed]), some)).toBeNull();
		expect(stateOf(booking(null, 5), some)).toBe('canceled');
		expect(() => checkStates(['canceled'], some)).not.toThrow();
		expect(() => checkStates(undefined, {})).not.toThrow();
		for (const state of ['noShow', 'expected'] as const) {
			expect(() => checkStates([state], some)).toThrow("'State' cannot be determined");
		}
	});

	it('stays expected where the credential lacks a role that was added after it was stored', () => {
		const laterRoles = Object.assign({}, roles, { checkedIn: undefined });
		const checkedIn = Object.assign({}, roles, { checkedIn: new Set(['bekräftad']) });

		expect(stateOf(booking([made, confirmed]), laterRoles)).toBe('expected');
		expect(() => checkStates(['expected'], laterRoles)).not.toThrow();
		expect(stateOf(booking([made, confirmed]), checkedIn)).toBe('checkedIn');
	});

	it('of a service that has no such status is told where none is entered', () => {
		const none = readStatusRoles({
			canceledStatuses: '5',
			noShowStatuses: 'none',
			finishedStatuses: 'None',
		});
		expect(stateOf(booking([{ ...made, statusName: 'None' }]), none)).toBe('expected');
		expect(() => checkStates(['expected', 'noShow'], none)).not.toThrow();
	});

	it('filters bookings', () => {
		const all = [
			booking([made, confirmed]),
			booking([made, canceled]),
			booking([made, { ...made, status: 4 }]),
		];
		const found = (states: Parameters<typeof checkStates>[0]) =>
			all.filter((one) => matchesFilters(one, { states, statusRoles: roles }));
		expect(found(['canceled'])).toEqual([all[1]]);
		expect(found(['expected', 'finished'])).toEqual([all[0], all[2]]);
		expect(found([])).toEqual(all);
	});
});

it.each([
	[3, [made, confirmed], null],
	[5, [made, confirmed], null],
	[9, [made, canceled, confirmed], 'AVBOKAD'],
	[2, [made, canceled], 'AVBOKAD'],
	[9, [made, canceled, { ...canceled, statusName: 'Inställd' }], 'Inställd'],
	[undefined, [made], 'Bokad'],
])('the name of status %p is never that of another status: %j', (status, history, name) => {
	expect(currentStatus({ ...booking(history), status }).name).toBe(name);
});
