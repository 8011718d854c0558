import type { INodeParameters } from 'n8n-workflow';
import { GUID, RECORDS, fullForm, rows } from '../../support/sampleForm';

/** Every operation of both nodes, with its form filled in, and the record where it changes one. */
export const everyOperation = rows.map((row) => {
	const { id, operation, service } = row;
	const [resource = '', value = ''] = id.split('.');
	return {
		id,
		node: service.credential.replace('Api', ''),
		credential: service.credential,
		operation,
		parameters: { resource, operation: value, ...fullForm(row) } as INodeParameters,
		// A batch names the article, not where it is.
		record: id === 'article.batchUpdate' ? `Look at article ${GUID} ` : RECORDS[id],
	};
});

/** What a service has to answer for an operation to go on. */
export function answerTo(url: string, body: string): unknown {
	if (url.includes('batch-update')) return JSON.parse(body);
	return /WebBookings\?|\/customers|\/Recipients(\?|$)/.test(url) ? [] : {};
}
