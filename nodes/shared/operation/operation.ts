import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';
import startCase from 'lodash/startCase';

import type { StatusWords } from '../errors/words';
import type { CredentialName, ServiceRequest } from '../auth/account';
import type { ValueKind } from '../values/address';
import type { OutputShape } from '../values/recordShape';
import type { BodyPart } from './body';
import type { Field } from './fields';
import type { ItemContext } from './itemContext';
import type { Section } from './sections';

/** A placeholder of the path and the parameter that fills it. */
export interface PathField extends Field {
	kind: ValueKind;
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
	query?: readonly Section[];
	body?: BodyPart;
	/** What is done with the records of the response: nothing of it is sent. */
	afterCall?: Section;
	/** Further parameters, whose values are not sent as they are. */
	parameters?: readonly INodeProperties[];
	/** Where the request says which record it changes. Changes of the same record keep the order of the items. */
	record?: 'path' | `body.${string}` | `query.${string}`;
	/** Settings that make the response smaller, for the message about one that is too large. */
	narrowedBy?: string;
	/** What comes out. A list has Return All and Limit. */
	output: OutputShape;
	/** False where the contract lists no `system` header. */
	takesSystem?: false;
	/** Completes the request of an item from parameters that are no plain field. */
	preSend?: (item: ItemContext, request: ItemRequest) => Promise<void> | void;
	/** Replaces the single call, e.g. by one for each part of a long period. Returns the response body. */
	sendAll?: (item: ItemContext, request: ItemRequest, limit: number) => Promise<unknown>;
	/** Reads the response body before it becomes items, e.g. to turn validation results into errors. */
	postReceive?: (item: ItemContext, body: unknown) => unknown;
	/** What a status means here, where the contract gives it a meaning. */
	statusWords?: StatusWords;
	/** Replaces the execution item by item in a workflow: one call for many items. */
	executeBatch?: ExecuteBatch;
}

/** The request of one item, before the credential is added. */
export type ItemRequest = ServiceRequest & { query: IDataObject };

type ExecuteBatch = (
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
	/** The operation selected by default; the first of the list unless set. */
	mainOperation?: string;
}

/** A resource with its name in Title Case. */
export function named(resource: Omit<Resource, 'name'>): Resource {
	return { ...resource, name: startCase(resource.value) };
}

/** A service: its credential and resources. */
export interface Service {
	credential: CredentialName;
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** What a status means, where the general words name the wrong things. */
	statusWords?: StatusWords;
	resources: readonly Resource[];
	/** The resource selected by default; the first of the list unless set. */
	mainResource?: string;
}
