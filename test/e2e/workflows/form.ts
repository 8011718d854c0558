import FormData from 'form-data';
import type { N8nClient, StoredWorkflow } from '../../../dev/n8nClient.ts';
import { eventually } from '../../../dev/eventually.ts';
import { basicAuth, type Gallery, LOGIN, storedNode } from './support';

const SHOWN_WITHIN_MS = 30_000;
const headers = basicAuth(LOGIN);

/** A page of a form, as somebody sees it. */
export interface Page {
	text: string;
	/** Where the page is. */
	url: string;
	/** Answers the question below what the page shows. @returns the next page */
	answer(choice: string): Promise<Page>;
}

/** What a page shows now; nothing before the next page is there, when n8n would leave the request open. */
async function look(address: string): Promise<string> {
	const status = new URL(address);
	status.pathname += '/n8n-execution-status';
	if ((await (await fetch(status, { headers })).text()) === 'running') return '';
	return await (await fetch(address, { headers })).text();
}

/** Posts what somebody entered as a browser does: as multipart/form-data. */
async function post(url: string, data: FormData, signedIn = {}): Promise<Response> {
	return await fetch(url, {
		method: 'POST',
		headers: data.getHeaders(signedIn),
		body: new Uint8Array(data.getBuffer()),
	});
}

/** Sends a page as a person who is signed in, and waits until another one than `before` comes. */
async function sendForm(url: string, data: FormData, before = ''): Promise<Page> {
	const response = await post(url, data, headers);
	const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
	const isNext = (html: string) => html.includes('<h1>') && html !== before && html;
	const text = await eventually(
		'the next page of the form',
		async () => isNext(await look(formWaitingUrl)),
		SHOWN_WITHIN_MS,
	);
	const answer = async (choice: string) => {
		const chosen = new FormData();
		chosen.append('field-1', choice);
		return await sendForm(formWaitingUrl, chosen, text);
	};
	return { text, url: formWaitingUrl, answer };
}

/** What the link in a guest's email holds, and what the guest chooses on the page. */
interface Answer {
	booking: string;
	start: string;
	choice: string;
}

/** Presses _Send_ on the page of a guest. @returns the page that says what came of it */
export async function sendAnswer(url: string, { booking, start, choice }: Answer): Promise<string> {
	const data = new FormData();
	data.append('field-0', booking);
	data.append('field-1', start);
	data.append('field-2', choice);
	return (await sendForm(url, data)).text;
}

interface Article {
	articleId: string;
	name: string;
	prices: { regular: { inclVat: number }; takeAway: { inclVat: number } };
}

/** The address of the form that a published file begins with. */
export async function formUrl(client: N8nClient, workflow: StoredWorkflow): Promise<string> {
	const { webhookId } = await storedNode(client, workflow, '.formTrigger');
	return `${client.url}/form/${String(webhookId)}`;
}

export type PriceForm = Awaited<ReturnType<typeof openPriceForm>>;

/** The form of the published file that takes price lists, with a person who is signed in. */
export async function openPriceForm({ client, control }: Gallery, workflow: StoredWorkflow) {
	const url = await formUrl(client, workflow);
	return {
		url,
		/** The articles of the service. */
		articles: () => control<Article[]>('GET', '/state/articles'),
		/** Uploads a file. @returns the page that comes then */
		upload: async (file: string | Buffer) => {
			const data = new FormData();
			data.append('field-0', Buffer.from(file), {
				filename: 'prices.csv',
				contentType: 'text/csv',
			});
			return await sendForm(url, data);
		},
	};
}
