import type { IDataObject } from 'n8n-workflow';

import { namedPlaces } from '../../nodes/HospitalityBooking/resources/article/places';
import { unreadableNotices } from '../../nodes/HospitalityBookingTrigger/follow/notices';
import { IdSet } from '../../nodes/HospitalityBookingTrigger/poll/idSet';
import { rootIdsOf } from '../../nodes/shared/booking/bookingNumbers';
import { namedStatuses } from '../../nodes/shared/booking/recentNames';
import { callableNumber } from '../../nodes/shared/booking/phone';
import { redacted } from '../../nodes/shared/errors/secrets';
import {
	readServiceMessage,
	readValidationResults,
} from '../../nodes/shared/errors/serviceMessage';
import { parseError, readJson } from '../../nodes/shared/http/readJson';
import { readRetryAfter } from '../../nodes/shared/http/retryAfter';
import { isGuid } from '../../nodes/shared/values/address';
import { isBlank } from '../../nodes/shared/values/blank';
import { closestName } from '../../nodes/shared/values/closestName';
import { KeyMap, KeySet, groupedBy } from '../../nodes/shared/values/keys';
import { LongNumber } from '../../nodes/shared/values/longNumber';
import { toNumber } from '../../nodes/shared/values/number';
import { plainText, quoted } from '../../nodes/shared/values/plainText';
import { comparable, oneLine, withoutAccents } from '../../nodes/shared/values/text';
import { readTimestamp } from '../../nodes/shared/values/timestamp';
import { expectLinear } from '../support/cpu';

const SECRETS = ['a-secret-of-a-client', 'x'.repeat(400)];

/** Texts of 17,000 characters that differ in their last ones: V8 hashes them by their length alone. */
function longTexts(count: number): string[] {
	return Array.from({ length: count }, (_, index) =>
		'1'.repeat(16_990).concat(String(index).padStart(10, '0')),
	);
}

const linearInLongTexts: Array<[what: string, work: (texts: string[]) => unknown]> = [
	['a map', (texts) => new KeyMap(texts.map((text) => [text, text]))],
	['a set', (texts) => new KeySet(texts)],
	['what is grouped', (texts) => groupedBy(texts, (text) => text)],
	[
		'the messages of validation results',
		(texts) => {
			const generalErrors = texts.map((message) => ({ message }));
			return readValidationResults({ validationResult: { generalErrors } }, 'Errors');
		},
	],
	[
		'the messages of validation results, filled in',
		(texts) => {
			const generalErrors = texts.map((a, index) => ({
				message: `${'{a}'.repeat(50)}${index}`,
				messageData: { a },
			}));
			return readServiceMessage({ validationResult: { generalErrors } }, SECRETS);
		},
	],
	[
		'what is said of fields',
		(texts) => {
			const validationErrors = texts.map((field) => ({ field, errorId: field }));
			return readServiceMessage({ validationErrors }, SECRETS);
		},
	],
	[
		'the GUIDs of records',
		(texts) =>
			new IdSet(
				'guid',
				texts.map((guid) => ({ guid })),
			),
	],
	[
		'the names of statuses',
		(texts) =>
			namedStatuses([{ history: texts.map((statusName, status) => ({ statusName, status })) }]),
	],
	[
		'numbers in the checkout',
		(texts) => rootIdsOf(texts.map((bookingRootId) => ({ bookingRootId }))),
	],
	['the names of records in a notice', (texts) => unreadableNotices(texts)],
	[
		'the places of articles',
		(texts) =>
			namedPlaces(
				texts.map((field) => ({ field, message: field })),
				9,
			),
	],
	['the names of fields', (texts) => readJson(`[{"${texts.join('":1},{"')}":1}]`)],
	['texts of a response', (texts) => readJson(JSON.stringify(texts))],
];

it.each(linearInLongTexts)(
	'four times as many long texts of one length take four times as long in %s',
	async (_, work) => {
		const few = longTexts(450);
		const many = longTexts(1_800);
		await expectLinear(
			() => work(few),
			() => work(many),
			4,
		);
	},
);

/** What a text is made of, again and again. */
const UNITS = [
	'x',
	' ',
	'\\',
	'"',
	'0',
	'-',
	'<',
	'&#',
	'&amp;',
	'{',
	'[',
	'\u200b',
	'ﷺ',
	'a\u0301',
	'👨‍👩‍👧',
	'\ud83d',
	'eyJ.',
	'eyJ-',
	'<title',
	'<a href="',
	'+49 ',
	'(',
	'2026-',
];

const linearInOneText: Array<[what: string, read: (text: string) => unknown]> = [
	['comparable', comparable],
	['withoutAccents', withoutAccents],
	['oneLine', oneLine],
	['plainText', (text) => plainText(text)],
	['quoted', quoted],
	['redacted', (text) => redacted(text, SECRETS)],
	['readServiceMessage of a text', (text) => readServiceMessage(text, SECRETS)],
	[
		'readServiceMessage of a record',
		(text) => readServiceMessage({ title: text, detail: text, errors: { [text]: text } }, SECRETS),
	],
	['readJson', readJson],
	['readJson of a text', (text) => readJson(JSON.stringify(text))],
	['parseError', parseError],
	['readTimestamp', (text) => readTimestamp(text, 'Europe/Berlin')],
	['readRetryAfter', (text) => readRetryAfter({ 'retry-after': text } as IDataObject)],
	['isBlank', isBlank],
	['isGuid', isGuid],
	['toNumber', toNumber],
	['LongNumber.from', (text) => LongNumber.from(text)],
	['closestName', (text) => closestName(text, ['Canceled', 'No-show'])],
	['callableNumber', callableNumber],
];

it.each(linearInOneText)('%s takes no longer than a text is long', async (_, read) => {
	for (const unit of UNITS) {
		const text = (length: number) => unit.repeat(Math.ceil(length / unit.length)).concat('!');
		const short = text(12_000);
		const long = text(48_000);
		const often = (given: string) => {
			for (let times = 0; times < 10; times++) read(given);
		};
		await expectLinear(
			() => often(short),
			() => often(long),
			4,
		);
	}
});

it.each<[what: string, message: (index: number) => unknown]>([
	[
		'with data to fill in',
		(index) => ({
			propertyName: `p${index}`,
			message: '{a}'.repeat(170),
			messageData: { a: 'x'.repeat(120) },
		}),
	],
	['all the same', () => ({ message: 'a' })],
	['that say nothing', () => ''],
])('reads no more of the messages of a check-out than people can read: %s', (_, message) => {
	const generalErrors = Array.from({ length: 40_000 }, (__, index) => message(index));
	const body = { validationResult: { generalErrors } };
	const read = readValidationResults(body, 'Errors');
	const characters = read.map((each) => each.message.length);

	expect(read.length).toBeLessThanOrEqual(500);
	expect(Math.max(0, ...characters)).toBeLessThanOrEqual(20_000);
	expect(JSON.stringify(read).length).toBeLessThan(600_000);
});
