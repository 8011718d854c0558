import { readArguments } from '../../../dev/demo/options.ts';

test.each([
	[['--port', 'abc'], '--port takes a port number from 1 to 65535, not "abc"'],
	[['--inbox-port', '70000'], '--inbox-port takes a port number from 1 to 65535, not "70000"'],
	[['--n8n', 'newest'], '--n8n takes a version of n8n such as 2.41.1, not "newest"'],
	[['--frehs'], "Unknown option '--frehs'"],
])('the demo names the option in %j that it cannot use', (args, message) => {
	expect(() => readArguments(args)).toThrow(message);
});
