import { toNodeError } from '../../../../nodes/shared/errors/nodeErrors';
import { InvalidValueError } from '../../../../nodes/shared/values/invalidValue';
import { PLACE, callError } from './faults';

const redirect = { kind: 'redirect', status: 302, isService: false } as const;

/** n8n replaces a message in which it finds the name of a system error, whatever its case. */
test.each([
	[
		callError({ kind: 'connection', code: 'EHOSTUNREACH' }),
		"'Base URL' could not be reached (EHOSTUNREACH) – Get many customers",
	],
	[
		callError({ ...redirect, address: 'https://remoteaccess.example.com' }),
		"'Base URL' redirects to https://remoteaccess.example.com (302) – Get many customers",
	],
	[
		toNodeError(PLACE, new InvalidValueError('URL', "is 'remoteaccess'", 'More')),
		"'URL' is 'remoteaccess' – Get many customers",
	],
])('a message keeps its words where they contain the name of a system error (%#)', (error, message) => {
	expect(error.message).toBe(message);
	expect(error.messages).toEqual([]);
});
