import type { IHttpRequestOptions } from 'n8n-workflow';

import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import type { ServiceRequest } from './send';

/** n8n's own 'Request Options', which it adds to declarative nodes. */
export interface RequestOptions {
	network: NonNullable<ServiceRequest['network']>;
	/** Items to start together before the next pause. */
	batchSize: number;
	/** The pause in milliseconds; 0 for none. */
	batchInterval: number;
}

/**
 * @param value the `requestOptions` parameter as n8n holds it
 * @throws InvalidValueError when the proxy is not an address
 */
export function readRequestOptions(value: unknown): RequestOptions {
	const { timeout, allowUnauthorizedCerts, proxy, batching } = isRecord(value) ? value : {};
	const batch = isRecord(batching) && isRecord(batching.batch) ? batching.batch : {};
	return {
		network: {
			...(isPositive(timeout) ? { timeout } : {}),
			...(allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
			...(typeof proxy === 'string' && proxy !== '' ? { proxy: readProxy(proxy) } : {}),
		},
		batchSize: isPositive(batch.batchSize) ? Math.ceil(batch.batchSize) : 1,
		batchInterval: isPositive(batch.batchInterval) ? batch.batchInterval : 0,
	};
}

function readProxy(value: string): NonNullable<IHttpRequestOptions['proxy']> {
	const address = value.includes('://') ? value : `http://${value}`;
	if (!URL.canParse(address)) {
		throw new InvalidValueError(
			'Proxy',
			'is not an address',
			'Enter a host and port, e.g. http://proxy.example.com:3128',
		);
	}
	const { hostname, port, protocol, username, password } = new URL(address);
	const auth = { username: decodeURIComponent(username), password: decodeURIComponent(password) };
	return {
		host: hostname,
		port: Number(port) || (protocol === 'https:' ? 443 : 80),
		protocol: protocol.replace(':', ''),
		...(username ? { auth } : {}),
	};
}

function isPositive(value: unknown): value is number {
	return typeof value === 'number' && value > 0;
}
