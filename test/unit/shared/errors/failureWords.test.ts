import type { CallFailure } from '../../../../nodes/shared/errors/failure';
import { failureWords } from '../../../../nodes/shared/errors/failureTable';
import { FAULTS } from './failures';

const said = (failure: CallFailure, inRun: boolean) => failureWords(failure, { inRun }).join(' | ');
const failures = Object.values(FAULTS);

describe('what is said of a call that failed', () => {
	it('avoids the words error, failure, problem and mistake, and says what to do', () => {
		for (const text of [true, false].flatMap((inRun) =>
			failures.map((failure) => said(failure, inRun)),
		)) {
			expect(text).not.toMatch(/\b(error|failure|problem|mistake|undefined|NaN)\b|[{}]/i);
			expect(text).toMatch(/^[A-Z'].* \| [A-Z]/);
		}
	});

	it('names an item and settings of a node only where there are some', () => {
		const outside = failures.map((failure) => said(failure, false));
		expect(outside.filter((text) => /item|Options|Give Up After|Timeout/.test(text))).toEqual([]);
	});

	it('blames the values for nothing but a response that is about them', () => {
		const blaming = failures.filter((failure) => /check the values/i.test(said(failure, true)));
		const statuses = blaming.map((failure) =>
			'status' in failure ? failure.status : failure.kind,
		);
		expect(statuses.filter((status) => Number(status) >= 400 && Number(status) < 500)).toEqual([
			400, 422,
		]);
	});

	it('says of a call that was not sent, and of no other, that it was not', () => {
		const unsent = failures.filter((failure) =>
			said(failure, true).includes(': the call was not sent'),
		);
		expect(unsent).toEqual(failures.filter(({ isUnsent }) => isUnsent));
	});

	it.each(['503 with a pause', 'a pause after 503'])(
		'tells of a pause its own status: %s',
		(name) => {
			const text = said(FAULTS[name] as CallFailure, true);
			expect(text).toMatch(
				/\(503\).*Try again later, or raise 'Give Up After \(Minutes\)' under Options$/,
			);
			expect(text).not.toMatch(/429|higher limit/);
		},
	);

	it('names the Timeout that was set, and where to raise it', () => {
		const [happened, hint] = failureWords(FAULTS['a call that took all its time'] as CallFailure, {
			inRun: true,
		});

		expect(happened).toBe("'Base URL' did not respond within 5000 ms ('Timeout') (ETIMEDOUT)");
		expect(hint).toMatch(/, or raise 'Timeout' under Options$/);
	});

	it('names the proxy where it wants a user and a password', () => {
		const [happened, hint] = failureWords({ kind: 'status', status: 407 }, { inRun: true });

		expect(happened).toMatch(/^The proxy .*requires a user name and password \(407\)$/);
		expect(hint).toContain("n8n's proxy settings");
	});
});
