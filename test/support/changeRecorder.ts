import fastify from 'fastify';

/** One item that the node behind the trigger delivered. */
export interface Arrival {
	guid: string;
	/** The change stamp, as the service gave it. */
	stamp: string;
	/** n8n's number of the execution that delivered it. */
	execution: string;
	/** 'Add Event Details'. */
	event: { id: string; type: string; time: string };
}

/** A service outside n8n that notes every delivery, also of what it has had before. */
export interface ChangeRecorder {
	/** e.g. `http://127.0.0.1:41234/changes` */
	url: string;
	arrivals: readonly Arrival[];
	/** Leaves deliveries unanswered from now on, and resolves with the first of them. */
	hold(): Promise<Arrival>;
	/** Answers what was held, where somebody still waits for it, and what comes from now on. */
	release(): void;
	close(): Promise<void>;
}

export async function startChangeRecorder(): Promise<ChangeRecorder> {
	const arrivals: Arrival[] = [];
	let held: ((arrival: Arrival) => void) | undefined;
	let waiting: Array<() => void> = [];
	const app = fastify({ forceCloseConnections: true });
	app.post<{ Body: Arrival }>('/changes', async ({ body }, reply) => {
		arrivals.push(body);
		if (held) {
			held(body);
			await new Promise<void>((answer) => waiting.push(answer));
		}
		return reply.send({ noted: arrivals.length });
	});
	const address = await app.listen({ host: '127.0.0.1', port: 0 });
	return {
		url: `${address}/changes`,
		arrivals,
		hold: () => new Promise((resolve) => (held = resolve)),
		release: () => {
			held = undefined;
			for (const answer of waiting) answer();
			waiting = [];
		},
		close: () => app.close(),
	};
}
