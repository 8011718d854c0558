import { ApplicationError, BaseError, ExecutionBaseError, type INodeType } from 'n8n-workflow';

type Method = (this: unknown, ...given: unknown[]) => unknown;

const raw: unknown[] = [];

/** What has reached n8n so far without being one of its own errors. Forgets it. */
export function takeRawErrors(): unknown[] {
	return raw.splice(0);
}

/** Notes each error that leaves a node for n8n and that n8n could only show as it stands: every class but its own. */
export function watchForRawErrors(nodeType: INodeType): void {
	for (const name of ['execute', 'poll'] as const) {
		const method = nodeType[name];
		if (method) Object.assign(nodeType, { [name]: watched(method as Method) });
	}
	// The editor shows what a credential's test returns: it throws nothing.
	for (const methods of Object.values(nodeType.methods ?? {}) as Array<Record<string, Method>>)
		for (const [name, method] of Object.entries(methods)) methods[name] = watched(method);
}

function watched(method: Method): Method {
	return async function (this: unknown, ...given) {
		try {
			return await method.apply(this, given);
		} catch (error) {
			const isOfN8n = [ExecutionBaseError, BaseError, ApplicationError].some((kind) => error instanceof kind);
			if (!isOfN8n) raw.push(error);
			throw error;
		}
	};
}

afterEach(() => {
	expect(takeRawErrors()).toEqual([]);
});
