import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import isUndefined from 'lodash/isUndefined';
import memoize from 'lodash/memoize';
import omitBy from 'lodash/omitBy';
import type { Message, Operation, Schema } from '../../../contract/model';
import { contractSchema, createAjv } from '../../../contract/model';
import type { SandboxInfo } from '../../../sandbox/info.ts';
import { contract, operation } from './contract';

/** What a call gives beside the operation; what is undefined is left out. */
export interface CallInput {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	headers?: Record<string, string | undefined>;
	body?: unknown;
}

/** An answer as it came. */
export interface HttpAnswer {
	status: number;
	headers: Record<string, string | string[] | undefined>;
	text: string;
}

/** An answer with its JSON body; undefined when there was none. */
export interface Answer extends HttpAnswer {
	body: unknown;
}

/** Sends any request at all, a GET with a body included. Rejects when the connection breaks. */
export async function send(
	url: string,
	method: string,
	headers: Record<string, string | undefined>,
	body?: string,
): Promise<HttpAnswer> {
	const given = omitBy(headers, isUndefined) as Record<string, string>;
	return await new Promise((resolve, reject) => {
		const call = request(url, { method, headers: given }, (response) => {
			const { statusCode: status = 0, headers: answered } = response;
			readText(response).then((text) => resolve({ status, headers: answered, text }), reject);
		});
		call.once('error', reject);
		// Node sends the body of a GET only with its length.
		if (body !== undefined) call.setHeader('content-length', Buffer.byteLength(body));
		call.end(body);
	});
}

/** The Digest header of a body. */
export function digest(body: string): string {
	return `SHA-256=${createHash('sha256').update(body).digest('base64')}`;
}

const ajv = createAjv(contract);
const validatorOf = memoize((schema: Schema) => ajv.compile(contractSchema(schema)));

function documented({ id, responses }: Operation, status: number): Message {
	const response = responses[String(status)] ?? responses[`${Math.floor(status / 100)}XX`];
	if (!response) throw new Error(`${id} answered ${status}, which the contract does not have`);
	return response;
}

/** Calls operations by the contract, and holds every answer against it. */
export class ContractClient {
	readonly info: SandboxInfo;
	private token?: string;

	constructor(info: SandboxInfo) {
		this.info = info;
	}

	/** An access token, fetched once. */
	async accessToken(): Promise<string> {
		this.token ??= await this.fetchToken();
		return this.token;
	}

	/** A new access token; the following calls use it. */
	async fetchToken(): Promise<string> {
		const { body } = await this.call('token.issue', { body: this.tokenForm() });
		this.token = (body as { access_token: string }).access_token;
		return this.token;
	}

	/** The form fields that get a token. */
	tokenForm(): Record<string, string> {
		const { clientId, clientSecret } = this.info;
		return {
			grant_type: 'client_credentials',
			client_id: clientId,
			client_secret: clientSecret,
			scope: 'publicAPI',
		};
	}

	/** Calls an operation as {@link send} does. Throws when the answer is not by the contract. */
	async call(id: string, input: CallInput = {}): Promise<Answer> {
		const answer = await this.send(id, input);
		return { ...answer, body: this.check(operation(id), answer) };
	}

	/**
	 * Calls an operation with token, `system`, Date and Digest where it takes them. Headers given replace those,
	 * undefined takes them away.
	 */
	async send(id: string, input: CallInput = {}): Promise<HttpAnswer> {
		const called = operation(id);
		const form = called.service === 'auth';
		const text = form
			? new URLSearchParams(input.body as Record<string, string>).toString()
			: textOf(input.body);
		const headers = { ...(await this.usualHeaders(called, text, form)), ...input.headers };
		return await send(this.url(called, input), called.method, headers, text);
	}

	private url({ path, service }: Operation, input: CallInput): string {
		const { baseUrl, authUrl, payUrl } = this.info;
		const base = { base: baseUrl, auth: authUrl, pay: payUrl }[service];
		const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			encodeURIComponent(String(input.path?.[name] ?? '')),
		);
		const query = new URLSearchParams();
		for (const [name, value] of Object.entries(omitBy(input.query, isUndefined))) {
			for (const one of [value].flat()) query.append(name, String(one));
		}
		return base + filled + (query.size > 0 ? `?${query}` : '');
	}

	private async usualHeaders(called: Operation, text: string | undefined, form: boolean) {
		const headers: Record<string, string | undefined> = {};
		if (text !== undefined) {
			headers['content-type'] = form ? 'application/x-www-form-urlencoded' : 'application/json';
		}
		if (called.bearer) headers['authorization'] = `Bearer ${await this.accessToken()}`;
		if (called.parameters.some(({ name }) => name === 'system')) {
			headers['system'] = this.info.system;
		}
		if (called.service === 'pay') {
			headers['location'] = `${this.info.payUrl}/v1${called.path}`;
			headers['date'] = new Date().toUTCString();
			headers['digest'] = digest(text ?? '');
		}
		return headers;
	}

	/** Throws unless the answer is by the contract; returns its JSON. */
	private check(called: Operation, { status, headers, text }: HttpAnswer): unknown {
		const response = documented(called, status);
		const type = String(headers['content-type'] ?? '').split(';')[0] ?? '';
		if (!response.content) {
			if (/body.*: not shown/i.test(response.description ?? '')) {
				return text === '' ? undefined : JSON.parse(text);
			}
			if (text !== '') {
				throw new Error(`${called.id} ${status}: a body where the contract has none: ${text}`);
			}
			return undefined;
		}
		const content = response.content[type];
		if (!content) throw new Error(`${called.id} ${status}: the contract has no ${type}`);
		const body = JSON.parse(text) as unknown;
		const validate = validatorOf(content.schema);
		if (!validate(body)) {
			throw new Error(
				`${called.id} ${status}: ${ajv.errorsText(validate.errors)}\n${text.slice(0, 2000)}`,
			);
		}
		return body;
	}
}

function textOf(body: unknown): string | undefined {
	return body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
}
