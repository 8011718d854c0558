import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

import { projectRoot } from '../harness/paths.ts';

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
	return files.flatMap((file) => messagesIn(file, parse(file)));
}

const parsed = new Map<string, ts.SourceFile>();

function parse(file: string): ts.SourceFile {
	const known = parsed.get(file);
	if (known) return known;
	const text = readFileSync(join(projectRoot(), file), 'utf8');
	const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
	parsed.set(file, source);
	return source;
}

function messagesIn(file: string, source: ts.SourceFile): Message[] {
	const found: Message[] = [];
	const add = (node: ts.Node, about: About, happened: ts.Node, hint?: ts.Node, prefix = '') => {
		const { line } = source.getLineAndCharacterOfPosition(node.getStart());
		const place = `${file}:${line + 1}`;
		const hints = hint ? textsOf(hint, file) : [];
		for (const text of textsOf(happened, file)) {
			// A text that is only passed on is found where it is created.
			if (text.startsWith(ANY)) continue;
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
function textsOf(node: ts.Node, file: string): string[] {
	if (ts.isStringLiteralLike(node) || ts.isNumericLiteral(node)) return [node.text];
	if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return textsOf(node.expression, file);
	if (ts.isConditionalExpression(node))
		return [node.whenTrue, node.whenFalse].flatMap((one) => textsOf(one, file));
	if (ts.isTemplateExpression(node))
		return node.templateSpans.reduce(
			(texts, { expression, literal }) => {
				const parts = textsOf(expression, file);
				return texts.flatMap((text) => parts.map((part) => text + part + literal.text));
			},
			[node.head.text],
		);
	if (ts.isIdentifier(node)) return textsNamed(node.text, file);
	if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
		const declared = declarationOf(node.expression.text, file);
		if (declared && ts.isFunctionDeclaration(declared.node))
			return unique(returnedBy(declared.node).flatMap((value) => textsOf(value, declared.file)));
	}
	return [ANY];
}

function textsNamed(name: string, file: string): string[] {
	const declared = declarationOf(name, file);
	if (!declared || !ts.isVariableDeclaration(declared.node) || !declared.node.initializer) return [ANY];
	return textsOf(declared.node.initializer, declared.file);
}

/** The declaration of a name at the top of a file, or of the file it is imported from. */
function declarationOf(name: string, file: string): { node: ts.Node; file: string } | undefined {
	for (const statement of parse(file).statements) {
		if (ts.isFunctionDeclaration(statement) && statement.name?.text === name)
			return { node: statement, file };
		if (ts.isVariableStatement(statement)) {
			const node = statement.declarationList.declarations.find((one) => one.name.getText() === name);
			if (node) return { node, file };
		}
		if (
			ts.isImportDeclaration(statement) &&
			statement.importClause?.namedBindings?.getText().match(`\\b${name}\\b`)
		) {
			const from = (statement.moduleSpecifier as ts.StringLiteral).text;
			if (from.startsWith('.')) return declarationOf(name, `${join(dirname(file), from)}.ts`);
		}
	}
	return undefined;
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

const unique = (texts: readonly string[]) => [...new Set(texts)];
