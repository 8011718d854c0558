import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import { HospitalityBooking } from '../../nodes/HospitalityBooking/HospitalityBooking.node';
import { bookingService } from '../../nodes/HospitalityBooking/resources';
import { readGuid } from '../../nodes/shared/values/address';
import { InvalidValueError } from '../../nodes/shared/values/invalidValue';
import { formOf } from './forms';
import { makeCredentialType, makeNode, manifest, registeredPath, root } from './packageSources';

const RECORD = join(root, 'docs', 'images', 'pictures.json');
/** The browser tests take pictures, for people and for the documents, only when they are asked to: `npm run pictures`. */
export const TAKES_PICTURES = process.env.HOSPITALITY_BOOKING_PICTURES === 'write';

/** Shows the canvas without the editor's own buttons around, before and on it. */
export const CANVAS_ALONE =
	'body * { visibility: hidden } .vue-flow, .vue-flow__transformationpane * { visibility: visible } [data-test-id="canvas-handle-plus-wrapper"], [data-test-id="canvas-handle-plus-wrapper"] * { visibility: hidden !important }';

interface Place {
	resource: string;
	operation: string;
}

/** A GUID that is none, in a field with this label. */
interface Refusal {
	label: string;
	value: string;
}

/**
 * What a picture shows: a workflow file, the form of an operation (of Hospitality Booking unless it names another node) or of
 * an event of the trigger, with the output of an operation beside it or with what it says to a bad value, that of a credential, the list of actions of Hospitality Booking, the page that a folder of files
 * makes, or nothing of this package but its name.
 */
export type Subject =
	| { workflow: string }
	| { form: Record<string, string>; node?: string; output?: Place; refuses?: Refusal }
	| { credential: string }
	| { actions: true }
	| { page: string }
	| { package: string };

/** A picture of the documents, by its path from the root, with what it showed and the texts in it when it was taken. */
export type PictureRecord = Record<string, { shows: Subject; fingerprint: string; texts: string[] }>;

/** The pictures that the browser tests have taken for the documents. */
export function readPictures(): PictureRecord {
	return existsSync(RECORD) ? (JSON.parse(readFileSync(RECORD, 'utf8')) as PictureRecord) : {};
}

/** The texts of this package that stand in the output panels of a picture: field names, or what is said to a bad value. */
export function textsOf(subject: Subject): string[] {
	if (!('form' in subject)) return [];
	const { output, refuses } = subject;
	return [...(output ? simplifiedFields(output) : []), ...(refuses ? refusalOf(refuses) : [])];
}

function simplifiedFields({ resource, operation }: Place): string[] {
	const operations = bookingService.resources.find(({ value }) => value === resource)?.operations ?? [];
	const { simplified = {} } = operations.find(({ value }) => value === operation)?.output ?? {};
	return Object.keys(simplified);
}

function refusalOf({ label, value }: Refusal): string[] {
	try {
		readGuid(value, label);
	} catch (error) {
		if (error instanceof InvalidValueError) return [error.message, error.description];
	}
	throw new Error(`'${value}' is not refused as ${label}.`);
}

/** Stands for what a picture of this subject would show now; another one when the picture has to be taken anew. */
export function fingerprintOf(subject: Subject): string {
	return createHash('sha256')
		.update(JSON.stringify(shown(subject)))
		.digest('hex');
}

function shown(subject: Subject): unknown {
	if ('workflow' in subject) {
		const file = readFileSync(join(root, 'workflows', `${subject.workflow}.json`), 'utf8');
		return { canvas: JSON.parse(file) as unknown, taken: CANVAS_ALONE };
	}
	if ('page' in subject) {
		const folder = join(root, subject.page);
		return readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]);
	}
	if ('package' in subject) return subject;
	if ('credential' in subject) {
		const path = registeredPath(manifest.n8n.credentials, subject.credential);
		return standing(makeCredentialType(path).properties, {});
	}
	if ('form' in subject) {
		const path = registeredPath(manifest.n8n.nodes, subject.node ?? 'hospitalityBooking');
		return standing(makeNode(path).description.properties, subject.form);
	}
	const { properties } = new HospitalityBooking().description;
	return properties.filter(({ name }) => name === 'operation').map(({ options }) => options);
}

/** Names, defaults and kinds of the fields that a form opens with, in their order. */
function standing(properties: INodeProperties[], chosen: Record<string, string>) {
	return formOf(properties, chosen).map(({ displayName, type, default: initial }) => ({
		displayName,
		type,
		initial,
	}));
}

/**
 * Puts a picture that a browser test has taken into the documents, where `npm run pictures` runs the test.
 *
 * @param taken path of the picture
 * @param path where it goes, from the root
 */
export function keepPicture(taken: string, path: string, shows: Subject): void {
	if (!TAKES_PICTURES) return;
	mkdirSync(dirname(join(root, path)), { recursive: true });
	writeFileSync(join(root, path), readFileSync(taken));
	const pictures = {
		...readPictures(),
		[path]: { shows, fingerprint: fingerprintOf(shows), texts: textsOf(shows) },
	};
	const sorted = Object.fromEntries(Object.entries(pictures).sort(([a], [b]) => a.localeCompare(b)));
	writeFileSync(RECORD, `${JSON.stringify(sorted, null, 2)}\n`);
}
