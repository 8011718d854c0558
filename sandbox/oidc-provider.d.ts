/** What the sandbox uses of it. */
declare module 'oidc-provider' {
	import type { IncomingMessage, ServerResponse } from 'node:http';

	export type AdapterPayload = Record<string, unknown>;

	export interface Adapter {
		upsert(id: string, payload: AdapterPayload, expiresIn: number): Promise<void>;
		find(id: string): Promise<AdapterPayload | undefined>;
		destroy(id: string): Promise<void>;
		consume(id: string): Promise<void>;
		revokeByGrantId(id: string): Promise<void>;
		findByUid(id: string): Promise<AdapterPayload | undefined>;
		findByUserCode(id: string): Promise<AdapterPayload | undefined>;
	}

	/** Koa's, with what oidc-provider has read. */
	export interface Context {
		req: IncomingMessage;
		oidc: { body?: Record<string, unknown> };
	}

	export class Provider {
		constructor(
			issuer: string,
			configuration: Record<string, unknown> & {
				extraTokenClaims: (context: Context) => undefined;
				adapter: (kind: string) => Adapter;
			},
		);
		readonly ClientCredentials: { find(token: string): Promise<{ isValid: boolean } | undefined> };
		use(middleware: (context: Context, next: () => Promise<void>) => Promise<void>): void;
		callback(): (request: IncomingMessage, response: ServerResponse) => Promise<void>;
	}

	export const errors: {
		InvalidScope: new (message: string, scope: string) => Error;
	};
}
