import type { IDataObject, IHttpRequestMethods, INodeProperties } from 'n8n-workflow';
import sortBy from 'lodash/sortBy';
import startCase from 'lodash/startCase';

import type { ErrorContext } from '../errors/nodeErrors';
import type { StatusWords } from '../errors/words';
import type { CredentialName, OpenAccount, ServiceRequest } from '../auth/account';
import type { StatusRoles } from '../auth/deployment';
import type { ServiceResponse } from '../http/response';
import type { OutputShape } from '../booking/recordShape';
import type { Field } from './fields';
import type { Outcome, RunHints } from './outcomes';

/** A part of a form: fields that stand open, or a collection of optional ones. */
export interface Section<F = Field> {
	fields: readonly F[];
	/** Without one the fields stand open. */
	collection?: CollectionLook & { displayName: string; name: string };
	/** Whether the fields name the record: they stand above 'Values' and are needed either way. */
	namesRecord?: true;
	/** The choice that the fields stand open for. */
	shownFor?: { parameter: string; value: string };
}

export type CollectionLook = Pick<INodeProperties, 'description' | 'placeholder'>;

export interface BodyPart {
	/** Request schema in `contract/openapi.yaml` that every body is checked against before it is sent. */
	schema: string;
	sections: readonly Section[];
	example: unknown;
	/** For an update: the fields that name the record. A body with nothing else changes nothing and is refused. */
	identifiedBy?: readonly string[];
	/** Where 'Using JSON' takes something other than the body itself. */
	json?: {
		description: string;
		toBody(json: Record<string, unknown>): Record<string, unknown>;
	};
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
	/** What fills the placeholders of the path. */
	pathFields?: readonly Field[];
	query?: readonly Section[];
	body?: BodyPart;
	/** What is done with the records of the response: nothing of it is sent. */
	afterCall?: Section;
	/** Further parameters, whose values are not sent as they are. */
	parameters?: readonly INodeProperties[];
	/**
	 * Where the request says which record it changes, unless in the path or by the first field that names the record. Changes
	 * of the same record keep the order of the items.
	 */
	record?: 'path' | `body.${string}` | `query.${string}`;
	/** Settings that make the response smaller, for the message about one that is too large. */
	narrowedBy?: string;
	/** What comes out. A list has Return All and Limit. */
	output: OutputShape;
	/** False where the contract lists no `system` header. */
	takesSystem?: false;
	/** Completes the request of an item from parameters that are no plain field. */
	preSend?: (item: ItemContext, request: ItemRequest) => void;
	/** Replaces the single call, e.g. by one for each part of a long period. Returns the response body. */
	sendAll?: (item: ItemContext, request: ItemRequest, limit: number) => Promise<unknown>;
	/** Reads the response body before it becomes items, e.g. to turn validation results into errors. */
	postReceive?: (item: ItemContext, body: unknown) => unknown;
	/** What a status means here, where the contract gives it a meaning. */
	statusWords?: StatusWords;
	/** Where one call takes several items: plans the calls of a run, all its items checked. One for each item unless set. */
	planCalls?: (items: readonly PreparedItem[], run: Run) => Iterable<PlannedCall>;
	/** Options that it has besides those of all operations. */
	options?: readonly INodeProperties[];
}

/** The request of one item, before the credential is added. */
export type ItemRequest = ServiceRequest & { query: IDataObject };

export interface FormValues {
	/** The value of a parameter, or of a path such as `options.system`, for this item; undefined where it is empty or not there. */
	read(name: string): unknown;
	/** IANA name: the credential's Time Zone, for dates and times without an offset. */
	timeZone: string;
}

/** Per-item execution context. It is also what errors need to say where they happened. */
export interface ItemContext extends ErrorContext, FormValues {
	account: OpenAccount;
	/** Of the account. */
	statusRoles: StatusRoles;
	/** From 0. */
	itemIndex: number;
	/** Aborted when the run is over: nothing more is sent. */
	signal: AbortSignal;
	/** Records of the response that 'Limit' left out. */
	leftOut?: number;
	call(request: ServiceRequest): Promise<ServiceResponse>;
}

/** An item of which everything is checked. */
export interface PreparedItem {
	item: ItemContext;
	request: ItemRequest;
	/** The most records to output; Infinity for all. */
	limit: number;
	/** @returns what comes out for a record of the service */
	shape(record: unknown): IDataObject;
}

/** One call of a run, or several that belong together. */
export interface PlannedCall {
	/** Those that fail with it. */
	items: readonly ItemContext[];
	/** What it changes: calls that change the same go one after the other. */
	changes: readonly string[];
	/**
	 * @returns what became of its items
	 * @throws what became of all of them; the reason of the run's signal where nothing was sent
	 */
	send(): Promise<Outcome[]>;
}

/** What holds for all calls of a run. */
export interface RunSettings extends Required<Pick<ServiceRequest, 'network' | 'giveUpAfterMs'>> {
	/** Most calls under way. */
	concurrencyLimit: number;
}

/** What all items of a run share. */
export interface Run {
	operation: Operation;
	account: OpenAccount;
	settings: RunSettings;
	/** Aborted when the run is over, by 'Stop Workflow' or because the execution is cancelled: nothing more is sent. */
	signal: AbortSignal;
	hints: RunHints;
	/** Notes what became of items, and ends the run where that is to be. */
	end(outcomes: readonly Outcome[]): void;
	/** @param itemIndex from 0 */
	openItem(itemIndex: number): ItemContext;
}

export interface Resource {
	value: string;
	name: string;
	description: string;
	operations: readonly Operation[];
	/** The operation selected by default. n8n stores no default, so it never becomes another. */
	main: Operation;
}

/** @param rows of each resource, in the order of the list: its description, and its operations, the main one first */
export function resourcesOf(
	rows: Readonly<Record<string, readonly [description: string, main: Operation, ...others: Operation[]]>>,
): Resource[] {
	return Object.entries(rows).map(([value, [description, main, ...others]]) => ({
		value,
		name: startCase(value),
		description,
		operations: sortBy([main, ...others], 'name'),
		main,
	}));
}

/** @returns undefined where there is none */
export function findOperation(
	{ resources }: Pick<Service, 'resources'>,
	resource: unknown,
	operation: unknown,
): Operation | undefined {
	const found = resources.find(({ value }) => value === resource);
	return found?.operations.find(({ value }) => value === operation);
}

export interface Service {
	credential: CredentialName;
	/** The credential's field with the address; `Base URL` unless set. */
	addressField?: string;
	/** What a status means, where the general words name the wrong things. */
	statusWords?: StatusWords;
	resources: readonly Resource[];
	/** The resource selected by default. n8n stores no default, so it never becomes another. */
	main: string;
}
