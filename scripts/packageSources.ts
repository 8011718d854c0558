// Import it for its effect: `import()` then loads the package's sources, which are CommonJS for n8n, without a build.
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';

const PACKAGE_SOURCE = /^(?!.*\/node_modules\/).*\/(?:nodes|credentials)\/.+\.ts$/;

registerHooks({
	resolve(specifier, context, nextResolve) {
		if (!specifier.startsWith('.') || !PACKAGE_SOURCE.test(context.parentURL ?? '')) {
			return nextResolve(specifier, context);
		}
		const target = new URL(specifier, context.parentURL);
		const file = [`${target.href}.ts`, `${target.href}/index.ts`].find((url) =>
			existsSync(new URL(url)),
		);
		return nextResolve(file === undefined ? specifier : fileURLToPath(file), context);
	},
	load(url, context, nextLoad) {
		if (!PACKAGE_SOURCE.test(url)) return nextLoad(url, context);
		const { source } = nextLoad(url, { ...context, format: 'module' });
		const { code } = transformSync(String(source), {
			filename: fileURLToPath(url),
			jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
			module: { type: 'commonjs', exportInteropAnnotation: true },
		});
		return { format: 'commonjs', source: code, shortCircuit: true };
	},
});
