/** The response of a route; date-times are in UTC. */
export interface Answer {
	status: number;
	/** undefined sends no body. */
	body?: unknown;
	headers?: Record<string, string>;
}

/** A 200 with a body. */
export function ok(body: unknown): Answer {
	return { status: 200, body };
}
