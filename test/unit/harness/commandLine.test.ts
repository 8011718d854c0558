import { readCommandLine } from '../../../dev/commandLine.ts';

const USAGE = 'npm run it -- [--short]';
const printed = jest.fn((_text: string) => undefined);

beforeAll(() => {
	jest.spyOn(console, 'log').mockImplementation(printed);
	jest.spyOn(console, 'error').mockImplementation(printed);
	jest.spyOn(process, 'exit').mockImplementation((code) => {
		throw new Error(`ended with ${String(code)}`);
	});
});

const read = (...args: string[]) => readCommandLine(USAGE, { short: { type: 'boolean' } }, args);

it('reads options and what stands beside them', () => {
	expect(read('unit', '--short')).toMatchObject({ values: { short: true }, positionals: ['unit'] });
});

it.each([
	['is asked for help', '--help', 0, /^npm run it/],
	['does not have the option, which it names', '--shrot', 1, /--shrot[\s\S]*npm run it/],
])('prints how the script is used and ends where it %s', (_, arg, code, text) => {
	expect(() => read(arg)).toThrow(`ended with ${code}`);
	expect(printed).toHaveBeenLastCalledWith(expect.stringMatching(text));
});
