import type { IDataObject, ILoadOptionsFunctions } from 'n8n-workflow';

import { isRecord } from '../values/record';
import { send } from '../http/send';

/** The records of a list operation, for a parameter that is chosen from a list. */
export async function listRecords(
	context: ILoadOptionsFunctions,
	action: string,
	path: string,
	query: IDataObject = {},
): Promise<IDataObject[]> {
	const request = { credential: 'hospitalityBookingApi', method: 'GET', path, query } as const;
	const { body } = await send(context, { ...request, system: chosenSystem(context) }, place(context, action));
	return Array.isArray(body) ? (body.filter(isRecord) as IDataObject[]) : [];
}

/** One record of an operation without a `system` header. */
export async function readRecord(
	context: ILoadOptionsFunctions,
	action: string,
	path: string,
): Promise<IDataObject> {
	const request = { credential: 'hospitalityBookingApi', method: 'GET', path, system: false } as const;
	const { body } = await send(context, request, place(context, action));
	return isRecord(body) ? (body as IDataObject) : {};
}

function place(context: ILoadOptionsFunctions, action: string) {
	return { node: context.getNode(), action };
}

/** The list shows what the node will work on: the 'System' option counts, unless it is an expression. */
function chosenSystem(context: ILoadOptionsFunctions): string | undefined {
	const options: unknown = context.getCurrentNodeParameter('options');
	const system = isRecord(options) && typeof options.system === 'string' ? options.system.trim() : '';
	return system === '' || system.startsWith('=') ? undefined : system;
}
