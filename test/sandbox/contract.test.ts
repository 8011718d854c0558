import { contract, operations } from './support/contract';

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
