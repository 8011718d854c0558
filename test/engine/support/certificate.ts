import { type KeyObject, generateKeyPairSync, sign } from 'node:crypto';

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));

/**
 * Makes a certificate for 127.0.0.1 that is signed by itself, so that no client trusts it. Node makes keys but no
 * certificates.
 *
 * @see https://www.rfc-editor.org/rfc/rfc5280#section-4.1
 */
export function makeSelfSignedCertificate(): { key: string; cert: string } {
	const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const name = sequence(element(0x31, sequence(oid('550403'), element(0x0c, Buffer.from('test')))));
	const validity = sequence(time('200101000000Z'), time('491231235959Z'));
	const address = element(0x04, sequence(element(0x87, Buffer.from([127, 0, 0, 1]))));
	const extensions = element(0xa3, sequence(sequence(oid('551d11'), address)));
	const version = element(0xa0, element(0x02, Buffer.from([2])));
	const serial = element(0x02, Buffer.from([1]));
	const key = publicKey.export({ type: 'spki', format: 'der' });
	const body = sequence(version, serial, ECDSA_WITH_SHA256, name, validity, name, key, extensions);
	return {
		key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
		cert: pem(sequence(body, ECDSA_WITH_SHA256, signature(body, privateKey))),
	};
}

function signature(body: Buffer, key: KeyObject): Buffer {
	return element(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', body, key)]));
}

function pem(der: Buffer): string {
	const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
	return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}

function sequence(...parts: Buffer[]): Buffer {
	return element(0x30, Buffer.concat(parts));
}

function oid(hex: string): Buffer {
	return element(0x06, Buffer.from(hex, 'hex'));
}

function time(text: string): Buffer {
	return element(0x17, Buffer.from(text));
}

function element(tag: number, content: Buffer): Buffer {
	const { length } = content;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}
