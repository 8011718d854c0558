import pWaitFor from 'p-wait-for';
import { FORM_LOGIN, type Gallery } from './support';

const SHOWN_WITHIN_MS = 30_000;
const LOOK_MS = 2_000;
const headers = {
	authorization: `Basic ${Buffer.from(`${FORM_LOGIN.user}:${FORM_LOGIN.password}`).toString('base64')}`,
};

interface Article {
	articleId: string;
	name: string;
	prices: { regular: { inclVat: number }; takeAway: { inclVat: number } };
}

/** What a page shows now; nothing while n8n leaves the request open, as it does before the next page is there. */
async function look(url: string): Promise<string> {
	try {
		const page = await fetch(url, { headers, signal: AbortSignal.timeout(LOOK_MS) });
		return await page.text();
	} catch {
		return '';
	}
}

/** A page of the form, as somebody sees it. */
export interface Page {
	text: string;
	/** Answers 'Send these prices?'. @returns the next page */
	answer(choice: string): Promise<Page>;
}

/** The form that takes price lists, with a person who is signed in. */
export class PriceForm {
	private constructor(
		private readonly gallery: Gallery,
		readonly url: string,
	) {}

	static async publish(gallery: Gallery): Promise<PriceForm> {
		const { companyId, brandId } = gallery.sandbox;
		const { workflow } = await gallery.publish('price-list-to-articles', {
			'Update 50 articles per call': { companyId, brandId },
		});
		const { nodes } = (await gallery.client.request('GET', `/rest/workflows/${workflow.id}`)) as {
			nodes: Array<{ type: string; webhookId: string }>;
		};
		const trigger = nodes.find(({ type }) => type.endsWith('.formTrigger'));
		return new PriceForm(gallery, `${gallery.client.url}/form/${trigger?.webhookId}`);
	}

	/** The articles of the service. */
	articles(): Promise<Article[]> {
		return this.gallery.control<Article[]>('GET', '/state/articles');
	}

	/** Uploads a CSV file. @returns the page that comes then */
	async upload(file: string | Buffer): Promise<Page> {
		const data = new FormData();
		data.append('field-0', new Blob([new Uint8Array(Buffer.from(file))], { type: 'text/csv' }), 'prices.csv');
		return await this.send(this.url, data, '');
	}

	/** Sends a page and waits until another one comes. */
	private async send(url: string, data: FormData, before: string): Promise<Page> {
		const response = await fetch(url, { method: 'POST', headers, body: data });
		const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
		const text = await pWaitFor<string>(
			async () => {
				const html = await look(formWaitingUrl);
				return html.includes('<h1>') && html !== before && pWaitFor.resolveWith(html);
			},
			{ interval: 200, timeout: { milliseconds: SHOWN_WITHIN_MS, message: 'The form shows no page.' } },
		);
		const answer = async (choice: string) => {
			const chosen = new FormData();
			chosen.append('field-1', choice);
			return await this.send(formWaitingUrl, chosen, text);
		};
		return { text, answer };
	}
}
