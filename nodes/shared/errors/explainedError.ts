import type { Failure } from 'n8n-workflow';

import { plainText } from '../values/plainText';

/** An error that says what happened and how to fix it; only the place is added. */
export class ExplainedError extends Error {
	readonly description: string;

	constructor(
		message: string,
		description: string,
		/** The cause, in n8n's terms. */
		readonly failure?: Failure,
	) {
		super(plainText(message));
		this.description = plainText(description);
	}
}
