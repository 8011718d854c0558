import type { JsonObject, N8nClient } from '../harness/n8nClient.ts';

/** Where n8n shows its data tables to people, from the root of its address. */
export const TABLES_PAGE = '/home/datatables';

interface Table {
	id: string;
	name: string;
}

/** The path of a data table in n8n's REST interface; undefined where there is none of that name. */
async function findTable(client: N8nClient, name: string): Promise<string | undefined> {
	const { id } = (await client.request('GET', '/rest/projects/personal')) as { id: string };
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const path = `/rest/projects/${id}/data-tables`;
	const { data } = (await client.request('GET', `${path}?filter=${filter}`)) as { data: Table[] };
	const table = data.find((one) => one.name === name);
	return table && `${path}/${table.id}`;
}

/** The rows of an n8n data table, oldest first, at most 250; none where there is no such table yet. */
export async function tableRows(client: N8nClient, name: string): Promise<JsonObject[]> {
	const table = await findTable(client, name);
	if (table === undefined) return [];
	const { data } = (await client.request('GET', `${table}/rows?take=250`)) as { data: JsonObject[] };
	return data;
}

/** Deletes an n8n data table, if there is one of that name. */
export async function dropTable(client: N8nClient, name: string): Promise<void> {
	const table = await findTable(client, name);
	if (table !== undefined) await client.request('DELETE', table);
}
