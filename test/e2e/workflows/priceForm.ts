import type { JsonObject } from '../../../dev/n8nClient.ts';
import { formUrl, type Page, sendForm } from './form';
import type { Gallery } from './support';

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

	/** @param parameters that somebody enters besides the company and the brand */
	static async publish(gallery: Gallery, parameters: Record<string, JsonObject> = {}): Promise<PriceForm> {
		const { companyId, brandId } = gallery.sandbox;
		const workflow = await gallery.publish('price-list-to-articles', {
			'Update 50 articles per call': { companyId, brandId },
			...parameters,
		});
		return new PriceForm(gallery, await formUrl(gallery, workflow));
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
