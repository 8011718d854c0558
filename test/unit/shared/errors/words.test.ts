import type { CallFault } from '../../../../nodes/shared/errors/callFault';
import { faultWords } from '../../../../nodes/shared/errors/words';
import { FAULTS } from './faults';

const said = (fault: CallFault, inRun: boolean) => faultWords(fault, { inRun }).join(' | ');
const faults = Object.values(FAULTS);

describe('what is said of a call that failed', () => {
	it('avoids the words error, failure, problem and mistake, and says what to do', () => {
		for (const text of [true, false].flatMap((inRun) => faults.map((fault) => said(fault, inRun)))) {
			expect(text).not.toMatch(/\b(error|failure|problem|mistake|undefined|NaN)\b|[{}]/i);
			expect(text).toMatch(/^[A-Z'].* \| [A-Z]/);
		}
	});

	it('names an item and settings of a node only where there are some', () => {
		const outside = faults.filter((fault) => !('proxy' in fault)).map((fault) => said(fault, false));
		expect(outside.filter((text) => /item|Options|Give Up After|Timeout/.test(text))).toEqual([]);
	});

	it('blames the values for nothing but a response that is about them', () => {
		const blaming = faults.filter((fault) => /check the values/i.test(said(fault, true)));
		expect(blaming).toEqual([400, 422, 500].map((status) => ({ kind: 'status', status })));
	});

	it.each([
		[408, /in time.* \| .*later/],
		[410, /removed.* \| .*ID/],
		[413, /too large for the service.* \| .*Send less/],
		[415, /does not accept JSON.* \| .*'Base URL'/],
		[423, /locked.* \| .*nobody else/],
		[425, /early.* \| .*later/],
	])('tells what %i means', (status, words) => {
		expect(said({ kind: 'status', status }, true)).toMatch(words);
	});

	it('says why a call was not retried further', () => {
		const fault: CallFault = { kind: 'status', status: 503, isOverBudget: true };
		expect(said(fault, true)).toContain('It was not retried further: too many calls of this account');
	});

	it.each(['503 with a pause', 'a pause after 503'])(
		'tells of a pause its own status and its end: %s',
		(name) => {
			jest.useFakeTimers({ now: Date.parse('2026-11-22T10:00:00Z') });
			const text = said(FAULTS[name] as CallFault, true);
			jest.useRealTimers();

			expect(text).toContain('(503)');
			expect(text).toContain('a pause until 2026-11-22T11:00:00Z');
			expect(text).toMatch(/'Give Up After \(Minutes\)' under Options to more than 60\b/);
			expect(text).not.toMatch(/429|higher limit/);
		},
	);
});
