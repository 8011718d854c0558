import attempt from 'lodash/attempt';
import get from 'lodash/get';
import has from 'lodash/has';
import isPlainObject from 'lodash/isPlainObject';
import omit from 'lodash/omit';

import { sourceOfId } from '../booking/idSources';
import { requestBodies } from '../contract/calls';
import { ContractCheck, JSON_BODY } from '../form/contractCheck';
import type { Field } from '../form/fields';
import type { Section } from '../form/rows';
import { parseJson } from '../form/parseJson';
import { filledIn, isBlankParameter } from '../form/values';
import { usesJson } from '../operation/nodeForm';
import type { BodyPart, ItemContext } from '../operation/operation';
import { asText } from '../values/asText';
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
	const isJson = usesJson(item);
	const body = isJson ? readJsonBody(part, item) : readSections(part.sections, item);
	refuseNothing(part, body, isJson);
	checkSameIds(part, body, idInPath, isJson);
	if (part.repeatsId !== undefined) body[part.repeatsId] = idInPath.value;
	return body;
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
	for (const field of fieldsOf(sections)) {
		const { path } = field;
		const value: unknown = get(body, path);
		const mustNotBeEmpty = field.mustNotBeEmpty && has(body, path);
		if (mustNotBeEmpty) field.serialize(value, timeZone, inJson(path));
		if (field.namesRecord) body[path] = readRecordId(field, filledIn(value), item);
	}
	const contract = requestBodies[schema] ?? {};
	const check = new ContractCheck(timeZone);
	const checked: unknown = attempt(() => check.read(body, contract, JSON_BODY));
	if (checked instanceof InvalidValueError) throw withSourceOfId(checked, sections);
	if (checked instanceof Error) throw checked;
	return checked as Body;
}

/** @returns the error, which also says where an ID is found if JSON has one of the form's IDs wrong */
function withSourceOfId(error: InvalidValueError, sections: readonly Section[]): Error {
	const place = error.label.replace(inJson(''), '');
	const path = place.replace(/\[\d+\]/g, '');
	const label = labelAt(path, sections) ?? '';
	const source = sourceOfId(label);
	return source === undefined ? error : error.withHint(source);
}

/** @returns the name of the field at a path of the body, or of one in its entries, as displayed */
function labelAt(path: string, sections: readonly Section[]): string | undefined {
	for (const field of fieldsOf(sections)) {
		if (field.path === path) return field.property.displayName;
		for (const entry of field.entries ?? []) {
			if (path === `${field.path}.${entry.path}`) return entry.property.displayName;
		}
	}
	return undefined;
}

/** @param idInJson the ID of the record as JSON has it; undefined where only the form names the record */
function readRecordId(field: Field, idInJson: unknown, item: ItemContext): unknown {
	const { property, serialize } = field;
	const { timeZone } = item.account;
	const idOnForm = item.getParameter(property.name);
	if (idInJson === undefined) return serialize(idOnForm, timeZone);
	const label = inJson(field.path);
	const value = serialize(idInJson, timeZone, label);
	const onForm = { label: property.displayName, value: idOnForm };
	refuseOther({ label, value }, onForm);
	return value;
}

function inJson(path: string): string {
	return `${JSON_BODY}: ${path}`;
}

function fieldsOf(sections: readonly Section[]): Field[] {
	return sections.flatMap((section) => section.fields);
}

/** @throws InvalidValueError for a body that would change nothing */
function refuseNothing(part: BodyPart, body: Body, isJson: boolean): void {
	const { sections, notEnough = part.repeatsId } = part;
	if (notEnough === undefined) return;
	const others = omit(body, notEnough);
	if (hasValue(others)) return;
	let label = JSON_BODY;
	if (!isJson) label = sections[0]?.collection?.displayName ?? 'Specify Values';
	throw new InvalidValueError(label, 'has nothing to send', NOTHING_HINT);
}

/** @returns whether a value contains anything, at any depth */
export function hasValue(value: unknown): boolean {
	if (!isPlainObject(value)) return value !== undefined;
	return Object.values(value as object).some(hasValue);
}

/** @throws InvalidValueError where a body names another record than the path, or two records where it means one */
function checkSameIds(part: BodyPart, body: Body, idInPath: NamedId, isJson: boolean): void {
	const { repeatsId, sameIds = {}, sections } = part;

	function idAt(path: string): NamedId {
		const value: unknown = get(body, path);
		if (isJson) return { label: inJson(path), value };
		return { label: labelAt(path, sections) ?? path, value };
	}

	if (repeatsId !== undefined) refuseOther(idAt(repeatsId), idInPath);
	for (const [path, other] of Object.entries(sameIds)) {
		const otherId = other === 'path' ? idInPath : idAt(other);
		refuseOther(idAt(path), otherId);
	}
}

/** @throws InvalidValueError where two IDs of a request name different records */
function refuseOther(id: NamedId, other: NamedId): void {
	if (isBlankParameter(id.value) || isBlankParameter(other.value)) return;
	if (comparableId(id.value) === comparableId(other.value)) return;
	const problem = `names another record than '${other.label}'`;
	const hint = 'Leave it out, or enter the same ID in both places';
	throw new InvalidValueError(id.label, problem, hint);
}

function comparableId(id: unknown): string {
	return asText(id).trim().toLowerCase();
}
