/* global SwaggerUIBundle */
/** The API reference: swagger-ui over the contract, with what a browser cannot send added by the sandbox. */

const { info } = await (await fetch('/__page/overview.json')).json();
let token;

/** swagger-ui is dark where the page says so. */
const dark = matchMedia('(prefers-color-scheme: dark)');
const paint = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', paint);
paint();

async function accessToken() {
	if (!token || token.expires < Date.now()) {
		const form = new URLSearchParams({
			grant_type: 'client_credentials',
			client_id: info.clientId,
			client_secret: info.clientSecret,
			scope: 'publicAPI',
		});
		const answer = await (await fetch('/connect/token', { method: 'POST', body: form })).json();
		token = { value: answer.access_token, expires: Date.now() + (answer.expires_in - 5) * 1000 };
	}
	return token.value;
}

async function complete(request) {
	const { pathname, search } = new URL(request.url, location.href);
	if (pathname.startsWith('/pay/')) {
		const relayed = {
			method: request.method,
			path: pathname + search,
			authorization: request.headers.Authorization,
			body: request.body,
		};
		return Object.assign(request, {
			url: '/__page/relay',
			method: 'POST',
			headers: { 'Content-Type': 'application/json' },
			body: JSON.stringify(relayed),
		});
	}
	if (pathname.startsWith('/api/')) request.headers.Authorization ??= `Bearer ${await accessToken()}`;
	return request;
}

SwaggerUIBundle({
	url: '/openapi.json',
	dom_id: '#reference',
	deepLinking: true,
	docExpansion: 'list',
	defaultModelsExpandDepth: 0,
	tryItOutEnabled: true,
	showMutatedRequest: false,
	requestInterceptor: complete,
});
