import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import omitBy from 'lodash/omitBy.js';
import type { JsonObject, StoredCredential, Workflow, WorkflowNode } from '../n8nClient.ts';
import { compareVersions } from '../n8nVersions.ts';
import { projectRoot } from '../paths.ts';

/** What a person enters where a file leaves a required parameter empty; the addresses of mails by the node's name. */
const FROM_EMAIL = 'bookings@example.com';
const TO_EMAIL = 'manager@example.com';
const TO_EMAILS: Record<string, string> = { 'Email the kitchen': 'kitchen@example.com' };
const TRY_AGAIN_AFTER_MS = 500;
/** What a person enters under _Your house_. */
const HOUSE: Record<string, string> = {
	'house.name': 'Harbour House',
	'house.phone': '+46 40 123 45 67',
	'house.reviewPage': 'example.com/reviews',
	'house.currency': 'EUR',
};
/** The number or sender that messages come from. */
const TWILIO_FROM = '+15005550006';

/** n8n refuses cron entries that run more than once a minute, but takes several: together every five seconds. */
const EVERY_FIVE_SECONDS = Array.from({ length: 12 }, (_, index) => ({
	mode: 'custom',
	cronExpression: `${index * 5} * * * * *`,
}));

/** The credential that a person chooses on a node, by the node's type. The files themselves name none. */
const CREDENTIAL_TYPES: Record<string, string> = {
	'@n8n/n8n-nodes-langchain.chatTrigger': 'httpBasicAuth',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi': 'openAiApi',
	'@n8n/n8n-nodes-langchain.mcpTrigger': 'httpBearerAuth',
	'n8n-nodes-base.emailSend': 'smtp',
	'n8n-nodes-base.formTrigger': 'httpBasicAuth',
	'n8n-nodes-base.googleSheets': 'googleSheetsOAuth2Api',
	'n8n-nodes-base.twilio': 'twilioApi',
	'n8n-nodes-hospitality-booking.hospitalityBooking': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityBookingTool': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityBookingTrigger': 'hospitalityBookingApi',
	'n8n-nodes-hospitality-booking.hospitalityPayment': 'hospitalityPaymentApi',
};

export interface WorkflowSettings {
	/** Used by the nodes that want a credential of that type. */
	credentials: StoredCredential[];
	/** Of the house's mails. */
	language?: string;
	/** From when new bookings are emitted, those before the publication included. */
	startFrom?: Date;
	/** Parameters that a person sets by hand, by the name of the node. */
	parameters?: Record<string, JsonObject>;
}

/** A workflow that people import, as it is in `workflows/<name>.json`. */
export function workflowFile(name: string): Workflow {
	const text = readFileSync(join(workflowsFolder(), `${name}.json`), 'utf8');
	return JSON.parse(text) as Workflow;
}

/** The first n8n that a workflow file runs on, as its page says; undefined where it runs on all. */
export function neededN8n(name: string): string | undefined {
	const page = readFileSync(join(projectRoot(), 'docs', 'workflows', 'README.md'), 'utf8');
	const row = page.split('\n').find((line) => line.includes(`workflows/${name}.json`)) ?? '';
	return /\(n8n (\d+(?:\.\d+)*) or later\)/.exec(row)?.[1];
}

/** Whether a workflow file runs on this version of n8n. */
export function runsOn(version: string, name: string): boolean {
	return compareVersions(version, neededN8n(name) ?? version) >= 0;
}

/**
 * Reads a workflow that people import and fills in what a person fills in by hand: credentials, addresses, the file's name and
 * the parameters given. Polls every five seconds instead of every minute, and waits a second at most.
 */
export function exampleWorkflow(name: string, settings: WorkflowSettings): Workflow {
	const workflow = workflowFile(name);
	const unknown = Object.keys(settings.parameters ?? {}).find(
		(node) => !workflow.nodes.some((one) => one.name === node),
	);
	if (unknown !== undefined) throw new Error(`${name}.json has no node "${unknown}".`);
	return { ...workflow, nodes: workflow.nodes.map((node) => fillIn(node, settings)) };
}

/** @returns the type of credential that a node needs; undefined where it needs none */
export function credentialTypeOf({ type }: WorkflowNode): string | undefined {
	return CREDENTIAL_TYPES[type];
}

/** `workflows/`. */
export function workflowsFolder(): string {
	return join(projectRoot(), 'workflows');
}

/** Nodes with an address, of which the editor makes a random one on import; n8n's API does not. */
const ADDRESS_TYPES = [
	'@n8n/n8n-nodes-langchain.chatTrigger',
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.formTrigger',
	'n8n-nodes-base.form',
	'@n8n/n8n-nodes-langchain.mcpTrigger',
	'n8n-nodes-base.wait',
];

function fillIn(node: WorkflowNode, settings: WorkflowSettings): WorkflowNode {
	const { credentials, parameters = {} } = settings;
	const type = credentialTypeOf(node);
	const credential = credentials.find((one) => one.type === type);
	if (type !== undefined && !credential) {
		throw new Error(`The node "${node.name}" needs a credential of type ${type}.`);
	}
	const address = ADDRESS_TYPES.includes(node.type)
		? { webhookId: node.webhookId ?? randomUUID() }
		: {};
	return {
		...node,
		...('waitBetweenTries' in node ? { waitBetweenTries: TRY_AGAIN_AFTER_MS } : {}),
		...address,
		...(credential && {
			credentials: { [credential.type]: { id: credential.id, name: credential.name } },
		}),
		parameters: {
			...node.parameters,
			...entriesOf(node, settings),
			...('pollTimes' in node.parameters ? { pollTimes: { item: EVERY_FIVE_SECONDS } } : {}),
			...(node.type === 'n8n-nodes-base.wait' ? { unit: 'seconds', amount: 1 } : {}),
			...(node.parameters.path === '' ? { path: address.webhookId } : {}),
			...parameters[node.name],
		},
	};
}

/** What a person enters in the parameters that a file leaves empty, and under _Your house_. */
function entriesOf(
	{ type, name, parameters }: WorkflowNode,
	settings: WorkflowSettings,
): JsonObject {
	const { language = 'en', startFrom } = settings;
	if (name === 'Your house') {
		const { assignments } = parameters.assignments as {
			assignments: Array<{ name: string; value: unknown }>;
		};
		const entered = new Map(Object.entries({ ...HOUSE, 'house.language': language }));
		const enter = (one: { name: string; value: unknown }) =>
			one.value === '' || one.value === 'en'
				? { ...one, value: entered.get(one.name) ?? one.value }
				: one;
		return { assignments: { assignments: assignments.map(enter) } };
	}
	if (startFrom && parameters.event === 'bookingCreated') {
		return {
			options: { ...(parameters.options as JsonObject), startFrom: startFrom.toISOString() },
		};
	}
	if (type === 'n8n-nodes-base.twilio') return { from: TWILIO_FROM };
	if (type !== 'n8n-nodes-base.emailSend') return {};
	const entries: JsonObject = { fromEmail: FROM_EMAIL, toEmail: TO_EMAILS[name] ?? TO_EMAIL };
	return omitBy(entries, (_, parameter) => parameters[parameter] !== '');
}
