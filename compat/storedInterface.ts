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
	/** Values to choose from; of a resource locator its modes. */
	values?: unknown[];
	/** Whether it is a list. */
	isList?: true;
}

/** All that stored workflows rest on. */
export interface StoredInterface {
	/** By node. */
	versions: Record<string, number[]>;
	/** By `node@version resource.operation parameter` or `credential field`. */
	parameters: Record<string, StoredParameter>;
	/** Names of the fields that come out, by node, resource and operation. */
	outputs: Record<string, string[]>;
}

type Entry = INodeProperties | INodePropertyCollection | INodePropertyOptions;

/** What is read of a node's description. */
export interface NodeInterface {
	name: string;
	version: number | number[];
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
	const ofNodes = nodes.flatMap(({ name, version: versions, properties }) =>
		[versions]
			.flat()
			.flatMap((version) =>
				properties.flatMap((property) =>
					shownFor(property).flatMap((place) =>
						parametersOf(property, `${name}@${version} ${place}`, version),
					),
				),
			),
	);
	const ofCredentials = credentials.flatMap(({ name, properties }) =>
		properties.flatMap((property) => parametersOf(property, name)),
	);
	return {
		versions: Object.fromEntries(nodes.map(({ name, version }) => [name, [version].flat()])),
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
	const gone = Object.entries(earlier.versions).flatMap(([node, versions]) =>
		versions.filter((one) => !today.versions[node]?.includes(one)).map((version) => ({ node, version })),
	);
	const lines = gone.map(({ node, version }) => `${node}: has no version ${version} any more`);
	const isGone = (place: string) => gone.some(({ node, version }) => place.startsWith(`${node}@${version} `));
	for (const [place, before] of Object.entries(earlier.parameters)) {
		if (isGone(place)) continue;
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
		const values = (before.values ?? []).filter((value) => !(now.values ?? []).includes(value));
		if (values.length > 0) lines.push(`${place}: has no value ${values.map(String).join(', ')} any more`);
	}
	for (const [place, fields] of Object.entries(earlier.outputs)) {
		const missing = fields.filter((field) => !today.outputs[place]?.includes(field));
		if (missing.length > 0) lines.push(`${place}: ${missing.join(', ')} does not come out any more`);
	}
	return lines;
}

/** `resource.operation` of each form that a top-level parameter is on; `event` for the trigger's. */
function shownFor({ displayOptions }: INodeProperties): string[] {
	const { resource = ['*'], operation = ['*'], event } = displayOptions?.show ?? {};
	if (event) return event.map(String);
	return resource.flatMap((one) => operation.map((other) => `${String(one)}.${String(other)}`));
}

/** Whether a property is there in a version of its node, by the `@version` of its `displayOptions`. */
function isInVersion(entry: Entry, version: number): boolean {
	const displayOptions = 'displayOptions' in entry ? entry.displayOptions : undefined;
	const [shown, hidden] = [displayOptions?.show?.['@version'], displayOptions?.hide?.['@version']];
	for (const condition of [...(shown ?? []), ...(hidden ?? [])])
		if (typeof condition !== 'number')
			throw new Error(`'@version' as a list of numbers, please, not ${JSON.stringify(condition)}.`);
	return (shown?.includes(version) ?? true) && !hidden?.includes(version);
}

/** @param version of the node; a credential has none */
function parametersOf(entry: Entry, place: string, version?: number): Array<[string, StoredParameter]> {
	if (version !== undefined && !isInVersion(entry, version)) return [];
	const here = `${place} ${entry.name}`;
	if ('values' in entry) return entry.values.flatMap((value) => parametersOf(value, here, version));
	if (!('type' in entry) || entry.type === 'notice') return [];
	const { type, options = [] } = entry;
	const isCollection = type === 'collection' || type === 'fixedCollection';
	const isOffered = (option: Entry) => version === undefined || isInVersion(option, version);
	const modes = (entry.modes ?? []).map(({ name }) => name);
	const values = isCollection
		? []
		: [
				...modes,
				...options.flatMap((option) => ('value' in option && isOffered(option) ? [option.value] : [])),
			];
	const own: StoredParameter = {
		type,
		default: entry.default,
		...(values.length > 0 ? { values } : {}),
		...(entry.typeOptions?.multipleValues ? { isList: true } : {}),
	};
	return [
		[here, own],
		...(isCollection ? options.flatMap((option) => parametersOf(option, here, version)) : []),
	];
}
