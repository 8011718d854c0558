import { readdirSync } from 'node:fs';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import { workflowFile, workflowsFolder } from '../../dev/demo/workflows.ts';
import { callError } from './shared/errors/failures';

/** A text of one line, in which a guest begins another. */
const FORGED = 'A\r\nFORGED';
const OF_GUEST = ['guestName', 'guestEmail', 'guestPhone', 'name', 'email', 'phone'];
const [START, END] = ['2026-11-25T18:00:00.000+01:00', '2026-11-25T20:00:00.000+01:00'];

/** What a guest can have written, and what the service adds. */
const WRITTEN = {
	...Object.fromEntries(OF_GUEST.map((field) => [field, FORGED])),
	...{ bookingNumber: 'B1', guid: 'g', id: 'i' },
	...{ start: START, end: END, respondedTime: START, lastChanged: START },
	...{ guests: 2, score: 1, chargeShouldPayAmount: 5, language: 'en', paymentEvents: [{ bookingRootId: 1 }] },
};

/** The text that a template of n8n comes to, where each node has put out `json`. */
function filledIn(template: string, json: object, nodes: Record<string, object> = {}): string {
	const node = (name: string) => {
		const item = { json: { ...json, ...nodes[name] } };
		const all = () => [item];
		const params = { fromEmail: 'a@example.com', toEmail: 'b@example.com', url: 'https://example.com' };
		const isExecuted = Object.keys(nodes).length === 0 || name in nodes;
		return { item, all, params, isExecuted, first: () => item, itemMatching: () => item };
	};
	const context = { DateTime, $json: json, $: node, $input: { all: () => [{ json }] }, $now: DateTime.now() };
	return template
		.replace(/^=/, '')
		.replace(/\{\{(.*?)\}\}(?!\})/gs, (_, code: string) => String(runInNewContext(code, { ...context })));
}

const MAILS = readdirSync(workflowsFolder()).flatMap((file) => {
	const { nodes } = workflowFile(file.replace('.json', ''));
	return nodes
		.filter(({ type, parameters }) => type === 'n8n-nodes-base.emailSend' && 'text' in parameters)
		.map((node) => [file, node.name, String(node.parameters.text)] as const);
});
/** Not these: the sender of a price list writes it, a mail service only gets addresses that were checked, and the rest tells of n8n's own errors. */
const isOfGuests = ([file, name, template]: (typeof MAILS)[number]) =>
	file !== 'price-list-to-articles.json' && !(name === 'Tell me what failed' && !template.includes('$input'));

it.each(MAILS.filter(isOfGuests))('%s: in "%s" a guest begins no line of their own', (_, __, template) => {
	const failed = { ...WRITTEN, error: { message: 'It did not work' } };
	for (const json of [WRITTEN, failed]) expect(filledIn(template, json)).not.toMatch(/^FORGED/m);
});

it.each(['Has it one email address?', 'Had it one email address?'])(
	'reminder-and-review-request names the booking whose guest could not be written to, after "%s"',
	(name) => {
		const [, , template = ''] =
			MAILS.find(([file, node]) => file.startsWith('reminder') && node === 'Tell me what failed') ?? [];
		const text = filledIn(template, { error: 'No recipients' }, { [name]: { bookingNumber: 'B7' } });
		expect(text).toBe('Booking B7: No recipients');
	},
);

it.each(MAILS.filter(([, , text]) => text.includes('error.description')))(
	'%s: in "%s" a poll that failed is told in plain text, with the address',
	(_, __, text) => {
		const error = callError({ kind: 'status', status: 403 });
		const mail = filledIn(text, { trigger: { error } });

		expect(mail).toMatch(/^The account is not allowed to do this \(403\) – Get many customers\nAsk /);
		expect(mail).toMatch(/'System'\.\nhttps:\S+#the-account-is-not-allowed-to-do-this$/);
	},
);
