import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { node24 } from '../../dev/node24.ts';
import { contract, operations } from './support/contract';

const ROOT = join(__dirname, '..', '..');

test('the contract lints clean with Redocly', () => {
	const cli = join(ROOT, 'node_modules', '@redocly', 'cli', 'bin', 'cli.js');
	const args = 'lint --config contract/redocly.yaml contract/openapi.yaml --format json'.split(' ');
	const { stdout, status } = spawnSync(node24(), [cli, ...args], {
		cwd: ROOT,
		encoding: 'utf8',
		env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
	});
	const { totals } = JSON.parse(stdout.slice(stdout.indexOf('{'))) as { totals: unknown };
	expect([status, totals]).toEqual([0, { errors: 0, warnings: 0, ignored: 0 }]);
});

test("every operation, schema and shared parameter names its heading in the service's documents", () => {
	const { schemas, parameters } = contract.components;
	const places: unknown[] = [
		...operations.map(({ source }) => source),
		...Object.values(schemas).map((schema) => schema['x-source']),
		...Object.values(parameters).map((parameter) => parameter['x-source']),
	];
	expect(places.length).toBeGreaterThan(0);
	expect(places.filter((place) => typeof place !== 'string' || place.trim() === '')).toEqual([]);
});

const REQUIRING =
	/^components\/schemas\/(WebBooking(Rule|RuleTime|Update)|Survey(|Content|Page|Section|Question|QuestionScale)|Article(|Update|BatchRequest|BatchResponse|Prices|Color|FieldError)) required$/;

/** What the documents demand: in the tables, under Limits, General conventions, Errors and Cancel a web booking. */
const STATED = [
	REQUIRING,
	/^components\/schemas\/(WebBookingRule(Time)?|WebBookingUpdate|SurveyQuestion|SurveyContent|Survey)\/.* minLength$/,
	/^components\/parameters\/System required$/,
	/\/Cancel\/post\/requestBody required$/,
	/\/(Problem|400) content$/,
];

type Node = Record<string, unknown>;

function everyNode(value: unknown, path: string[] = []): Array<{ path: string; node: Node }> {
	if (typeof value !== 'object' || value === null) return [];
	const parts = Object.entries(value).filter(([name]) => name !== 'example');
	const below = parts.flatMap(([name, inner]) => everyNode(inner, [...path, name]));
	return [{ path: path.join('/'), node: value as Node }, ...below];
}

test("marks as its own what it demands or chooses beyond the service's documents, and nothing else", () => {
	const saysOf = ({ description }: Node, words: string) => String(description).includes(words);
	const demands: Record<string, (node: Node, path: string) => boolean> = {
		minLength: ({ minLength }) => typeof minLength === 'number',
		required: (node) =>
			(node['required'] === true && node['in'] !== 'path') || Array.isArray(node['required']),
		security: ({ security }, path) => path !== '' && Array.isArray(security) && security.length > 0,
		name: (node) => saysOf(node, 'Name of the parameter: not shown'),
		in: (node) => saysOf(node, 'Where it is carried: not shown'),
		scheme: ({ scheme }) => scheme !== undefined,
		content: ({ content }, path) => content !== undefined && /\/responses\/([45]\w\w|[A-Z]\w+)$/.test(path),
	};
	const nodes = everyNode(contract);
	const added = nodes.flatMap(({ path, node }) =>
		Object.entries(demands)
			.filter(([, isDemand]) => isDemand(node, path))
			.map(([keyword]) => `${path} ${keyword}`)
			.filter((demand) => !STATED.some((pattern) => pattern.test(demand))),
	);
	const marked = nodes.flatMap(({ path, node }) =>
		((node['x-ours'] ?? []) as string[]).map((keyword) => `${path} ${keyword}`),
	);

	expect(added.length).toBeGreaterThan(20);
	expect(marked.sort()).toEqual(added.sort());
});
