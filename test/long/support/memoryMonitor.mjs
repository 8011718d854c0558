import { appendFileSync } from 'node:fs';

// Loaded into n8n with --import: appends a line of JSON ten times a second to the file named by EXCHANGE_FILE, with what has
// been added to every object.
const file = process.env.EXCHANGE_FILE;
if (file) {
	const names = new Set(Object.getOwnPropertyNames(Object.prototype));
	setInterval(() => {
		const added = Object.getOwnPropertyNames(Object.prototype).filter((name) => !names.has(name));
		appendFileSync(file, `${JSON.stringify({ added })}\n`);
	}, 100).unref();
}
