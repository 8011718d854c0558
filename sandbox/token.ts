import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Provider, errors } from 'oidc-provider';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ACCOUNT } from './info.ts';

const SCOPE = 'publicAPI';

/** Tokens in memory: what oidc-provider stores, until it has expired or is revoked. */
class TokenStore {
	private readonly records = new Map<string, { payload: AdapterPayload; expires: number }>();

	adapter(kind: string): Adapter {
		const key = (id: string) => `${kind}:${id}`;
		return {
			upsert: async (id, payload, expiresIn: number | undefined) => {
				this.forgetExpired();
				this.records.set(key(id), {
					payload,
					expires: Date.now() + (expiresIn ?? Infinity) * 1000,
				});
			},
			find: async (id) => {
				const record = this.records.get(key(id));
				return record && record.expires > Date.now() ? record.payload : undefined;
			},
			destroy: async (id) => void this.records.delete(key(id)),
			consume: async () => undefined,
			revokeByGrantId: async () => undefined,
			findByUid: async () => undefined,
			findByUserCode: async () => undefined,
		};
	}

	clear(): void {
		this.records.clear();
	}

	private forgetExpired(): void {
		const now = Date.now();
		for (const [key, { expires }] of this.records) if (expires <= now) this.records.delete(key);
	}
}

/** The identity endpoint `/connect/token` (@see contract/openapi.yaml token.issue), served by oidc-provider. */
export class TokenIssuer {
	/** Seconds a token is valid after issue. */
	lifetimeSeconds = 3600;
	private readonly store = new TokenStore();
	private readonly provider: Provider;
	private readonly handle: (request: IncomingMessage, response: ServerResponse) => Promise<void>;

	/**
	 * @param issuer address of the sandbox
	 * @param onForm called with the form fields of each token request
	 */
	constructor(
		issuer: string,
		onForm: (request: IncomingMessage, form: Record<string, unknown>) => void,
	) {
		const { privateKey } = generateKeyPairSync('ed25519');
		this.provider = new Provider(issuer, {
			adapter: (kind: string) => this.store.adapter(kind),
			clients: [
				{
					client_id: ACCOUNT.clientId,
					client_secret: ACCOUNT.clientSecret,
					grant_types: ['client_credentials'],
					redirect_uris: [],
					response_types: [],
					token_endpoint_auth_method: 'client_secret_post',
					id_token_signed_response_alg: 'EdDSA',
				},
			],
			clientBasedCORS: () => true,
			scopes: [SCOPE],
			routes: { token: '/connect/token' },
			features: { clientCredentials: { enabled: true }, devInteractions: { enabled: false } },
			enabledJWA: { idTokenSigningAlgValues: ['EdDSA'] },
			jwks: {
				keys: [
					{ ...privateKey.export({ format: 'jwk' }), alg: 'EdDSA', use: 'sig', kid: 'sandbox' },
				],
			},
			cookies: { keys: [randomBytes(16).toString('hex')] },
			ttl: { ClientCredentials: () => this.lifetimeSeconds },
			extraTokenClaims: (context) => {
				refuseOtherScopes(formOf(context)['scope']);
				return undefined;
			},
		});
		this.provider.use(async (context, next) => {
			await next();
			onForm(context.req, formOf(context));
		});
		this.handle = this.provider.callback();
	}

	/** Responds to a request to `/connect/token`. */
	async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
		await this.handle(request, response);
	}

	/** Whether a bearer token was issued here and is neither expired nor revoked. */
	async accepts(token: string): Promise<boolean> {
		const found = await this.provider.ClientCredentials.find(token);
		return found?.isValid ?? false;
	}

	/** Makes every issued token invalid. */
	revokeAll(): void {
		this.store.clear();
	}
}

/** The form fields of a token request as oidc-provider read them; none if it was not a form. */
function formOf(context: object): Record<string, unknown> {
	const { oidc } = context as { oidc?: unknown };
	return (oidc as { body?: Record<string, unknown> } | undefined)?.body ?? {};
}

/** oidc-provider ignores unknown scopes; the service knows one scope and rejects any other. */
function refuseOtherScopes(scope: unknown): void {
	const asked = typeof scope === 'string' ? scope.split(' ').filter(Boolean) : [];
	if (asked.length === 0) {
		throw new errors.InvalidScope('the scope publicAPI must be requested', '');
	}
	const unknown = asked.find((name) => name !== SCOPE);
	if (unknown !== undefined) throw new errors.InvalidScope('requested scope is not known', unknown);
}
