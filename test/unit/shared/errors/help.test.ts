import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ExpressionError } from 'n8n-workflow';

import { NoticesError } from '../../../../nodes/HospitalityBookingTrigger/poll/poll';
import { StateError } from '../../../../nodes/HospitalityBookingTrigger/state/stored';
import { unreadable as unreadableCredential } from '../../../../nodes/shared/auth/account';
import { anchorOf } from '../../../../nodes/shared/errors/help';
import { apiError, toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import { Outcomes } from '../../../../nodes/shared/operation/outcomes';
import { readMessages } from '../../../../scripts/messages.ts';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { toServiceDateTime } from '../../../../nodes/shared/values/dateTime';
import { anchorsOf } from '../../../support/anchors';
import { manifest, root } from '../../../support/packageSources';
import { FAULTS, PLACE, callError } from './failures';

const page = 'docs/troubleshooting.md';
const anchors = anchorsOf(readFileSync(join(root, page), 'utf8'));
const address = `${manifest.homepage.replace(/#.*/, '')}/blob/main/${page}`;

const unreadable = thrownBy(() => unreadableCredential(new Error('It is gone')));
/** A zone whose name is one word. */
const skippedTime = thrownBy(() => toServiceDateTime('2026-03-29T02:30', 'Start Time', 'CET'));

function thrownBy(work: () => unknown): unknown {
	try {
		return work();
	} catch (error) {
		return error;
	}
}

const errors: Record<string, { description?: string | null }> = {
	...Object.fromEntries(Object.entries(FAULTS).map(([name, failure]) => [name, callError(failure)])),
	'change that is lost': callError({ kind: 'connection', code: 'ECONNRESET' }, true),
	'value that must not be sent': toNodeError(PLACE, new InvalidValueError('Limit', 'is 0', 'More')),
	expression: toNodeError(PLACE, new ExpressionError('It is not valid')),
	'value that cannot be evaluated': toNodeError(PLACE, new Error('Expression evaluation failed')),
	unforeseen: toNodeError(PLACE, new Error('boom')),
	'refused by the response': apiError(PLACE, 'The service rejected the booking: No table', ['Correct it'], {
		status: 200,
		fields: [],
		text: '',
	}),
	'state of the trigger': toNodeError(PLACE, new StateError('cannot be read', 'Publish again')),
	'notice of the trigger': toNodeError(PLACE, new NoticesError(['one thing'])),
	'article that is rejected': apiError(PLACE, "The service rejected the article: 'Name': No (400)", [], {
		status: 400,
		fields: [],
		text: '',
	}),
	'credential that cannot be read': toNodeError(PLACE, unreadable),
	'label with an apostrophe': toNodeError(PLACE, new InvalidValueError("Guest's Name", 'is empty', 'More')),
	'time that one zone skips': toNodeError(PLACE, skippedTime),
};

/** The address that a description links to. */
const linkIn = ({ description }: { description?: string | null }) =>
	/ <a href="([^"]+)" target="_blank">Troubleshooting<\/a>$/.exec(description ?? '')?.[1];

test.each(Object.keys(errors))('the error "%s" links to its row of the page', (name) => {
	const [path, anchor] = linkIn(errors[name] ?? {})?.split('#') ?? [];

	expect(path).toBe(address);
	expect(anchors).toContain(anchor);
});

test.each([
	['status 401', 'the-service-rejected-the-access-token-and-a-new-one-too'],
	['status 429', 'the-service-is-rate-limiting-this-account'],
	['{"kind":"connection","code":"CERT_HAS_EXPIRED"}', 'the-certificate-of'],
	['change that is lost', 'the-change-may-have-been-made'],
	['value that must not be sent', 'is'],
	['label with an apostrophe', 'is-empty'],
	['time that one zone skips', 'is-a-time-that-the-clocks-of'],
	['unforeseen', 'messages'],
])('the error "%s" links to %s', (name, anchor) => {
	expect(linkIn(errors[name] ?? {})).toBe(`${address}#${anchor}`);
});

test('every message that the sources build has a row with its anchor', () => {
	const messages = readMessages();

	expect(messages.length).toBeGreaterThan(60);
	expect(messages.filter(({ happened }) => !anchors.includes(anchorOf(happened)))).toEqual([]);
});

test('an agent is given no link', () => {
	const node = { ...PLACE.node, type: `${PLACE.node.type}Tool` };
	const { description } = toNodeError({ ...PLACE, node }, new InvalidValueError('Limit', 'is 0', 'More'));

	expect(description).toBe('More.');
});

test('an error item is data and carries no link', () => {
	const outcomes = new Outcomes({ continueOnFail: () => true, getNode: () => PLACE.node }, 1);
	outcomes.add({ itemIndex: 0, error: callError({ kind: 'status', status: 400 }) });
	const [{ json = {} } = {}] = outcomes.result();

	expect(JSON.stringify(json)).not.toMatch(/<a|Troubleshooting/);
	expect(json).toMatchObject({ details: { description: 'Check the values of this item.' } });
});
