import { counted } from '../base/texts.js';
import { type ShapeName, shapeOf } from './shapes.js';

/** A way in which records differ from what is known of their source. */
export interface Change {
  /** The source, such as `/v2/activity`. */
  source: string;
  /** The field's path: `feeSchedule.rate`, or `markets[].slug` in the records of a list. */
  field: string;
  /** A field that is not known, one that was always there and is missing, or one of another type. */
  change: 'new' | 'missing' | 'type';
  /** The JSON type that it has; for a missing field the one that it had. */
  type: string;
  /** How many records show it. */
  records: number;
}

/** How many kinds of records are remembered for each shape; further ones are looked at anew each time. */
const MOST_KINDS = 1000;

/** What the records of one kind (the same fields of the same types) have in common. */
interface Kind {
  readonly changes: readonly Change[];
  /** Fields that hold records of a known shape, with their paths. */
  readonly nested: readonly (readonly [name: string, shape: ShapeName, path: string])[];
}

/**
 * Counts by path how fetched records differ from what is known of their source. Records with the same fields of the
 * same types are compared once, so that a record costs about a microsecond.
 */
export class Drift {
  readonly #changes = new Map<string, Change>();
  readonly #kinds = new Map<string, Map<string, Kind>>();

  /**
   * Counts a record.
   *
   * @param source Its source as messages name it, such as `/v2/activity`.
   * @param record Anything; what is no object counts as a change of the path `` (the record itself).
   */
  count(source: string, shape: ShapeName, record: unknown): void {
    this.#count(source, shape, record, '');
  }

  /** The changes seen so far, those of most records first. */
  get changes(): Change[] {
    return [...this.#changes.values()]
      .filter(({ records }) => records > 0)
      .sort((a, b) => b.records - a.records || keyOf(a).localeCompare(keyOf(b)));
  }

  #count(source: string, shape: ShapeName, record: unknown, path: string): void {
    if (typeOf(record) !== 'object') {
      this.#change(source, path.replace(/\.$/, ''), 'type', typeOf(record)).records++;
      return;
    }
    const fields = record as Record<string, unknown>;
    const { changes, nested } = this.#kindOf(source, shape, fields, path);
    for (const change of changes) change.records++;
    for (const [name, inner, under] of nested) {
      const value = fields[name];
      if (!Array.isArray(value)) this.#count(source, inner, value, under);
      else for (const each of value) this.#count(source, inner, each, under);
    }
  }

  #kindOf(source: string, shape: ShapeName, fields: Record<string, unknown>, path: string): Kind {
    const place = `${source} ${shape} ${path}`;
    const kinds = this.#kinds.get(place) ?? new Map<string, Kind>();
    this.#kinds.set(place, kinds);
    let signature = '';
    for (const name in fields) signature += `${name}${SIGN[typeOf(fields[name])]}`;
    const known = kinds.get(signature);
    if (known) return known;
    const kind = this.#compare(source, shape, fields, path);
    if (kinds.size < MOST_KINDS) kinds.set(signature, kind);
    return kind;
  }

  #compare(source: string, shape: ShapeName, fields: Record<string, unknown>, path: string): Kind {
    const known = shapeOf(shape);
    const changes: Change[] = [];
    const nested: [string, ShapeName, string][] = [];
    for (const [name, value] of Object.entries(fields)) {
      const field = known.get(name);
      const type = typeOf(value);
      if (!field) changes.push(this.#change(source, path + name, 'new', type));
      else if (type === 'null' && field.isOptional) continue;
      else if (!field.types.includes(type)) changes.push(this.#change(source, path + name, 'type', type));
      else if (field.shape) nested.push([name, field.shape, `${path}${name}${type === 'array' ? '[]' : ''}.`]);
    }
    for (const [name, { isOptional, types }] of known) {
      if (!isOptional && !(name in fields)) {
        changes.push(this.#change(source, path + name, 'missing', types[0] ?? 'object'));
      }
    }
    return { changes, nested };
  }

  /** The counter of a change, which the kinds of records share. */
  #change(source: string, field: string, change: Change['change'], type: string): Change {
    const made: Change = { source, field, change, type, records: 0 };
    const known = this.#changes.get(keyOf(made));
    if (known) return known;
    this.#changes.set(keyOf(made), made);
    return made;
  }
}

/** What stands behind a field's name in the signature of a record's kind; none occurs in names of fields. */
const SIGN: Readonly<Record<string, string>> = {
  string: '\u0001',
  number: '\u0002',
  boolean: '\u0003',
  null: '\u0004',
  array: '\u0005',
  object: '\u0006',
};

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function keyOf({ source, field, change, type }: Change): string {
  return [source, field, change, type].join('\n');
}

/**
 * A change in a sentence, without a full stop.
 *
 * @example changeText(change); // '/v2/activity: 120 records with a new field `fee` (number)'
 */
export function changeText({ source, field, change, type, records }: Change): string {
  const name = `\`${field}\``;
  const what = {
    new: `with a new field ${name} (${type})`,
    missing: `without the field ${name} (${type})`,
    type: field === '' ? `of the type ${type}, not object` : `with another type of the field ${name} (${type})`,
  };
  return `${source}: ${counted(records, 'record')} ${what[change]}`;
}
