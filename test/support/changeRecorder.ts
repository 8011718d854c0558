import type { ServerResponse } from 'node:http';
import { type TestServer, sendJson, startServer } from '../engine/support/server';

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
export class ChangeRecorder {
	readonly arrivals: Arrival[] = [];
	private readonly waiting: ServerResponse[] = [];
	private held: ((arrival: Arrival) => void) | undefined;
	private server!: TestServer;

	static async start(): Promise<ChangeRecorder> {
		const recorder = new ChangeRecorder();
		recorder.server = await startServer(({ body }, response) => {
			recorder.note(JSON.parse(body) as Arrival, response);
		});
		return recorder;
	}

	private note(arrival: Arrival, response: ServerResponse): void {
		this.arrivals.push(arrival);
		this.waiting.push(response);
		if (this.held) this.held(arrival);
		else this.release();
	}

	get url(): string {
		return this.server.url;
	}

	/** Leaves deliveries unanswered from now on, and resolves with the first of them. */
	hold(): Promise<Arrival> {
		return new Promise((resolve) => (this.held = resolve));
	}

	/** Answers what was held, where somebody still waits for it, and what comes from now on. */
	release(): void {
		this.held = undefined;
		for (const response of this.waiting.splice(0)) sendJson(response, {});
	}

	async close(): Promise<void> {
		await this.server.close();
	}
}
