import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { INodeProperties } from 'n8n-workflow';
import {
	makeCredentialType,
	makeNode,
	manifest,
	root,
	sourcePath,
} from '../support/packageSources';

/** Those that n8n's nodes panel knows; in a node's own codex 'AI' hides the node from it. */
const CATEGORY =
	/^(Analytics|Communication|Core Nodes|Data & Storage|Development|Finance & Accounting|Marketing|Miscellaneous|Productivity|Sales|Utility)$/;

interface Codex {
	node: string;
	nodeVersion: string;
	codexVersion: string;
	categories: string[];
	alias: string[];
	resources: Record<'primaryDocumentation' | 'credentialDocumentation', Array<{ url: string }>>;
}

function readJson<T>(path: string): T {
	return JSON.parse(readFileSync(join(root, path), 'utf8')) as T;
}

/** The fields within some, at any depth. */
function fieldsWithin(fields: INodeProperties[]): INodeProperties[] {
	const inner = fields
		.flatMap(({ options = [] }) => options)
		.flatMap((option) => ('values' in option ? option.values : 'type' in option ? [option] : []));
	return inner.length > 0 ? [...inner, ...fieldsWithin(inner)] : [];
}

describe('package.json', () => {
	test('has no dependency that users would install', () => {
		expect(manifest.files).toEqual(['dist']);
		expect(manifest.peerDependencies).toEqual({ 'n8n-workflow': '*' });
		const others = Object.keys(manifest).filter((name) => /dependencies$|^overrides$/i.test(name));
		expect(others.sort()).toEqual(['devDependencies', 'peerDependencies']);
	});
});

describe.each(manifest.n8n.nodes)('%s', (path) => {
	const { description } = makeNode(path);
	const codex = readJson<Codex>(sourcePath(path).replace(/\.ts$/, '.json'));

	test('has a codex file that n8n understands', () => {
		expect(codex).toMatchObject({
			node: `${manifest.name}.${description.name}`,
			codexVersion: '1.0',
			nodeVersion: [description.version].flat().at(-1)?.toFixed(1),
		});
		expect(codex.categories).not.toEqual([]);
		for (const category of codex.categories) expect(category).toMatch(CATEGORY);
		// n8n gives one to the tool variant itself; here it would hide the actions.
		expect(codex).not.toHaveProperty('subcategories');
		for (const { url } of Object.values(codex.resources).flat()) expect(url).toMatch(/^https:\/\//);
	});

	test('has no field of a fixedCollection that depends on another, which n8n 2.33 and later refuse', () => {
		const all = [...description.properties, ...fieldsWithin(description.properties)];
		const inside = fieldsWithin(all.filter(({ type }) => type === 'fixedCollection'));
		expect(inside.filter(({ displayOptions }) => displayOptions)).toEqual([]);
	});
});

test.each(manifest.n8n.credentials)(
	'%s hides every secret, the value of an extra header too',
	(path) => {
		const { properties } = makeCredentialType(path);
		const all = [...properties, ...fieldsWithin(properties)];
		const secrets = all.filter(({ name }) => /secret|password|token$|^value$/i.test(name));

		expect(secrets).toHaveLength(2);
		for (const { typeOptions } of secrets) expect(typeOptions?.password).toBe(true);
	},
);

interface PanelEntry {
	properties: { displayName: string; codex: Codex };
}

/** n8n's own search of its nodes panel, as it comes with n8n's engine. */
const { sublimeSearch } = createRequire(require.resolve('n8n-core'))(
	'@n8n/utils/search/sublime-search',
) as {
	sublimeSearch(filter: string, entries: PanelEntry[]): Array<{ score: number }>;
};

/** What people type who look for the node, by their language. */
const SEARCHES = [
	'booking, reservation, restaurant, hotel, activity, tour, experience, guests, arrivals, check-in',
	'no show, cancellation, reservations, feedback, deposit, waitlist, company, invoice, price list',
	'customer, refund, checkout, survey, menu, reminder, hospitality',
	'Buchungen, Reservierungen, Storno, Stornierung, Gäste, Tisch, Umfrage, Preisliste, Rechnung',
	'Warteliste, Anzahlung, Kunden',
	'bokningar, bokning, avbokning, gäster, restaurang, enkät, prislista, faktura, väntelista',
	'incheckning, företag, betalning',
	'bestilling, aflysning, gæster, spørgeskema, venteliste, oplevelser, fakturaer, indtjekning',
	'bestillinger, reservasjon, avbestilling, gjester, undersøkelse, innsjekking, påminnelse, bedrift',
].flatMap((line) => line.split(', '));

// n8n merges a trigger and its action into one entry of the nodes panel, with the action's aliases and the trigger's description.
describe('the entry in the nodes panel', () => {
	const [action, trigger] = ['HospitalityBooking', 'HospitalityBookingTrigger'].map((node) => ({
		words: readJson<Codex>(`nodes/${node}/${node}.node.json`).alias,
		description: makeNode(`dist/nodes/${node}/${node}.node.js`).description.description,
	}));

	const panelEntry: PanelEntry = {
		properties: {
			displayName: 'Hospitality Booking',
			codex: readJson<Codex>('nodes/HospitalityBooking/HospitalityBooking.node.json'),
		},
	};

	it('is looked for by at least 60 words', () => {
		expect(new Set(SEARCHES).size).toBeGreaterThanOrEqual(60);
	});

	it.each(SEARCHES)('is found by %s, in one piece at the beginning of a word', (word) => {
		const [found] = sublimeSearch(word.toLowerCase(), [panelEntry]);

		// n8n gives 60 points for each letter that stands beside the one before it.
		expect(found?.score).toBeGreaterThan(60 * (word.length - 1));
	});

	it('is found by every word that finds the trigger, and has one description', () => {
		expect(action?.words).toEqual(expect.arrayContaining(trigger?.words ?? ['']));
		expect(trigger?.description).toBe(action?.description);
	});
});
