import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A home for n8n's settings file, away from the user's own n8n. Removed when the tests of the file have ended. */
export const hostFolder = mkdtempSync(join(tmpdir(), 'n8n-engine-'));

// n8n reads these once, when it is first asked for its configuration: before anything else imports it.
Object.assign(process.env, {
	N8N_USER_FOLDER: hostFolder,
	N8N_ENCRYPTION_KEY: 'a key for the tests of this package',
	N8N_DIAGNOSTICS_ENABLED: 'false',
	GENERIC_TIMEZONE: 'UTC',
	// Each execution that evaluates an expression costs 60 ms with n8n's isolates. They run where `useExpressionEngine`
	// asks for them, and in real n8n (test/e2e).
	N8N_EXPRESSION_ENGINE: 'legacy',
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_EXPRESSION_ENGINE_COMPILE_CACHE: 'true',
});
