import { getAdditionalKeys } from 'n8n-core';
import {
	deepCopy,
	ICredentialsHelper,
	NodeHelpers,
	UnexpectedError,
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
	type IRequestOptionsSimplified,
	type IWorkflowExecuteAdditionalData,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { loadCredentialType } from './nodeTypes';

/**
 * n8n's `CredentialsHelper` over credentials kept in memory: the same reading (defaults, in a run expressions), the
 * same renewal of expirable properties and what is stored of it. What n8n adds for its paid features and for OAuth types
 * is left out, and so is encryption.
 */
export class MemoryCredentials extends ICredentialsHelper {
	private readonly stored = new Map<
		string,
		{ type: string; data: ICredentialDataDecryptedObject }
	>();

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
		_node: INode,
		credentialsExpired: boolean,
	): Promise<ICredentialDataDecryptedObject | undefined> {
		const type = loadCredentialType(typeName);
		const expirable = type.properties.find(
			(property) => property.type === 'hidden' && property.typeOptions?.expirable === true,
		);
		if (expirable?.name === undefined || typeof type.preAuthentication !== 'function') {
			return undefined;
		}
		if (credentials[expirable.name] !== '' && !credentialsExpired) return undefined;
		const toStore = await type.preAuthentication.call(helpers, credentials);
		if (expirable.name in toStore) throw new UnexpectedError('This package stores no tokens.');
		return undefined;
	}

	async runPreAuthentication(): Promise<undefined> {
		throw new UnexpectedError('This package has no OAuth credential types.');
	}

	async getCredentials(): Promise<ICredentials> {
		throw new UnexpectedError('n8n-core reads credentials decrypted.');
	}

	/** The stored data with defaults filled in and, in a run, expressions evaluated. */
	async getDecrypted(
		additionalData: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		mode: WorkflowExecuteMode,
		executeData?: IExecuteData,
		raw?: boolean,
		values?: ICredentialsExpressionResolveValues,
	): Promise<ICredentialDataDecryptedObject> {
		const data = await this.read(details.id ?? '', type);
		if (raw) return data;
		const self = this.withDefaults(type, data);
		if (!values) return self;
		return values.workflow.expression.getParameterValue(
			self as INodeParameters,
			values.runExecutionData,
			values.runIndex,
			values.itemIndex,
			values.node.name,
			values.connectionInputData,
			mode,
			getAdditionalKeys(additionalData, mode, null, { isCredential: true }),
			executeData,
			false,
			self,
		) as ICredentialDataDecryptedObject;
	}

	private withDefaults(
		type: string,
		data: ICredentialDataDecryptedObject,
	): ICredentialDataDecryptedObject {
		return NodeHelpers.getNodeParameters(
			this.getCredentialsProperties(type),
			data as INodeParameters,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	async updateCredentials(): Promise<void> {
		throw new UnexpectedError('This package stores no tokens.');
	}

	async updateCredentialsOauthTokenData(): Promise<void> {
		throw new UnexpectedError('This package has no OAuth credential types.');
	}

	private entity(
		id: string,
		type?: string,
	): { type: string; data: ICredentialDataDecryptedObject } {
		const entity = this.stored.get(id);
		if (!entity || (type !== undefined && entity.type !== type)) {
			throw new UnexpectedError(
				`Credential with ID "${id}" does not exist for type "${type ?? 'any'}".`,
			);
		}
		return entity;
	}
}
