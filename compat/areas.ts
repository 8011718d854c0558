/** A promise that a version of n8n is tried for: tests that are named by their file and title. */
export interface Area {
	id: string;
	/** As the table of results calls it. */
	what: string;
	tests: Array<{ file: RegExp; title: RegExp }>;
	/** Whether what these tests make the nodes send is compared between versions. */
	comparesRequests?: boolean;
}

const OPERATIONS = /test\/engine\//;
const PACKAGE = /test\/e2e\/package\.test/;

/** Everything a version of n8n is tried for. */
export const AREAS: Area[] = [
	{
		id: 'installed',
		what: 'Installs; nodes, icons and credentials load',
		tests: [
			{ file: PACKAGE, title: /with its own icons/ },
			{ file: PACKAGE, title: /offers both credential types/ },
		],
	},
	{
		id: 'credentialTest',
		what: 'Credential test',
		tests: [{ file: /test\/e2e\/credentialTest\.test/, title: /the credential's Test button/ }],
	},
	{
		id: 'operations',
		what: 'Every operation, by fields and by JSON',
		comparesRequests: true,
		tests: [
			{ file: OPERATIONS, title: /sends the smallest input and nothing else/ },
			{ file: OPERATIONS, title: /sends the fullest input from fields/ },
			{ file: OPERATIONS, title: /sends the (smallest|fullest) body from JSON/ },
			{ file: OPERATIONS, title: /sends the credential's customer/ },
			{ file: OPERATIONS, title: /sends another customer from/ },
		],
	},
	{
		id: 'links',
		what: 'Error output and item links',
		comparesRequests: true,
		tests: [
			{ file: OPERATIONS, title: /links items on both outputs when/ },
			{ file: OPERATIONS, title: /keeps the failed item in its place/ },
		],
	},
	{
		id: 'errorDetails',
		what: "'details' of a failed item",
		tests: [{ file: OPERATIONS, title: /gives what the service said of .* as 'details'/ }],
	},
	{
		id: 'connectionFaults',
		what: 'Broken connections',
		tests: [
			{ file: OPERATIONS, title: /a broken connection is recognized/ },
			{ file: OPERATIONS, title: /a connection that is not made is recognized/ },
			{ file: OPERATIONS, title: /that is compressed .* is named as what it is/ },
		],
	},
	{
		id: 'stop',
		what: 'After a failure nothing more is sent',
		tests: [
			{ file: OPERATIONS, title: /no further change of the same record is sent/ },
			{ file: OPERATIONS, title: /nothing of other records is sent that was not/ },
		],
	},
	{
		id: 'batch',
		what: 'Batch of articles with a bad one',
		comparesRequests: true,
		tests: [
			{ file: OPERATIONS, title: /fails as a whole, naming item, field and reason/ },
			{ file: OPERATIONS, title: /is applied without the articles that the answer names/ },
		],
	},
	{
		id: 'tokens',
		what: 'Tokens, 200 items: first use, expiry, revocation',
		tests: [{ file: /test\/e2e\/tokens\.test/, title: /tokens, 200 items/ }],
	},
	{
		id: 'trigger',
		what: 'Trigger: failing polls, a kill and a restart',
		tests: [{ file: /test\/long\/endurance\.test/, title: /emits every booking change while calls fail/ }],
	},
	{
		id: 'mainJob',
		what: 'New booking to mail and spreadsheet row',
		tests: [{ file: /test\/long\/demo\.test/, title: /makes a new booking an email/ }],
	},
	{
		id: 'gallery',
		what: 'Every file of workflows/: imported and run',
		tests: [{ file: /test\/e2e\/workflows\//, title: /^workflows\/[a-z-]+\.json/ }],
	},
	{
		id: 'imports',
		what: 'Workflow files in the editor, with no, one and two credentials',
		tests: [{ file: /test\/browser\/import\.test/, title: /a workflow file imported as its page says/ }],
	},
	{
		id: 'tools',
		what: 'Tools for AI agents, over MCP',
		tests: [
			{ file: /test\/e2e\/mcp\.test/, title: /the operations as tools of an agent/ },
			{ file: PACKAGE, title: /offers both nodes to AI agents as tools/ },
		],
	},
	{
		id: 'previews',
		what: 'Output previews',
		tests: [{ file: PACKAGE, title: /serves a preview for every operation/ }],
	},
];

/** Whether each file of its tests has a service of its own, so that several of them can run at a time. */
export function runsSideBySide({ tests }: Area): boolean {
	return tests.every(({ file }) => file === OPERATIONS);
}

/** A pattern of test names that matches every test of these areas. */
export function testNames(areas: Area[]): string {
	return areas.flatMap(({ tests }) => tests.map(({ title }) => title.source)).join('|');
}

/** A pattern of paths that matches every file with tests of these areas. */
export function testFiles(areas: Area[]): string {
	return [...new Set(areas.flatMap(({ tests }) => tests.map(({ file }) => file.source)))].join('|');
}

/** The area that a test belongs to; undefined where it belongs to none. */
export function areaOf(file: string, title: string): Area | undefined {
	return AREAS.find(({ tests }) => tests.some((one) => one.file.test(file) && one.title.test(title)));
}

/** The area whose requests are compared to which a test belongs, named as in the log of requests, if any. */
export function comparedArea(test: string): Area | undefined {
	const [operation = '', ...title] = test.split(': ');
	const area = areaOf(`test/engine/${operation.replace('.', '/')}.test.ts`, title.join(': '));
	return area?.comparesRequests ? area : undefined;
}
