import type { StoredWorkflow } from '../../../dev/n8nClient.ts';
import { type Page, sendForm } from './form';
import { type Gallery, storedNode } from './support';

interface Article {
	articleId: string;
	name: string;
	prices: { regular: { inclVat: number }; takeAway: { inclVat: number } };
}

/** The form that takes price lists, with a person who is signed in. */
export class PriceForm {
	private constructor(
		private readonly gallery: Gallery,
		readonly url: string,
	) {}

	/** The form of the published file. */
	static async of(gallery: Gallery, workflow: StoredWorkflow): Promise<PriceForm> {
		const { webhookId } = await storedNode(gallery.client, workflow, '.formTrigger');
		return new PriceForm(gallery, `${gallery.client.url}/form/${String(webhookId)}`);
	}

	/** The articles of the service. */
	articles(): Promise<Article[]> {
		return this.gallery.control<Article[]>('GET', '/state/articles');
	}

	/** Uploads a file. @returns the page that comes then */
	async upload(file: string | Buffer): Promise<Page> {
		const data = new FormData();
		data.append('field-0', new Blob([new Uint8Array(Buffer.from(file))], { type: 'text/csv' }), 'prices.csv');
		return await sendForm(this.url, data);
	}
}
