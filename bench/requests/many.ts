import { readFileSync, writeFileSync } from 'node:fs';
import range from 'lodash/range.js';
import type { Bench } from '../bench.ts';
import type { Report } from '../report.ts';
import type { Sides } from './jobs.ts';
import { measureOnce, withService } from './measure.ts';

const FULL = { few: 1_000, many: 10_000, large: 3_000, before: 100 };
const QUICK = { few: 10, many: 100, large: 30, before: 1 };

const MOST_FOR_TEN_TIMES = 11;
const MOST_OF_THEIR_MEMORY = 0.8;
const RESPONSE_BYTES = 20_000;
const KB_PER_MB = 1000 / 1.024;

/** Ten times the items, and the memory that large responses take at the most; memory only on Linux, which tells the peak. */
export async function benchMany(bench: Bench, report: Report): Promise<void> {
	const { few, many, large, before } = bench.quick ? QUICK : FULL;
	const [one = Number.NaN, ten = Number.NaN] = await withService(bench, {}, async (service, [{ ours }]) => {
		const secondsOf = async (items: number) =>
			(await measureOnce(bench, service, ours, itemsOf(items))).seconds;
		return [await secondsOf(few), await secondsOf(many)];
	});
	const times = `${ten.toFixed(1)} and ${one.toFixed(1)} s`;
	report.add(`${many} items beside ${few}: times as long`, ten / one, MOST_FOR_TEN_TIMES, times);
	if (process.platform !== 'linux') return;
	const [own, other] = [
		await peakMbOf('ours', bench, [before, large]),
		await peakMbOf('theirs', bench, [before, large]),
	];
	const details = `n8n takes ${own.toFixed(0)} MB more at the most, with HTTP Request ${other.toFixed(0)} MB`;
	const what = `${large} items with responses of 20 KB, each side in an n8n of its own: ratio`;
	report.add(what, own / other, MOST_OF_THEIR_MEMORY, details);
}

const itemsOf = (count: number) => range(count).map((item) => ({ item }));

/** @returns the MB that n8n took at the most in the last run until it was stored, beyond what it had before */
async function peakMbOf(side: keyof Sides<unknown>, bench: Bench, runs: readonly number[]): Promise<number> {
	const fresh = await bench.withFreshN8n();
	const memory = `/proc/${fresh.n8n.child.pid ?? 0}`;
	const readMb = (name: string) => {
		const [, kb] =
			new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`${memory}/status`, 'utf8')) ?? [];
		return Number(kb) / KB_PER_MB;
	};
	try {
		return await withService(fresh, { message: 'x'.repeat(RESPONSE_BYTES) }, async (service, [job]) => {
			let peak = Number.NaN;
			for (const items of runs) {
				// Has Linux forget the peak.
				writeFileSync(`${memory}/clear_refs`, '5');
				const before = readMb('VmRSS');
				const read = () => (peak = readMb('VmHWM') - before);
				await measureOnce(fresh, service, job[side], itemsOf(items), read);
			}
			return peak;
		});
	} finally {
		await fresh.stop();
	}
}
