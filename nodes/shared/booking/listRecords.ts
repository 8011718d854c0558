import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { isRecord } from '../values/record';
import { type ServiceRequest, openAccount } from '../auth/account';
import { toNodeError } from '../errors/nodeErrors';

/** The records of a list operation, for a parameter that is chosen from a list. */
export async function listRecords(
	context: ILoadOptionsFunctions,
	action: string,
	path: string,
	query: IDataObject = {},
): Promise<IDataObject[]> {
	const body = await read(context, action, { path, query, system: chosenSystem(context) });
	return Array.isArray(body) ? (body.filter(isRecord) as IDataObject[]) : [];
}

/** One record of an operation without a `system` header. */
export async function readRecord(
	context: ILoadOptionsFunctions,
	action: string,
	path: string,
): Promise<IDataObject> {
	const body = await read(context, action, { path, system: false });
	return isRecord(body) ? (body as IDataObject) : {};
}

async function read(
	context: ILoadOptionsFunctions,
	action: string,
	call: Pick<ServiceRequest, 'path' | 'query' | 'system'>,
): Promise<unknown> {
	const errorContext = { node: context.getNode(), action };
	try {
		const account = await openAccount(context, 'hospitalityBookingApi');
		return (await account.call({ method: 'GET', ...call }, errorContext)).body;
	} catch (error) {
		throw toNodeError(errorContext, error);
	}
}

/** The list shows what the node will work on: the 'System' option counts, unless it is an expression. */
function chosenSystem(context: ILoadOptionsFunctions): string | undefined {
	const options: unknown = context.getCurrentNodeParameter('options');
	const system = isRecord(options) && typeof options.system === 'string' ? options.system.trim() : '';
	return system === '' || system.startsWith('=') ? undefined : system;
}
