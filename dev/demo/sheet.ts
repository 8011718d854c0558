import { existsSync, readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';

/** The lines of a spreadsheet in CSV form by their headings; none where the file is not there yet. */
export function sheetRows(file: string): Array<Record<string, string>> {
	if (!existsSync(file)) return [];
	return parse(readFileSync(file), { columns: true, bom: true, skip_empty_lines: true });
}
