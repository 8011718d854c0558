import { closestName } from '../../../../nodes/shared/values/closestName';

describe('the name that was meant', () => {
	it.each([
		['nmae', 'name'],
		[' Name ', 'name'],
		['naem', 'name'],
		['emial', 'email'],
		['custmer', 'customer'],
		['customerr', 'customer'],
		['xname', 'name'],
		['it', 'id'],
	])('is, for %p, %p', (given, meant) => {
		expect(closestName(given, ['id', 'name', 'email', 'customer'])).toBe(meant);
	});

	it.each(['', 'xy', 'names of', 'cust', 'customers by'])('is none for %p', (given) => {
		expect(closestName(given, ['id', 'name', 'email', 'customer'])).toBeUndefined();
	});

	it('is the closest of several', () => {
		expect(closestName('stat', ['start', 'status', 'state'])).toBe('start');
		expect(closestName('state', ['start', 'status', 'stat'])).toBe('stat');
	});
});
