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

	static async publish(gallery: Gallery): Promise<PriceForm> {
		const { companyId, brandId } = gallery.sandbox;
		const workflow = await gallery.publish('price-list-to-articles', {
			'Update 50 articles per call': { companyId, brandId },
		});
		return new PriceForm(gallery, await formUrl(gallery, workflow));
	}

	/** The articles of the service. */
	articles(): Promise<Article[]> {
		return this.gallery.control<Article[]>('GET', '/state/articles');
	}

	/** Uploads a CSV file, or one of another name. @returns the page that comes then */
	async upload(file: string | Buffer, name = 'prices.csv'): Promise<Page> {
		const data = new FormData();
		const type = name.endsWith('.csv') ? 'text/csv' : 'application/vnd.ms-excel';
		data.append('field-0', new Blob([new Uint8Array(Buffer.from(file))], { type }), name);
		return await sendForm(this.url, data);
	}
}
