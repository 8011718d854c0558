import { readCommandLine } from '../../../harness/commandLine.ts';

const printed: string[] = [];

beforeEach(() => {
	printed.length = 0;
	jest.spyOn(console, 'log').mockImplementation((text: string) => void printed.push(text));
	jest.spyOn(console, 'error').mockImplementation((text: string) => void printed.push(text));
	jest.spyOn(process, 'exit').mockImplementation((code) => {
		throw new Error(`ended with ${String(code)}`);
	});
});

afterEach(() => {
	jest.restoreAllMocks();
});

function read(...args: string[]) {
	return readCommandLine('npm run it -- [--short]', { short: { type: 'boolean' } }, args);
}

it('reads options and what stands beside them', () => {
	expect(read('unit', '--short')).toMatchObject({ values: { short: true }, positionals: ['unit'] });
});

it('prints how the script is used, and ends it well', () => {
	expect(() => read('--help')).toThrow('ended with 0');
	expect(printed).toEqual(['npm run it -- [--short]']);
});

it('names an option that the script does not have, with how it is used', () => {
	expect(() => read('--shrot')).toThrow('ended with 1');
	expect(printed.join('\n')).toMatch(/--shrot[\s\S]*npm run it -- \[--short\]/);
});
