import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import {
	ACCEPTED,
	codeFindings,
	type Described,
	descriptionFindings,
} from '../../../scripts/reviewChecks.ts';
import { makeCredentialType, makeNode, manifest, root } from '../../support/packageSources';

const SVG = { light: 'file:a.svg', dark: 'file:a.dark.svg' } as const;

function nodeOf(rest: Partial<INodeTypeDescription>): Described {
	const description = {
		name: 'example',
		icon: SVG,
		group: ['transform'],
		usableAsTool: true,
		properties: [],
	};
	return { kind: 'node', description: { ...description, ...rest } as unknown as INodeTypeDescription };
}

const field = (rest: Partial<INodeProperties>): INodeProperties => ({
	displayName: 'Field',
	name: 'field',
	type: 'string',
	default: '',
	...rest,
});
const dependent = field({ displayName: 'Dependent', displayOptions: { show: { other: [true] } } });

describe('the descriptions', () => {
	test.each([
		...manifest.n8n.nodes.map((path): [string, Described] => [
			path,
			{ kind: 'node', description: makeNode(path).description },
		]),
		...manifest.n8n.credentials.map((path): [string, Described] => [
			path,
			{ kind: 'credential', description: makeCredentialType(path) },
		]),
	])('of %s hold nothing that reviewers reject', (_, described) => {
		expect(descriptionFindings(described)).toEqual([]);
	});

	test.each<[string, Described, string]>([
		['an absent icon', nodeOf({ icon: undefined }), 'has no icon'],
		['a bitmap', nodeOf({ icon: { ...SVG, dark: 'file:a.png' } }), 'its icon file:a.png is not an SVG file'],
		['an icon for light grounds alone', nodeOf({ icon: 'file:a.svg' }), 'light and dark are wanted'],
		['a node that is no tool', nodeOf({ usableAsTool: undefined }), "is not 'usableAsTool'"],
		['a trigger that is a tool', nodeOf({ group: ['trigger'] }), 'a trigger cannot be a tool'],
		[
			'a dependent field of a fixedCollection',
			nodeOf({
				properties: [
					field({
						displayName: 'Rows',
						type: 'fixedCollection',
						options: [{ displayName: 'Row', name: 'row', values: [dependent] }],
					}),
				],
			}),
			'Rows > Dependent has displayOptions in a fixedCollection',
		],
		[
			'a dependent field of a collection in a fixedCollection in a collection',
			nodeOf({
				properties: [
					field({
						displayName: 'Options',
						type: 'collection',
						options: [
							field({
								displayName: 'Rows',
								type: 'fixedCollection',
								options: [
									{
										displayName: 'Row',
										name: 'row',
										values: [field({ displayName: 'More', type: 'collection', options: [dependent] })],
									},
								],
							}),
						],
					}),
				],
			}),
			'Options > Rows > More > Dependent has displayOptions',
		],
		[
			'a bitmap of a credential',
			{ kind: 'credential', description: { name: 'api', icon: 'file:a.png', properties: [] } },
			'light and dark are wanted',
		],
	])('show %s', (_, described, finding) => {
		expect(descriptionFindings(described)).toEqual([expect.stringContaining(finding)]);
	});

	test('may let a field of a plain collection depend on another', () => {
		const options = field({ type: 'collection', options: [dependent] });

		expect(descriptionFindings(nodeOf({ properties: [options] }))).toEqual([]);
	});
});

describe('the code', () => {
	const files = globSync(['nodes/**/*.ts', 'credentials/**/*.ts'], { cwd: root });

	test('of the package holds nothing that reviewers reject', () => {
		expect(files.length).toBeGreaterThan(50);
		expect(files.flatMap((file) => codeFindings(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
	});

	test.each(ACCEPTED)(
		'uses the deprecated $helper in one file, with a reason in docs/verification.md',
		(use) => {
			const users = files.filter((file) =>
				codeFindings(file, readFileSync(join(root, file), 'utf8'), []).some((finding) =>
					finding.endsWith(`the deprecated helper ${use.helper}`),
				),
			);
			const page = readFileSync(join(root, 'docs/verification.md'), 'utf8').replace(/\s+/g, ' ');

			expect(users).toEqual([expect.stringMatching(use.file)]);
			expect(page).toContain(`\`${use.helper}\``);
			expect(page).toContain(users[0]);
		},
	);

	test.each([
		['a helper', 'await this.helpers.request(options);', 'uses the deprecated helper request'],
		[
			'a helper in brackets',
			"await this.helpers['requestOAuth2'](options);",
			'the deprecated helper requestOAuth2',
		],
		[
			'a helper taken apart',
			'const { requestWithAuthentication } = context.helpers;',
			'helper requestWithAuth',
		],
		['a helper taken apart twice', 'const { helpers: { request: send } } = context;', 'helper request'],
		['a raw error', "throw new Error('no');", 'throws Error instead of an error of n8n'],
		[
			'a raw error of a module',
			"throw new n8n_workflow_1.ApplicationError('no');",
			'throws ApplicationError',
		],
		['a raw error by a call', "throw TypeError('no');", 'throws TypeError'],
		['a text', "throw 'no';", "throws 'no'"],
		['a rejection', "return Promise.reject(new RangeError('no'));", 'throws RangeError'],
		['a caught error', 'try { f(); } catch (error) { throw error; }', 'throws the caught error'],
		['another error in a catch clause', 'try { f(); } catch { throw new OwnError(); }', 'throws OwnError'],
	])('shows %s, in TypeScript and as built', (_, text, finding) => {
		for (const file of ['nodes/a.ts', 'dist/nodes/a.js'])
			expect(codeFindings(file, `\n${text}`)).toEqual([
				expect.stringMatching(new RegExp(`^${file}:2: .*${finding.replace(/[.*+?^$()|[\]\\]/g, '\\$&')}`)),
			]);
	});

	test.each([
		"throw new NodeOperationError(this.getNode(), 'no');",
		'try { f(); } catch (error) { throw new n8n_workflow_1.NodeApiError(this.getNode(), error); }',
		'throw toNodeError(place, reason);',
		"const { request } = entry; throw new InvalidValueError('Name', 'is empty', 'Fill it in');",
		'await this.helpers.httpRequest(options);',
	])('may hold: %s', (text) => {
		expect(codeFindings('nodes/a.ts', text)).toEqual([]);
	});
});
