import get from 'lodash/get';
import map from 'lodash/map';

import { bookingService } from '../../../../nodes/HospitalityBooking/resources';
import { paymentService } from '../../../../nodes/HospitalityPayment/resources';
import { MAX_WINDOW } from '../../../../nodes/shared/http/limiter';
import type { ItemContext } from '../../../../nodes/shared/operation/operation';
import { optionsOf, readRunSettings } from '../../../../nodes/shared/operation/options';
import { rows } from '../../../support/sampleForm';

const settingsOf = (options: object, evaluated = options) => {
	const getParameter = (name: string): unknown => get({ options: evaluated }, name);
	return readRunSettings({
		getParameter,
		node: { parameters: { options } },
	} as unknown as ItemContext);
};

describe('settings of a run', () => {
	it('are automatic, ten minutes and five minutes where nothing is filled in', () => {
		expect(settingsOf({})).toEqual({
			concurrencyLimit: MAX_WINDOW,
			giveUpAfterMs: 600_000,
			timeout: 300_000,
		});
	});

	it('are those of the form', () => {
		const filledIn = {
			concurrencyLimit: 4,
			giveUpAfter: 2,
			timeout: 5_000,
		};
		expect(settingsOf(filledIn)).toEqual({
			concurrencyLimit: 4,
			giveUpAfterMs: 120_000,
			timeout: 5_000,
		});
	});

	it.each<[string, object, string]>([
		['concurrencyLimit', { concurrencyLimit: 201 }, "'Concurrency Limit' is 201"],
		['concurrencyLimit', { concurrencyLimit: 1.5 }, "'Concurrency Limit' is 1.5"],
		['giveUpAfter', { giveUpAfter: 1441 }, "'Give Up After (Minutes)' is 1441"],
		['giveUpAfter', { giveUpAfter: -1 }, "'Give Up After (Minutes)' is -1"],
		['timeout', { timeout: 0 }, "'Timeout' is 0"],
		['timeout', { timeout: '9007199254740993' }, "'Timeout' is 9007199254740993"],
	])('are refused by name outside their bounds: %s %j', (_, options, said) => {
		expect(() => settingsOf(options)).toThrow(said);
	});

	it.each<[string, string]>([
		['concurrencyLimit', "'Concurrency Limit' is empty"],
		['giveUpAfter', "'Give Up After (Minutes)' is empty"],
		['timeout', "'Timeout' is empty"],
	])(
		'are refused where an expression comes out empty, and standard where a blank was left: %s',
		(name, said) => {
			for (const value of [undefined, null, '', ' ']) {
				expect(() => settingsOf({ [name]: '={{ $json.none }}' }, { [name]: value })).toThrow(said);
			}
			expect(settingsOf({ [name]: ' ' })).toEqual(settingsOf({}));
		},
	);
});

describe('the options of an operation', () => {
	const OF_ALL = ['Concurrency Limit', 'Give Up After (Minutes)', 'Timeout'];
	const WITHOUT_SYSTEM = ['article.batchUpdate', 'surveyRecipient.getWithSurvey'];

	it.each(rows)('are sorted, with System where it takes one: $id', (row) => {
		const isBooking = row.service === bookingService;
		expect(isBooking || row.service === paymentService).toBe(true);
		const names = map(optionsOf(row.operation).options, 'displayName');

		expect(names).toEqual([...names].sort());
		expect(names).toEqual(expect.arrayContaining(OF_ALL));
		expect(names.includes('System')).toBe(isBooking && !WITHOUT_SYSTEM.includes(row.id));
		expect(names).toEqual(
			expect.arrayContaining(map(row.operation.options, 'property.displayName')),
		);
	});
});
