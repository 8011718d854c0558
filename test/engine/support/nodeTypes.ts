import { DirectoryLoader, RoutingNode } from 'n8n-core';
import {
	NodeConnectionTypes,
	NodeHelpers,
	UnexpectedError,
	type ICredentialType,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
} from 'n8n-workflow';
import {
	makeCredentialType,
	makeNode,
	manifest,
	registeredPath,
} from '../../support/packageSources';

/** The type of a node of this package as n8n knows it, e.g. `n8n-nodes-hospitality-booking.hospitalityBooking`. */
export function fullNodeName(name: string): string {
	return name.includes('.') ? name : `${manifest.name}.${name}`;
}

/** What every node description must have, for nodes that only exist in a test. */
export const plainDescription = (name: string): INodeTypeDescription => ({
	name,
	displayName: name,
	description: name,
	group: ['transform'],
	version: 1,
	defaults: { name },
	inputs: [NodeConnectionTypes.Main],
	outputs: [NodeConnectionTypes.Main],
	properties: [],
});

/** Passes its items on, as n8n's No Operation node does. */
const passOn: INodeType = {
	description: plainDescription('passOn'),
	async execute(this: IExecuteFunctions) {
		return [this.getInputData()];
	},
};

/** Makes an item of its parameter 'values' for each item, as n8n's Edit Fields node does with expressions. */
const evaluate: INodeType = {
	description: {
		...plainDescription('evaluate'),
		properties: [{ displayName: 'Values', name: 'values', type: 'json', default: {} }],
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items = this.getInputData().map((_, item) => ({
			json: this.getNodeParameter('values', item) as IDataObject,
			pairedItem: { item },
		}));
		return [items];
	},
};

/**
 * The node types of a test: those of this package, loaded from their sources as package.json registers them and
 * prepared as n8n's loader and n8n's own `NodeTypes` prepare them, and the two helpers `test.passOn` and `test.evaluate`.
 */
export class PackageNodeTypes implements INodeTypes {
	private readonly loaded = new Map<string, INodeType>([
		['test.passOn', passOn],
		['test.evaluate', evaluate],
	]);

	getByName(type: string): INodeType {
		return this.loaded.get(type) ?? this.load(type);
	}

	getByNameAndVersion(type: string, version?: number): INodeType {
		return NodeHelpers.getVersionedNodeType(this.getByName(type), version);
	}

	getKnownTypes(): IDataObject {
		return {};
	}

	/** Adds a node type under a name of its own, e.g. `test.somethingElse`. */
	add(type: string, nodeType: INodeType): void {
		this.loaded.set(type, prepare(nodeType));
	}

	private load(type: string): INodeType {
		const name = type.slice(type.indexOf('.') + 1);
		if (type !== `${manifest.name}.${name}`) {
			throw new UnexpectedError(`Unrecognized node type: ${type}`);
		}
		const nodeType = makeNode(registeredPath(manifest.n8n.nodes, name));
		nodeType.description.name = type;
		this.add(type, nodeType);
		return nodeType;
	}
}

function prepare(nodeType: INodeType): INodeType {
	DirectoryLoader.applyDeclarativeNodeOptionParameters(nodeType);
	// n8n's `shouldAssignExecuteMethod`, as far as these nodes differ in it.
	if (!nodeType.execute && !nodeType.poll) {
		nodeType.execute = async function (this: IExecuteFunctions) {
			const context = this as ConstructorParameters<typeof RoutingNode>[0];
			return (await new RoutingNode(context, nodeType).runNode()) ?? [];
		};
	}
	return nodeType;
}

/** A credential type of this package, loaded from its source as package.json registers it. */
export function loadCredentialType(name: string): ICredentialType {
	return makeCredentialType(registeredPath(manifest.n8n.credentials, name));
}
