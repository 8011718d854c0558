import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
	INodePropertyOptions,
} from 'n8n-workflow';

import type { PathField } from '../booking/locators';
import type { BodyPart } from './body';
import type { StatusWords } from '../errors/nodeErrors';
import type { Field } from './fields';
import type { ItemContext } from './itemContext';
import type { OutputShape } from '../booking/recordShape';
import type { ServiceRequest } from '../http/send';
import type { CredentialName } from '../auth/runCredentials';

/** The part of a form that fills the query. */
export interface QueryPart {
	/** A collection when set; otherwise each field stands open. */
	collection?: INodeProperties;
	fields: readonly Field[];
}

/** One operation: what it is called, which call it makes, which fields it has. */
export interface Operation {
	value: string;
	/** Title Case, without the resource: `Get Many`. */
	name: string;
	/** Sentence case with the resource: `Get many web bookings`. */
	action: string;
	description: string;
	method: IHttpRequestMethods;
	/** From the root of the service, with placeholders: `/api/booking/v1/Campaign/{id}`. */
	path: string;
	pathFields?: readonly PathField[];
	query?: readonly QueryPart[];
	body?: BodyPart;
	/** Further parameters that do not go on the wire as they are. */
	parameters?: readonly INodeProperties[];
	/** What comes out. `list`: one item a record, with Return All and Limit. */
	output: OutputShape;
	/** False where the documents list no `system` header. */
	takesSystem?: false;
	/** Replaces the plain call, e.g. to fetch in slices. Returns the body of the answer. */
	fetch?: (run: ItemContext, request: ServiceRequest, limit: number) => Promise<unknown>;
	/** Completes the request from parameters that are no plain field. */
	complete?: (run: ItemContext, request: ServiceRequest & { query: IDataObject }) => Promise<void>;
	/** Reads the answer before it becomes items, e.g. to turn validation results into errors. */
	postReceive?: (run: ItemContext, body: unknown) => unknown;
	/** What a status says here, where the documents give it a meaning. */
	statusWords?: StatusWords;
	/** One call for many items: replaces the item-by-item run in a workflow. */
	executeBatch?: ExecuteBatch;
}

export type ExecuteBatch = (
	context: IExecuteFunctions,
	service: Service,
	operation: Operation,
) => Promise<INodeExecutionData[][]>;

/** The operations on one kind of record. */
export interface Resource {
	value: string;
	/** Title Case: `Web Booking`. */
	name: string;
	description: string;
	operations: readonly Operation[];
	/** The operation chosen at first; the first of the list unless set. */
	mainOperation?: string;
}

/** What all operations of a node share. */
export interface Service {
	credential: CredentialName;
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** What a status says where the general words name the wrong things. */
	statusWords?: StatusWords;
	resources: readonly Resource[];
	/** The resource chosen at first; the first of the list unless set. */
	mainResource?: string;
}

/** @returns the operation with these parameter values, undefined where there is none */
export function findOperation(
	{ resources }: Service,
	resource: unknown,
	operation: unknown,
): Operation | undefined {
	return resources
		.find(({ value }) => value === resource)
		?.operations.find(({ value }) => value === operation);
}

/** The entry in the Operation list, with the call in n8n's declarative form. */
export function operationOption({
	name,
	value,
	action,
	description,
	method,
	path,
}: Operation): INodePropertyOptions {
	return { name, value, action, description, routing: { request: { method, url: path } } };
}
