import { hostFolder } from './environment';
import { rmSync } from 'node:fs';
import { Logger } from '@n8n/backend-common';
import { ExpressionEngineConfig } from '@n8n/config';
import { Container } from '@n8n/di';
import { Expression, LoggerProxy, type LogMetadata } from 'n8n-workflow';

/** One line n8n or a node logged. */
export interface LogLine {
	level: 'error' | 'warn' | 'info' | 'debug';
	message: string;
	metadata?: LogMetadata;
}

/** Everything logged since the test file began, oldest first. */
export const logged: LogLine[] = [];

function takeLog(level: LogLine['level']) {
	return (message: string, metadata?: LogMetadata) => {
		// A line for each expression evaluated.
		if (message.startsWith('[IsolatedVmBridge]')) return;
		logged.push({ level, message, metadata });
	};
}

const logger = {
	error: takeLog('error'),
	warn: takeLog('warn'),
	info: takeLog('info'),
	debug: takeLog('debug'),
	scoped: () => logger,
};

export type ExpressionEngineName = ExpressionEngineConfig['engine'];

let running: ExpressionEngineName;

/** For a file or a group of tests: n8n with one of its expression engines; 'vm' is the one that it starts with. */
export function useExpressionEngine(name: ExpressionEngineName): void {
	let before: ExpressionEngineName;
	const change = async (to: ExpressionEngineName) => {
		await Expression.disposeExpressionEngine();
		Expression.setExpressionEngine(to);
		await startExpressionEngine(to);
	};
	beforeAll(async () => {
		before = running;
		await change(name);
		expect(Expression.getActiveImplementation()).toBe(name);
	});
	afterAll(async () => await change(before));
}

/** Starts an expression engine, set up as n8n's environment says; the one before it must have been disposed of. */
async function startExpressionEngine(engine: ExpressionEngineName): Promise<void> {
	running = engine;
	await Expression.initExpressionEngine({ ...Container.get(ExpressionEngineConfig), engine });
}

// What n8n's start does before it runs the first workflow (`commands/base-command`).
beforeAll(async () => {
	Container.set(Logger, logger as unknown as Logger);
	LoggerProxy.init(logger);
	await startExpressionEngine(Container.get(ExpressionEngineConfig).engine);
});

afterAll(async () => {
	await Expression.disposeExpressionEngine();
	rmSync(hostFolder, { recursive: true, force: true });
});
