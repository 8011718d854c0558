import type { ICredentialType, INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import ts from 'typescript';

/** Helpers that n8n has replaced by `httpRequest` and `httpRequestWithAuthentication`, or by nothing. */
const DEPRECATED_HELPERS = new Set([
	'request',
	'requestWithAuthentication',
	'requestWithAuthenticationPaginated',
	'requestOAuth1',
	'requestOAuth2',
	'copyBinaryFile',
	'prepareOutputData',
]);
/** Errors that leave n8n's error box without a second line, an item and a status. */
const RAW_ERRORS = new Set([
	'AggregateError',
	'ApplicationError',
	'Error',
	'EvalError',
	'RangeError',
	'ReferenceError',
	'SyntaxError',
	'TypeError',
	'URIError',
]);
const NODE_ERRORS = new Set(['NodeApiError', 'NodeOperationError']);

/** A deprecated helper that has to stay, with the reason that reviewers are given. */
export interface DeprecatedUse {
	file: RegExp;
	helper: string;
	reason: string;
}

/** docs/verification.md says the same to reviewers. */
export const ACCEPTED: readonly DeprecatedUse[] = [
	{
		file: /nodes\/shared\/http\/helpers\.[jt]s$/,
		helper: 'requestWithAuthentication',
		reason: 'httpRequestWithAuthentication drops the body of a GET, which the subscription service wants',
	},
	{
		file: /nodes\/shared\/http\/helpers\.[jt]s$/,
		helper: 'request',
		reason: 'n8n gives the test of a credential no other helper (ICredentialTestFunctions)',
	},
];

/** A node or credential type as it is registered. */
export type Described =
	| { kind: 'node'; description: INodeTypeDescription }
	| { kind: 'credential'; description: Pick<ICredentialType, 'name' | 'icon' | 'properties'> };

/**
 * What reviewers reject in a description: an icon that is no SVG for light and dark, a node that an AI agent cannot use,
 * fields of a fixedCollection that depend on others.
 *
 * @returns one line for each finding, beginning with the type's name
 */
export function descriptionFindings({ kind, description }: Described): string[] {
	const findings = [
		...iconFindings(description.icon),
		...(kind === 'node' ? toolFindings(description) : []),
		...description.properties.flatMap((property) => dependentFields(property, property.displayName)),
	];
	return findings.map((finding) => `${description.name}: ${finding}`);
}

function iconFindings(icon: INodeTypeDescription['icon']): string[] {
	if (icon === undefined) return ['has no icon'];
	if (typeof icon === 'string') return [`has one icon, ${icon}; light and dark are wanted`];
	return [icon.light, icon.dark]
		.filter((file) => !/^file:.+\.svg$/.test(file))
		.map((file) => `its icon ${file} is not an SVG file of the package`);
}

function toolFindings({ usableAsTool, group }: INodeTypeDescription): string[] {
	if (group.includes('trigger')) return usableAsTool ? ['a trigger cannot be a tool of an AI agent'] : [];
	return usableAsTool ? [] : ["is not 'usableAsTool'"];
}

/** n8n 2.33 and later refuse 'displayOptions' below a fixedCollection. */
function dependentFields({ type, options = [] }: INodeProperties, path: string, isInside = false): string[] {
	return options.flatMap((option) => {
		const fields = 'values' in option ? option.values : 'type' in option ? [option] : [];
		const within = isInside || type === 'fixedCollection';
		return fields.flatMap((field) => {
			const own = `${path} > ${field.displayName}`;
			const finding =
				within && field.displayOptions ? [`${own} has displayOptions in a fixedCollection`] : [];
			return [...finding, ...dependentFields(field, own, within)];
		});
	});
}

/**
 * What reviewers reject in code, TypeScript or built: deprecated helpers, and errors thrown as they come.
 *
 * @param file where it is, for the findings and for what is accepted there
 * @returns one line for each finding, beginning with file and line
 */
export function codeFindings(file: string, text: string, accepted = ACCEPTED): string[] {
	const kind = file.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS;
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true, kind);
	const findings: string[] = [];
	const visit = (node: ts.Node): void => {
		const helper = deprecatedHelper(node);
		const isAccepted = accepted.some((use) => use.helper === helper && use.file.test(file));
		const raw = rawError(node);
		const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
		if (helper !== undefined && !isAccepted)
			findings.push(`${file}:${line}: uses the deprecated helper ${helper}`);
		if (raw !== undefined) findings.push(`${file}:${line}: throws ${raw} instead of an error of n8n`);
		ts.forEachChild(node, visit);
	};
	visit(source);
	return findings;
}

/** The deprecated helper that is taken from n8n's `helpers` here, by a dot, in brackets or by destructuring. */
function deprecatedHelper(node: ts.Node): string | undefined {
	const [name, from] = takenFrom(node);
	const isHelper = name !== undefined && DEPRECATED_HELPERS.has(name);
	return isHelper && from !== undefined && /(^|\.)helpers\??$/.test(from) ? name : undefined;
}

/** What is taken here, and from what, as it stands in the text. */
function takenFrom(node: ts.Node): [name?: string, from?: string] {
	if (ts.isPropertyAccessExpression(node)) return [node.name.text, node.expression.getText()];
	if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression))
		return [node.argumentExpression.text, node.expression.getText()];
	if (!ts.isBindingElement(node)) return [];
	const { parent } = node.parent;
	const from = ts.isVariableDeclaration(parent) ? parent.initializer : bindingOf(parent);
	return [(node.propertyName ?? node.name).getText(), from?.getText()];
}

/** In `{ helpers: { request } }` the name that the inner braces open. */
function bindingOf(node: ts.Node): ts.Node | undefined {
	return ts.isBindingElement(node) ? node.propertyName : undefined;
}

/** The error that is thrown here, or handed to `Promise.reject`, though it is none of n8n's and none of the package's. */
function rawError(node: ts.Node): string | undefined {
	const isRejection = ts.isCallExpression(node) && node.expression.getText() === 'Promise.reject';
	const thrown = ts.isThrowStatement(node) ? node.expression : isRejection ? node.arguments[0] : undefined;
	if (thrown === undefined) return undefined;
	if (ts.isStringLiteralLike(thrown) || ts.isObjectLiteralExpression(thrown)) return thrown.getText();
	const caught = catchAround(node);
	if (ts.isIdentifier(thrown))
		return caught?.variableDeclaration?.name.getText() === thrown.text
			? `the caught ${thrown.text}`
			: undefined;
	if (!ts.isNewExpression(thrown) && !ts.isCallExpression(thrown)) return undefined;
	const name = thrown.expression.getText().split('.').at(-1) ?? '';
	const isRaw = RAW_ERRORS.has(name) || (caught && ts.isNewExpression(thrown) && !NODE_ERRORS.has(name));
	return isRaw ? name : undefined;
}

/** The catch clause whose error would be lost here. */
function catchAround(node: ts.Node): ts.CatchClause | undefined {
	for (let around = node.parent; around !== undefined; around = around.parent) {
		if (ts.isCatchClause(around)) return around;
		if (ts.isFunctionLike(around)) return undefined;
	}
	return undefined;
}
