import { globSync } from 'node:fs';
import { join } from 'node:path';
import uniq from 'lodash/uniq.js';
import ts from 'typescript';

import { projectRoot } from '../dev/paths.ts';

/** Headings of docs/troubleshooting.md for messages found in the sources. */
const HEADINGS = {
	form: 'A value that cannot be sent',
	account: 'The account',
	address: 'The address',
	trigger: 'What the trigger reports',
	values: 'The values of a call',
	response: 'The response',
};
type About = keyof typeof HEADINGS;

/** A text that the nodes show when something fails, and how to fix it. `…` stands for values filled in at run time. */
export interface Message {
	/** Its place in the sources, e.g. `nodes/shared/values/number.ts:45`. */
	source: string;
	heading: string;
	happened: string;
	hints: string[];
}

const RESPONSE = 'The response ';
/** Errors and functions whose arguments say what happened and how to fix it; `prefix` goes before the first. */
const CALLS: Record<string, { about: About; happened: number; hint?: number; prefix?: string }> = {
	InvalidValueError: { about: 'form', happened: 1, hint: 2 },
	StateError: { about: 'trigger', happened: 0, hint: 1, prefix: "The trigger's stored state " },
	ExplainedError: { about: 'account', happened: 0, hint: 1 },
	apiError: { about: 'values', happened: 1 },
	unusable: { about: 'response', happened: 1, prefix: RESPONSE },
	// In a class that extends ExplainedError.
	super: { about: 'trigger', happened: 0, hint: 1 },
	// Of a poll.
	'notices.push': { about: 'trigger', happened: 0 },
};
/** Types of functions that return a pair of both: checks of a value, and results of a credential test. */
const RETURNED: ReadonlyArray<[type: RegExp, about: About]> = [
	[/^\[what: string/, 'form'],
	[/^Words \| undefined$/, 'address'],
];
/** Properties whose value is a pair of both. */
const PAIRS = new Set(['refused', 'none']);

const ANY = '…';

/**
 * Finds the messages of values, tokens and the trigger in the sources; those of calls follow from `errors/words.ts`.
 */
export function readMessages(folders: readonly string[] = ['nodes', 'credentials']): Message[] {
	const files = folders
		.flatMap((folder) => globSync(`${folder}/**/*.ts`, { cwd: projectRoot() }))
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
	// Names are looked up in the sources alone.
	const program = ts.createProgram(
		files.map((file) => join(projectRoot(), file)),
		{ noLib: true, types: [] },
	);
	return files.flatMap((file) => {
		const source = program.getSourceFile(join(projectRoot(), file));
		return source ? messagesIn(file, source, program.getTypeChecker()) : [];
	});
}

function messagesIn(file: string, source: ts.SourceFile, checker: ts.TypeChecker): Message[] {
	const found: Message[] = [];
	const add = (node: ts.Node, about: About, happened: ts.Node, hint?: ts.Node, prefix = '') => {
		const { line } = source.getLineAndCharacterOfPosition(node.getStart());
		const place = `${file}:${line + 1}`;
		const hints = hint ? textsOf(hint, checker) : [];
		for (const text of textsOf(happened, checker)) {
			// A text that is only passed on is found where it is created; one that begins with a name has no place of its own.
			if (/^(?:a )?…/.test(text)) continue;
			found.push({ source: place, heading: HEADINGS[about], happened: prefix + text, hints });
		}
	};
	const visit = (node: ts.Node): void => {
		if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			const name = node.expression.getText().replace(/^.*(?=notices\.push$)/, '');
			const { about, happened, hint, prefix } = Object.hasOwn(CALLS, name) ? (CALLS[name] ?? {}) : {};
			const [first, second] = [happened, hint].map((at) => node.arguments?.[at ?? -1]);
			// Of `noData`, the message also names the status: see `errors/words.ts`.
			const isWhole = node.arguments?.[0]?.getText() !== "'noData'";
			if (about && first && isWhole && (name !== 'super' || extendsExplained(node)))
				add(node, about, first, second, prefix);
		} else if (ts.isObjectLiteralExpression(node)) {
			const [what, hint] = ['what', 'hint'].map((name) => propertyOf(node, name));
			if (what && hint) add(node, 'form', what, hint);
			const problem = propertyOf(node, 'problem');
			if (problem) add(node, 'response', problem, undefined, RESPONSE);
		} else if (ts.isPropertyAssignment(node) && PAIRS.has(node.name.getText())) {
			const pair = ts.isArrayLiteralExpression(node.initializer) ? node.initializer.elements : [];
			if (pair[0]) add(node, 'account', pair[0], pair[1]);
		} else if (ts.isFunctionDeclaration(node)) {
			const [, about] = RETURNED.find(([type]) => type.test(node.type?.getText() ?? '')) ?? [];
			for (const value of about ? returnedBy(node) : [])
				if (about && ts.isArrayLiteralExpression(value) && value.elements[0])
					add(value, about, value.elements[0], value.elements[1]);
		}
		node.forEachChild(visit);
	};
	visit(source);
	return found;
}

function extendsExplained(node: ts.Node): boolean {
	const { parent } = node;
	if (!ts.isClassDeclaration(node)) return parent !== undefined && extendsExplained(parent);
	const isOfItsOwn = !Object.hasOwn(CALLS, node.name?.text ?? '');
	return isOfItsOwn && /ExplainedError/.test(node.heritageClauses?.[0]?.getText() ?? '');
}

function propertyOf(object: ts.ObjectLiteralExpression, name: string): ts.Expression | undefined {
	const property = object.properties.find((one) => one.name?.getText() === name);
	if (property && ts.isPropertyAssignment(property)) return property.initializer;
	return property && ts.isShorthandPropertyAssignment(property) ? property.name : undefined;
}

/** Every text that an expression can evaluate to, as far as the sources show. */
function textsOf(node: ts.Node, checker: ts.TypeChecker): string[] {
	const textsOfAll = (nodes: readonly ts.Node[]) => uniq(nodes.flatMap((one) => textsOf(one, checker)));
	if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
	if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textsOf(node.expression, checker);
	if (ts.isConditionalExpression(node)) return textsOfAll([node.whenTrue, node.whenFalse]);
	if (ts.isTemplateExpression(node))
		return node.templateSpans.reduce(
			(texts, { expression, literal }) => {
				const parts = textsOf(expression, checker);
				return texts.flatMap((text) => parts.map((part) => text + part + literal.text));
			},
			[node.head.text],
		);
	const declared = declarationOf(ts.isCallExpression(node) ? node.expression : node, checker);
	if (ts.isCallExpression(node) && declared && ts.isFunctionDeclaration(declared))
		return textsOfAll(returnedBy(declared));
	const isConstant =
		declared && ts.isVariableDeclaration(declared) && ts.isSourceFile(declared.parent.parent.parent);
	return isConstant && declared.initializer ? textsOf(declared.initializer, checker) : [ANY];
}

/** The declaration of a name, in whichever file of the sources it is. */
function declarationOf(name: ts.Node, checker: ts.TypeChecker): ts.Declaration | undefined {
	const symbol = ts.isIdentifier(name) ? checker.getSymbolAtLocation(name) : undefined;
	const isImported = symbol && (symbol.flags & ts.SymbolFlags.Alias) !== 0;
	return (isImported ? checker.getAliasedSymbol(symbol) : symbol)?.valueDeclaration;
}

function returnedBy(declaration: ts.FunctionDeclaration): ts.Expression[] {
	const values: ts.Expression[] = [];
	const visit = (node: ts.Node): void => {
		if (ts.isReturnStatement(node) && node.expression) values.push(node.expression);
		if (!ts.isFunctionLike(node)) node.forEachChild(visit);
	};
	declaration.body?.forEachChild(visit);
	return values;
}
