import omitBy from 'lodash/omitBy';
import { getAdditionalKeys } from 'n8n-core';
import {
	deepCopy,
	ICredentialsHelper,
	isExpression,
	NodeHelpers,
	UnexpectedError,
	Workflow,
	type ICredentialDataDecryptedObject,
	type ICredentials,
	type ICredentialsExpressionResolveValues,
	type IExecuteData,
	type IHttpRequestHelper,
	type IHttpRequestOptions,
	type INode,
	type INodeCredentialsDetails,
	type INodeParameters,
	type INodeProperties,
	type INodeTypes,
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { loadCredentialType } from './nodeTypes';

const mockNode: INode = { id: '', name: '', typeVersion: 1, type: 'mock', position: [0, 0], parameters: {} };
const mockNodeTypes = {
	getByNameAndVersion: () => ({ description: { properties: [] } }),
} as unknown as INodeTypes;

/**
 * n8n's `CredentialsHelper` over credentials kept in memory: the same reading (defaults, expressions over `$self`), the
 * same renewal of expirable properties and what is stored of it. What n8n adds for its paid features and for OAuth types
 * is left out, and so is encryption.
 */
export class MemoryCredentials extends ICredentialsHelper {
	private readonly stored = new Map<string, { type: string; data: ICredentialDataDecryptedObject }>();

	/** Stores a credential as the editor would: with the defaults of its type's properties filled in. */
	async add(id: string, type: string, data: ICredentialDataDecryptedObject): Promise<void> {
		this.stored.set(id, { type, data: deepCopy({ ...data, ...this.withDefaults(type, data) }) });
	}

	/** Stores what the editor would: the form as it was read, hidden fields included, with what is typed over it. */
	async edit(type: string, changes: object, id = type): Promise<void> {
		await this.add(id, type, { ...(await this.read(type)), ...changes });
	}

	/** What is stored under an id. */
	async read(id: string, type?: string): Promise<ICredentialDataDecryptedObject> {
		return deepCopy(this.entity(id, type).data);
	}

	has(id: string): boolean {
		return this.stored.has(id);
	}

	typeOf(id: string): string {
		return this.entity(id).type;
	}

	getParentTypes(): string[] {
		return [];
	}

	isCredentialUsableByNode(): boolean {
		return true;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return loadCredentialType(type).properties;
	}

	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		requestOptions: IHttpRequestOptions | IRequestOptionsSimplified,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = loadCredentialType(typeName);
		const options = requestOptions as IHttpRequestOptions;
		return typeof authenticate === 'function' ? await authenticate(credentials, options) : options;
	}

	async preAuthentication(
		helpers: IHttpRequestHelper,
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = loadCredentialType(typeName);
		const expirable = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (expirable?.name === undefined || typeof type.preAuthentication !== 'function') return undefined;
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const issued = await type.preAuthentication.call(helpers, credentials);
		const output = issued as ICredentialDataDecryptedObject;
		const details = node.credentials?.[typeName];
		if (output[expirable.name] === undefined || !details) return undefined;
		const before = await this.read(details.id ?? '', typeName);
		const isKept = (_: unknown, name: string) => name !== expirable.name && isExpression(before[name]);
		await this.updateCredentials(details, typeName, { ...before, ...omitBy(output, isKept) });
		return Object.assign(credentials, output);
	}

	async runPreAuthentication(): Promise<undefined> {
		throw new UnexpectedError('This package has no OAuth credential types.');
	}

	async getCredentials(): Promise<ICredentials> {
		throw new UnexpectedError('n8n-core reads credentials decrypted.');
	}

	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		expressionResolveValues?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data = await this.read(details.id ?? '', type);
		if (raw) return data;
		return await this.resolve(additionalData, data, type, mode, executeData, expressionResolveValues);
	}

	private withDefaults(type: string, data: ICredentialDataDecryptedObject): ICredentialDataDecryptedObject {
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	/** n8n's `applyDefaultsAndOverwrites`: fills in defaults and evaluates the values that are expressions. */
	async resolve(
		additionalData: IWorkflowExecuteAdditionalData,
		data: ICredentialDataDecryptedObject,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const self = this.withDefaults(type, data);
		const keys = getAdditionalKeys(additionalData, mode, null, { isCredential: true });
		if (values) {
			return values.workflow.expression.getParameterValue(
				self as INodeParameters,
				values.runExecutionData,
				values.runIndex,
				values.itemIndex,
				values.node.name,
				values.connectionInputData,
				mode,
				keys,
				executeData,
				false,
				self,
			) as ICredentialDataDecryptedObject;
		}
		const workflow = new Workflow({
			nodes: [mockNode],
			connections: {},
			active: false,
			nodeTypes: mockNodeTypes,
		});
		await workflow.expression.acquireIsolate();
		try {
			return workflow.expression.getComplexParameterValue(
				mockNode,
				self as INodeParameters,
				mode,
				keys,
				undefined,
				undefined,
				self,
			) as ICredentialDataDecryptedObject;
		} finally {
			await workflow.expression.releaseIsolate();
		}
	}

	async updateCredentials(
		details: INodeCredentialsDetails,
		type: string,
		data: ICredentialDataDecryptedObject,
	): Promise<void> {
		this.entity(details.id ?? '', type).data = deepCopy(data);
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UnexpectedError('This package has no OAuth credential types.');
	}

	private entity(id: string, type?: string): { type: string; data: ICredentialDataDecryptedObject } {
		const entity = this.stored.get(id);
		if (!entity || (type !== undefined && entity.type !== type)) {
			throw new UnexpectedError(`Credential with ID "${id}" does not exist for type "${type ?? 'any'}".`);
		}
		return entity;
	}
}
