import type { SandboxInfo } from './info.ts';

/**
 * Fetches an access token as any other client would, without this package.
 *
 * @throws where none is issued
 * @see contract/openapi.yaml token.issue
 */
export async function fetchToken({
	authUrl,
	clientId,
	clientSecret,
}: Pick<SandboxInfo, 'authUrl' | 'clientId' | 'clientSecret'>): Promise<string> {
	const body = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
		scope: 'publicAPI',
	});
	const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body });
	if (!response.ok) throw new Error(`${response.status} to a request for a token: ${await response.text()}`);
	const { access_token: token } = (await response.json()) as { access_token: string };
	return token;
}
