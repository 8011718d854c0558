// Preloaded into n8n: its clock begins at the ISO instant in the file named by CLOCK_FILE and runs on from there; when the
// file is written anew, the clock is set to what it says then.
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE;
const RealDate = Date;
// Kept, because n8n's dependencies put Date.now back where they found it.
const realNow = RealDate.now;
let text = '';
let ahead = 0;

function read() {
	const found = readFileSync(file, 'utf8');
	if (found === text || Number.isNaN(RealDate.parse(found))) return;
	text = found;
	ahead = RealDate.parse(found) - realNow();
}

if (file) {
	read();
	setInterval(read, 50).unref();
	const now = () => realNow() + ahead;
	globalThis.Date = new Proxy(RealDate, {
		construct: (target, values, asked) =>
			Reflect.construct(target, values.length > 0 ? values : [now()], asked),
		apply: () => new RealDate(now()).toString(),
		get: (target, key) => (key === 'now' ? now : target[key]),
	});
}
