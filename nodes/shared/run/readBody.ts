import get from 'lodash/get';
import has from 'lodash/has';
import isPlainObject from 'lodash/isPlainObject';
import omit from 'lodash/omit';

import { requestBodies } from '../contract/calls';
import { ContractCheck, JSON_BODY } from '../form/contractCheck';
import type { Section } from '../form/rows';
import { filledIn, isEmptyValue, parseJson } from '../form/values';
import { recordFields, usesJson } from '../operation/nodeForm';
import type { BodyPart, ItemContext } from '../operation/operation';
import { InvalidValueError } from '../values/invalidValue';
import { isRecord } from '../values/record';
import { readSections } from './readSections';

type Body = Record<string, unknown>;

/** An ID of a record, and what errors call the place where it stands. */
interface NamedId {
	label: string;
	value: unknown;
}

const NOTHING_HINT =
	"Enter at least one value; an ID or passcode alone is not enough. Empty fields are not sent; to clear a value, choose 'Using JSON'";

/**
 * Builds and checks the body of one item.
 *
 * @param idInPath the record in the path of the call
 * @throws InvalidValueError that names the parameter as displayed (or the path in the JSON) and what is allowed
 */
export function readBody(part: BodyPart, item: ItemContext, idInPath: NamedId): Body {
	const { sections, repeatsId, notEnough = repeatsId } = part;
	const isJson = usesJson(item);
	const body = isJson ? readJsonBody(part, item) : readSections(sections, item);
	if (notEnough !== undefined && !hasValue(omit(body, notEnough))) {
		const label = isJson ? JSON_BODY : sections[0]?.collection?.displayName;
		throw new InvalidValueError(label ?? 'Specify Values', 'has nothing to send', NOTHING_HINT);
	}
	checkSameIds(part, body, idInPath, isJson);
	return repeatsId === undefined ? body : { ...body, [repeatsId]: idInPath.value };
}

/** @throws InvalidValueError where the JSON names no record, or another than the form */
function readJsonBody({ sections, schema }: BodyPart, item: ItemContext): Body {
	const { timeZone } = item.account;
	const given = parseJson(item.getParameter('jsonBody') ?? '', JSON_BODY);
	if (!isRecord(given) || !isPlainObject(given)) {
		const hint = 'Enter one object, in curly brackets';
		throw new InvalidValueError(JSON_BODY, 'is not a JSON object', hint);
	}
	const body = { ...given };
	for (const { path, serialize, mustNotBeEmpty } of sections.flatMap(({ fields }) => fields))
		if (mustNotBeEmpty && has(body, path)) serialize(get(body, path), timeZone, inJson(path));
	for (const { path, property, serialize } of recordFields(sections)) {
		const onForm = item.getParameter(property.name);
		const id = filledIn(body[path]);
		const named = id === undefined ? undefined : serialize(id, timeZone, inJson(path));
		refuseOther(
			{ label: inJson(path), value: named },
			{ label: property.displayName, value: onForm },
		);
		body[path] = named ?? serialize(onForm, timeZone);
	}
	const contract = requestBodies[schema] ?? {};
	return new ContractCheck(timeZone).read(body, contract, JSON_BODY) as Body;
}

function inJson(path: string): string {
	return `${JSON_BODY}: ${path}`;
}

/** @returns whether a value contains anything, at any depth */
export function hasValue(value: unknown): boolean {
	return isPlainObject(value) ? Object.values(value as object).some(hasValue) : value !== undefined;
}

/** @throws InvalidValueError where a body names another record than the path, or two records where it means one */
function checkSameIds(part: BodyPart, body: Body, idInPath: NamedId, isJson: boolean): void {
	const idAt = (path: string): NamedId => {
		return {
			label: isJson ? inJson(path) : labelOf(part.sections, path),
			value: get(body, path) as unknown,
		};
	};
	if (part.repeatsId !== undefined) refuseOther(idAt(part.repeatsId), idInPath);
	for (const [path, other] of Object.entries(part.sameIds ?? {}))
		refuseOther(idAt(path), other === 'path' ? idInPath : idAt(other));
}

function labelOf(sections: readonly Section[], path: string): string {
	const fields = sections.flatMap((section) => section.fields);
	return fields.find((field) => field.path === path)?.property.displayName ?? path;
}

/** @throws InvalidValueError where two IDs of a request name different records */
function refuseOther(id: NamedId, other: NamedId): void {
	if (isEmptyValue(id.value) || isEmptyValue(other.value)) return;
	if (comparableId(id.value) === comparableId(other.value)) return;
	throw new InvalidValueError(
		id.label,
		`names another record than '${other.label}'`,
		'Leave it out, or enter the same ID in both places',
	);
}

function comparableId(id: unknown): string {
	return String(id).trim().toLowerCase();
}
