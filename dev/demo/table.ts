import type { JsonObject, N8nClient, Workflow, WorkflowNode } from '../n8nClient.ts';

/** Where n8n shows its data tables to people, from the root of its address. */
export const TABLES_PAGE = '/home/datatables';

interface Table {
	id: string;
	name: string;
}

const TABLE_NODE = 'n8n-nodes-base.dataTable';
/** Before this major version a workflow can neither make a table nor find one by its name. */
const MAKES_TABLES_FROM = 2;
/** The most that n8n gives at once; n8n 1 gives 50. */
const ROWS_PER_PAGE = 250;

/** The path of the personal project's data tables in n8n's REST interface. */
async function tablesPath(client: N8nClient): Promise<string> {
	const { id } = (await client.request('GET', '/rest/projects/personal')) as { id: string };
	return `/rest/projects/${id}/data-tables`;
}

/** The path of a data table in n8n's REST interface; undefined where there is none of that name. */
async function findTable(client: N8nClient, name: string): Promise<string | undefined> {
	const path = await tablesPath(client);
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = (await client.request('GET', `${path}?filter=${filter}`)) as { data: Table[] };
	const table = data.find((one) => one.name === name);
	return table && `${path}/${table.id}`;
}

/** The rows of an n8n data table, oldest first; none where there is no such table yet. */
export async function tableRows(client: N8nClient, name: string): Promise<JsonObject[]> {
	const table = await findTable(client, name);
	if (table === undefined) return [];
	const rows: JsonObject[] = [];
	for (;;) {
		const page = `${table}/rows?sortBy=id:asc&take=${ROWS_PER_PAGE}&skip=${rows.length}`;
		const { count, data } = (await client.request('GET', page)) as {
			count: number;
			data: JsonObject[];
		};
		rows.push(...data);
		if (data.length === 0 || rows.length >= count) return rows;
	}
}

/** The newest row with this value in a column, with the path of its table; undefined where there is none, or no such table. */
export async function findRow(
	client: N8nClient,
	table: string,
	column: string,
	value: string,
): Promise<{ path: string; row: JsonObject } | undefined> {
	const path = await findTable(client, table);
	if (path === undefined) return undefined;
	const filter = { type: 'and', filters: [{ columnName: column, condition: 'eq', value }] };
	const query = new URLSearchParams({
		filter: JSON.stringify(filter),
		sortBy: 'id:desc',
		take: '1',
	});
	const { data } = (await client.request('GET', `${path}/rows?${query.toString()}`)) as {
		data: JsonObject[];
	};
	const [row] = data;
	return row && { path: path.replace('/rest', '').replace('data-tables', 'datatables'), row };
}

/** Deletes an n8n data table, if there is one of that name. */
export async function dropTable(client: N8nClient, name: string): Promise<void> {
	const table = await findTable(client, name);
	if (table !== undefined) await client.request('DELETE', table);
}

/** Whether a node makes a data table, in a version of n8n in which it cannot. */
export function lacksTableMaker(version: string, { type, parameters }: WorkflowNode): boolean {
	const makes = type === TABLE_NODE && parameters.operation === 'create';
	return makes && Number.parseInt(version, 10) < MAKES_TABLES_FROM;
}

/**
 * What a person does by hand on an n8n before 2: make the tables, choose them from the list, and have the node that would
 * make them do nothing. On a newer one the workflow stays as it is.
 *
 * @param version of the running n8n
 */
export async function withTables(
	client: N8nClient,
	version: string,
	workflow: Workflow,
): Promise<Workflow> {
	const ids = new Map<string, string>();
	for (const node of workflow.nodes.filter((one) => lacksTableMaker(version, one))) {
		const { tableName: name, columns } = node.parameters as {
			tableName: string;
			columns: { column: JsonObject[] };
		};
		const make = async () =>
			(await client.request('POST', await tablesPath(client), {
				name,
				columns: columns.column,
			})) as Table;
		ids.set(name, (await findTable(client, name))?.split('/').at(-1) ?? (await make()).id);
	}
	const adapt = (node: WorkflowNode): WorkflowNode => {
		if (lacksTableMaker(version, node)) {
			return { ...node, type: 'n8n-nodes-base.noOp', parameters: {} };
		}
		const chosen = node.parameters.dataTableId as { value: string } | undefined;
		const value = ids.get(chosen?.value ?? '');
		if (value === undefined) return node;
		return {
			...node,
			parameters: { ...node.parameters, dataTableId: { __rl: true, mode: 'id', value } },
		};
	};
	return { ...workflow, nodes: workflow.nodes.map(adapt) };
}
