import sortBy from 'lodash/sortBy';

import type { Field } from '../../../shared/form/fields';
import { isEmptyValue } from '../../../shared/form/values';
import { hintOnName } from '../../../shared/values/closestName';
import { InvalidValueError } from '../../../shared/values/invalidValue';
import { RecentMap } from '../../../shared/values/recentMap';
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
	/** Whether it stands in an object of the article, such as `prices`. */
	isNested: boolean;
}

/** Reads input items by their columns, each of which is named like a field: by its parameter name, path or label. */
export class ColumnReader {
	/** By each of its names. */
	private readonly exact = new Map<string, Field>();
	/** By the key of each of its names. */
	private readonly similar = new Map<string, Field>();
	/** Keys of the objects in which fields stand, e.g. `prices`. */
	private readonly objects = new Set<string>();

	constructor(private readonly fields: readonly Field[]) {
		for (const field of fields) {
			const { name, displayName } = field.property;
			for (const given of [name, field.path, displayName]) {
				this.exact.set(given, field);
				this.similar.set(keyOf(given), field);
			}
			const [object, ...rest] = field.path.split('.');
			if (object !== undefined && rest.length > 0) this.objects.add(keyOf(object));
		}
	}

	/** @throws InvalidValueError for an unknown name in an object, and for two columns of one field that differ */
	read(json: Record<string, unknown>): Columns {
		const values: Record<string, unknown> = {};
		const unmatched: string[] = [];
		const namedBy = new Map<Field, string>();
		// A column with the very name of a field comes before others that are like it.
		const columns = sortBy(this.columnsOf(json), ({ name }) => (this.exact.has(name) ? 0 : 1));
		for (const { name, value, isNested } of columns) {
			const field = this.exact.get(name) ?? this.similar.get(keyOf(name));
			if (!field && isNested) this.refuseName(name);
			const other = field && namedBy.get(field);
			const isSecond = other !== undefined && this.exact.has(other) && !this.exact.has(name);
			if (!field || isSecond) {
				unmatched.push(name);
				continue;
			}
			if (isEmptyValue(value)) continue;
			const parameter = field.property.name;
			if (other !== undefined && String(values[parameter]) !== String(value))
				refuseSecond(field, other, name);
			values[parameter] = value;
			namedBy.set(field, name);
		}
		return { values, unmatched };
	}

	/** @returns the columns of an item, those in its objects by their path */
	private columnsOf(json: Record<string, unknown>, path = ''): Column[] {
		return Object.entries(json).flatMap(([own, value]): Column[] => {
			const name = path + own;
			const [object = '', ...rest] = name.split('.');
			const isOfObject = this.objects.has(keyOf(object));
			if (isOfObject && isRecord(value)) return this.columnsOf(value, `${name}.`);
			return [{ name, value, isNested: isOfObject && rest.length > 0 }];
		});
	}

	private refuseName(name: string): never {
		const paths = this.fields.map(({ path }) => path);
		throw new InvalidValueError('Article', `has no field '${name}'`, hintOnName(name, paths));
	}
}

function refuseSecond({ property }: Field, one: string, other: string): never {
	throw new InvalidValueError(
		property.displayName,
		`has different values in the columns '${one}' and '${other}'`,
		'Rename or remove one of the two columns',
	);
}

const UNIT = /\([^()]*\)|\[[^[\]]*\]/g;
const NO_LETTERS = /[^\p{L}\p{N}]/gu;
const keys = new RecentMap<string>(1_000);

/** @returns the same for a name in any case, with or without blanks, punctuation, a byte order mark or a unit in brackets */
function keyOf(name: string): string {
	return keys.open(name, () => name.replace(UNIT, '').replace(NO_LETTERS, '').toLowerCase());
}
