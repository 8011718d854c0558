// What `npm run release` asks of compat/results: stale results stop a release, not a contributor.
import { AREAS } from '../../compat/areas.ts';
import { HOST_FEATURES } from '../../compat/host.ts';
import { buildMark, readResults, wireDifferences } from '../../compat/results.ts';
import { n8nVersions } from '../../dev/n8nVersions.ts';
import { operations } from '../sandbox/support/contract';
import { manifest } from '../support/packageSources';

const results = readResults();
const { versions } = n8nVersions();

describe('compat/results', () => {
	it('has a result of this version of the package for every listed n8n, and of no other', () => {
		expect(results.map((result) => [result.n8n, result.package])).toEqual(
			versions.map(({ version }) => [version, manifest.version]),
		);
	});

	it('is about the build in dist/ for every n8n', () => {
		expect([...new Set(results.map(({ build }) => build))]).toEqual([buildMark()]);
	});

	it('is about the areas that there are today, for every n8n', () => {
		const today = AREAS.map(({ id }) => id).sort();
		expect(results.map(({ areas }) => Object.keys(areas).sort())).toEqual(results.map(() => today));
	});

	it.each(results)('has no failed test, and a test or a word for each area, for n8n $n8n', ({ areas }) => {
		for (const { id } of AREAS) {
			expect(areas[id]?.failed).toEqual([]);
			expect(areas[id]?.instead ?? areas[id]?.passed).toBeTruthy();
		}
	});

	it('has passed without all that an n8n can lack of what the package uses, in the oldest', () => {
		const features = HOST_FEATURES.map(({ id }) => id);
		const [oldest, newest] = [results.at(0), results.at(-1)];
		expect(features.filter((id) => oldest?.host[id])).toEqual(['cancelSignal']);
		expect(features.filter((id) => !newest?.host[id])).toEqual([]);
		expect(results.filter(({ host }) => !host.cancelSignal)).toEqual([]);
	});

	it('shows the same requests for every n8n, of every operation of the contract', () => {
		expect(wireDifferences(results)).toEqual([]);
		const sent = new Set(Object.keys(results[0]?.wire ?? {}).map((test) => test.split(':')[0]));
		const documented = operations.filter(({ service }) => service !== 'auth').map(({ id }) => id);
		expect([...sent].sort()).toEqual([...documented].sort());
	});
});
