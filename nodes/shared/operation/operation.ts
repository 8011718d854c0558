import type { IDataObject, IHttpRequestMethods } from 'n8n-workflow';

import type { ErrorContext, NodeError } from '../errors/nodeErrors';
import type { StatusWords } from '../errors/failureTable';
import type { CredentialName, Account, ServiceRequest } from '../auth/account';
import type { ServiceResponse } from '../http/response';
import type { OutputShape } from '../output/recordShape';
import { asText } from '../values/asText';
import { InvalidValueError } from '../values/invalidValue';
import type { Field } from '../form/fields';
import type { Section } from '../form/rows';
import type { OmittedData } from './omitted';

export interface BodyPart {
	/** Request schema in `contract/openapi.yaml` that every body is checked against before it is sent. */
	schema: string;
	sections: readonly Section[];
	example: unknown;
	/** The field that repeats the ID of the path: it is written from there. */
	repeatsId?: string;
	/** Fields that say nothing by themselves, such as IDs: a body with nothing else is refused. By default `repeatsId`. */
	notEnough?: readonly string[];
	/** Further fields that name the same record as another one: 'path', or a field of the body. */
	sameIds?: Readonly<Record<string, string>>;
}

/** One operation: its names, its call and its fields. */
export interface Operation {
	value: string;
	/** Title Case, without the resource: `Get Many`. */
	name: string;
	/** Sentence case with the resource: `Get many bookings`. */
	action: string;
	description: string;
	method: IHttpRequestMethods;
	/** From the root of the service, with placeholders: `/api/booking/v1/Campaign/{id}`. */
	path: string;
	/** What fills the placeholders of the path. */
	pathFields?: readonly Field[];
	query?: readonly Section[];
	body?: BodyPart;
	/** Further parameters, whose values are not sent as they are. */
	parameters?: readonly Field[];
	/** What says which record it changes; none if it only reads. Changes of the same record keep the order of the items. */
	recordFields: readonly Field[];
	/** A list becomes one item per record, and has Return All and Limit. */
	output: OutputShape & { kind: 'list' | 'record' };
	takesSystem: boolean;
	/** Completes an item's request from parameters that are not plain fields, or refuses it. */
	preSend?: (item: ItemContext, request: ItemRequest) => void;
	/** Replaces the single call, e.g. with one for each part of a long period. Returns the records. */
	sendAll?: (item: ItemContext, request: ItemRequest, limit: number) => Promise<unknown[]>;
	/** Processes the response body before it becomes an item, e.g. turns validation results into errors. */
	postReceive?: (item: ItemContext, body: unknown) => unknown;
	/** Set for a change of which only the body of the response tells what was done: without one, nothing is confirmed. */
	resultIsInBody?: true;
	/** Messages for statuses to which the contract gives a meaning here. */
	statusWords?: StatusWords;
	/** Plans the calls of a run whose items are all checked, if one call takes several items. By default one call per item. */
	planCalls?: (items: readonly PreparedItem[], run: Run) => PlannedCall[];
	/** Options in addition to those of all operations. */
	options?: readonly Field[];
}

/** The request of one item, before the credential is added. */
export interface ItemRequest extends ServiceRequest {
	query: IDataObject;
	/** Of the record that it changes: calls with the same key are sent one after the other. */
	changedRecordKey?: string;
}

/** Per-item execution context, which also tells errors where they happened. */
export interface ItemContext extends ErrorContext {
	account: Account;
	/** From 0. */
	itemIndex: number;
	/** Of the run. */
	omitted: OmittedData;
	/** The value, for this item, of a parameter or a path such as `options.system`; undefined if empty or missing. */
	getParameter(name: string): unknown;
	call(request: ServiceRequest): Promise<ServiceResponse>;
}

/** An item whose values are all checked. */
export interface PreparedItem {
	item: ItemContext;
	request: ItemRequest;
	/** The most records to output; Infinity for all. */
	limit: number;
	/** @returns the output for a record of the service */
	shape(record: unknown): IDataObject;
}

/** One call of a run, or several that belong together. */
export interface PlannedCall {
	/** The items that fail with it. */
	items: readonly ItemContext[];
	/** The records it changes: calls that change the same record are sent one after the other. */
	changes: readonly string[];
	/**
	 * @returns what became of its items
	 * @throws what became of all of them; the reason of the run's signal where nothing was sent
	 */
	send(): Promise<ItemResult[]>;
}

/** What became of an item (from 0), or of a part of it. */
export type ItemResult = { itemIndex: number; records: IDataObject[] } | FailedItem;

export interface FailedItem {
	itemIndex: number;
	error: NodeError;
	/** Which part of the item failed, for the error output; the error has the service's message. */
	details?: IDataObject;
	/** For a rejected part when the person wants the others anyway: the run still fails, after the others are done. */
	isSetAside?: true;
	/** For a part that failed only because another one did: the run ends with that one's error. */
	isConsequence?: true;
}

/** Settings for all calls of a run. */
export interface RunSettings extends Required<Pick<ServiceRequest, 'timeout' | 'giveUpAfterMs'>> {
	/** Most calls in flight. */
	concurrencyLimit: number;
}

/** What all items of a run share. */
export interface Run {
	operation: Operation;
	account: Account;
	settings: RunSettings;
	/** Aborted when the run ends, by 'Stop Workflow' or because the execution is canceled: nothing more is sent. */
	signal: AbortSignal;
	/** Whether no parameter depends on the item: one request then serves all. */
	isSameForAll: boolean;
	/** Records the outcomes of items, and ends the run if one of them requires it. */
	end(outcomes: readonly ItemResult[]): void;
	/** @param itemIndex from 0 */
	openItem(itemIndex: number): ItemContext;
}

export interface Resource {
	value: string;
	name: string;
	description: string;
	/** In the order of the list. */
	operations: readonly Operation[];
	/** The one selected by default, whatever the order. n8n stores no default, so it never becomes another. */
	main: Operation;
}

/**
 * @param read the node's parameter of a name
 * @throws InvalidValueError for an operation that does not exist
 */
export function findOperation(service: Service, read: (name: string) => unknown): Operation {
	const resourceName = read('resource');
	const name = read('operation');
	const resource = service.resources.find(({ value }) => value === resourceName);
	const operation = resource?.operations.find(({ value }) => value === name);
	if (operation) return operation;
	throw new InvalidValueError(
		'Operation',
		`is '${asText(name)}' of '${asText(resourceName)}', which does not exist`,
		'Choose a resource and an operation from the lists',
	);
}

export interface Service {
	credential: CredentialName;
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** Messages for statuses that the general messages would describe wrongly. */
	statusWords?: StatusWords;
	resources: readonly Resource[];
	/** The resource selected by default. n8n stores no default, so it never becomes another. */
	main: string;
}
