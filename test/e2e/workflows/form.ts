import pWaitFor from 'p-wait-for';
import type { StoredWorkflow } from '../../../harness/n8nClient.ts';
import { FORM_LOGIN, type Gallery } from './support';

const SHOWN_WITHIN_MS = 30_000;
const LOOK_EVERY_MS = 100;
const headers = {
	authorization: `Basic ${Buffer.from(`${FORM_LOGIN.user}:${FORM_LOGIN.password}`).toString('base64')}`,
};

/** A page of a form, as somebody sees it. */
export interface Page {
	text: string;
	/** Where the page is. */
	url: string;
	/** Answers the question below what the page shows. @returns the next page */
	answer(choice: string): Promise<Page>;
}

/** The address of a published form. */
export async function formUrl({ client }: Gallery, workflow: StoredWorkflow): Promise<string> {
	const { nodes } = (await client.request('GET', `/rest/workflows/${workflow.id}`)) as {
		nodes: Array<{ type: string; webhookId: string }>;
	};
	const trigger = nodes.find(({ type }) => type.endsWith('.formTrigger'));
	return `${client.url}/form/${trigger?.webhookId}`;
}

/** What a page shows now; nothing before the next page is there, when n8n would leave the request open. */
async function look(address: string): Promise<string> {
	const status = new URL(address);
	status.pathname += '/n8n-execution-status';
	if ((await (await fetch(status, { headers })).text()) === 'running') return '';
	return await (await fetch(address, { headers })).text();
}

/** Sends a page as a person who is signed in, and waits until another one than `before` comes. */
export async function sendForm(url: string, data: FormData, before = ''): Promise<Page> {
	const response = await fetch(url, { method: 'POST', headers, body: data });
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
	const text = await pWaitFor<string>(
		async () => {
			const html = await look(formWaitingUrl);
			return html.includes('<h1>') && html !== before && pWaitFor.resolveWith(html);
		},
		{
			interval: LOOK_EVERY_MS,
			timeout: { milliseconds: SHOWN_WITHIN_MS, message: 'The form shows no page.' },
		},
	);
	const answer = async (choice: string) => {
		const chosen = new FormData();
		chosen.append('field-1', choice);
		return await sendForm(formWaitingUrl, chosen, text);
	};
	return { text, url: formWaitingUrl, answer };
}
