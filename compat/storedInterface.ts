import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
} from 'n8n-workflow';

/** What a workflow or a credential may hold of one parameter. */
export interface StoredParameter {
	type: string;
	/** n8n leaves a parameter with this value out of what it stores, so another default changes what a stored workflow does. */
	default: unknown;
	/** Values to choose from. */
	values?: unknown[];
	/** Whether it is a list. */
	isList?: true;
}

/** All that stored workflows rest on, by `resource.operation parameter`, `credential field` or `output field`. */
export interface StoredInterface {
	/** By node. */
	versions: Record<string, unknown>;
	parameters: Record<string, StoredParameter>;
	/** Names of the fields that come out, by node, resource and operation. */
	outputs: Record<string, string[]>;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** What is read of a node's description. */
export interface NodeInterface {
	name: string;
	version: unknown;
	properties: INodeProperties[];
}

/** A preview as `npm run generate` writes it. */
export interface Preview {
	properties?: Record<string, unknown>;
}

/** @param previews by node, resource and operation */
export function storedInterface(
	nodes: readonly NodeInterface[],
	credentials: ReadonlyArray<Pick<ICredentialType, 'name' | 'properties'>>,
	previews: Readonly<Record<string, Preview>>,
): StoredInterface {
	const ofNodes = nodes.flatMap(({ name, properties }) =>
		properties.flatMap((property) =>
			shownFor(property).flatMap((place) => parametersOf(property, `${name} ${place}`)),
		),
	);
	const ofCredentials = credentials.flatMap(({ name, properties }) =>
		properties.flatMap((property) => parametersOf(property, name)),
	);
	return {
		versions: Object.fromEntries(nodes.map(({ name, version }) => [name, version])),
		parameters: Object.fromEntries([...ofNodes, ...ofCredentials]),
		outputs: Object.fromEntries(
			Object.entries(previews).map(([place, { properties = {} }]) => [place, Object.keys(properties).sort()]),
		),
	};
}

/**
 * What a workflow that was stored with an earlier release would lose or read differently today.
 *
 * @returns one line each; none where an upgrade changes nothing
 */
export function lostSince(earlier: StoredInterface, today: StoredInterface): string[] {
	const lines: string[] = [];
	for (const [place, before] of Object.entries(earlier.parameters)) {
		const now = today.parameters[place];
		if (!now) {
			lines.push(`${place}: is gone`);
			continue;
		}
		if (now.type !== before.type) lines.push(`${place}: was ${before.type}, is ${now.type}`);
		if (now.isList !== before.isList)
			lines.push(`${place}: ${now.isList ? 'is a list now' : 'is no list any more'}`);
		if (JSON.stringify(now.default) !== JSON.stringify(before.default))
			lines.push(
				`${place}: its default was ${JSON.stringify(before.default)}, is ${JSON.stringify(now.default)}`,
			);
		const gone = (before.values ?? []).filter((value) => !(now.values ?? []).includes(value));
		if (gone.length > 0) lines.push(`${place}: has no value ${gone.map(String).join(', ')} any more`);
	}
	for (const [place, fields] of Object.entries(earlier.outputs)) {
		const gone = fields.filter((field) => !today.outputs[place]?.includes(field));
		if (gone.length > 0) lines.push(`${place}: ${gone.join(', ')} does not come out any more`);
	}
	return lines;
}

/** `resource.operation` of each form that a top-level parameter is on; `event` for the trigger's. */
function shownFor({ displayOptions }: INodeProperties): string[] {
	const { resource = ['*'], operation = ['*'], event } = displayOptions?.show ?? {};
	if (event) return event.map(String);
	return resource.flatMap((one) => operation.map((other) => `${String(one)}.${String(other)}`));
}

function parametersOf(entry: Entry, place: string): Array<[string, StoredParameter]> {
	const here = `${place} ${entry.name}`;
	if ('values' in entry) return entry.values.flatMap((value) => parametersOf(value, here));
	if (!('type' in entry) || entry.type === 'notice') return [];
	const { type, options = [] } = entry;
	const isCollection = type === 'collection' || type === 'fixedCollection';
	const values = isCollection ? [] : options.flatMap((option) => ('value' in option ? [option.value] : []));
	const own: StoredParameter = {
		type,
		default: entry.default,
		...(values.length > 0 ? { values } : {}),
		...(entry.typeOptions?.multipleValues ? { isList: true } : {}),
	};
	return [[here, own], ...(isCollection ? options.flatMap((option) => parametersOf(option, here)) : [])];
}
