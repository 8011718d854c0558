// Writes the table of the model into docs/scaling.md, between its markers.
import { readFileSync, writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';
import { scalingTable } from '../bench/scalingModel.ts';

const page = new URL('../docs/scaling.md', import.meta.url);
const text = readFileSync(page, 'utf8').replace(
	/(<!-- model -->\n)[^]*(<!-- \/model -->)/,
	(_, begin: string, end: string) => `${begin}\n${scalingTable()}\n\n${end}`,
);
const options = await resolveConfig(page);
writeFileSync(page, await format(text, { ...options, parser: 'markdown' }));
