import map from 'lodash/map';
import partition from 'lodash/partition';

import type { Field } from '../../../shared/form/fields';
import { isBlankParameter } from '../../../shared/form/values';
import { asText } from '../../../shared/values/asText';
import { hintOnName } from '../../../shared/values/closestName';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { RecentMap } from '../../../shared/values/recentMap';
import { KeyMap, KeySet } from '../../../shared/values/keys';
import { isRecord } from '../../../shared/values/record';

/** What the columns of an input item give. */
interface Columns {
	/** By parameter name; of blank cells none. */
	values: Record<string, unknown>;
	/** Columns that belong to no field. */
	unmatched: string[];
}

interface Column {
	name: string;
	value: unknown;
}

/**
 * Reads input items, the rows of a price list, by their column headings. A heading may be a field's parameter name, path or label, in any case
 * and with a unit behind it; `articleFields.ts` has the fields.
 */
export class ColumnReader {
	/** By each of its names. */
	private readonly exact = new KeyMap<string, Field>();
	/** By the key of each of its names. */
	private readonly similar = new KeyMap<string, Field>();
	/** Keys of the objects in which fields stand, e.g. `prices`. */
	private readonly objects = new KeySet<string>();

	constructor(private readonly fields: readonly Field[]) {
		for (const field of fields) {
			const { name, displayName } = field.property;
			for (const given of [name, field.path, displayName]) {
				this.exact.set(given, field);
				this.similar.set(keyOf(given), field);
			}
			const isNested = field.path.includes('.');
			if (isNested) this.objects.add(objectOf(field.path));
		}
	}

	/** @throws InvalidValueError for an unknown name in an object, and for two columns of one field that differ */
	read(json: Record<string, unknown>): Columns {
		const unmatched: string[] = [];
		const columnsByField = new Map<Field, Column[]>();
		for (const column of this.columnsIn(json)) {
			const field = this.fieldOf(column.name);
			if (!field) unmatched.push(column.name);
			if (!field || isBlankParameter(column.value)) continue;
			const columns = columnsByField.get(field) ?? [];
			columnsByField.set(field, columns.concat(column));
		}
		const values: Record<string, unknown> = {};
		for (const [field, columns] of columnsByField) {
			// A column with the very name of a field takes precedence over others that are like it.
			const [exact, similar] = partition(columns, ({ name }) => this.exact.has(name));
			const { name } = field.property;
			if (exact.length === 0) {
				values[name] = valueIn(similar, field);
				continue;
			}
			values[name] = valueIn(exact, field);
			for (const column of similar) unmatched.push(column.name);
		}
		return { values, unmatched };
	}

	/** @returns the columns of an item, those in its objects by their path */
	private columnsIn(json: Record<string, unknown>, path = ''): Column[] {
		const columns: Column[] = [];
		for (const own of Object.keys(json)) {
			const name = path + own;
			const value = json[own];
			if (isRecord(value) && this.isOfArticle(name)) {
				const inside = this.columnsIn(value, `${name}.`);
				for (const inner of inside) columns.push(inner);
			} else {
				columns.push({ name, value });
			}
		}
		return columns;
	}

	/** @throws InvalidValueError for an unknown name in an object of the article */
	private fieldOf(name: string) {
		const exact = this.exact.get(name);
		if (exact) return exact;
		const similar = this.similar.get(keyOf(name));
		if (similar) return similar;
		const isNested = name.includes('.') && this.isOfArticle(name);
		if (!isNested) return undefined;
		const hint = hintOnName(name, map(this.fields, 'path'));
		throw new InvalidValueError('Article', `has no field '${name}'`, hint);
	}

	/** Whether a name is that of an object of the article, such as `prices`, or of something in it. */
	private isOfArticle(name: string) {
		return this.objects.has(objectOf(name));
	}
}

/** @returns the key of the object that a path begins with */
function objectOf(path: string) {
	const names = path.split('.');
	return keyOf(String(names[0]));
}

/** @throws InvalidValueError for columns that differ */
function valueIn(columns: readonly Column[], field: Field) {
	const first = columns[0];
	const text = asText(first?.value);
	const other = columns.find((column) => asText(column.value) !== text);
	if (!other) return first?.value;
	throw new InvalidValueError(
		field.property.displayName,
		`has different values in the columns '${first?.name}' and '${other.name}'`,
		'Rename or remove one of the two columns',
	);
}

const UNIT = /\([^()]*\)|\[[^[\]]*\]/g;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;
const keys = new RecentMap<string>(1_000);

/** @returns the same for a name in any case, with or without blanks, punctuation, a byte order mark or a unit in brackets */
function keyOf(name: string) {
	return keys.open(name, () => {
		const ownName = name.replace(UNIT, '');
		const letters = ownName.replace(NO_LETTERS, '');
		return letters.toLowerCase();
	});
}
