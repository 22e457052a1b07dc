import { appendAll } from '../../base/many.js';
import { fieldOf, isObject } from '../../base/texts.js';
import type { Column } from '../../contract/definition.js';
import { columnsOf, unitOfColumn } from '../tabular/columns-of.js';
import type { Tabular } from '../tabular/tabular.js';

/** A column of a relation, and the column of a frame that it is unchanged; without one, it was computed. */
export interface OriginColumn {
  readonly name: string;
  readonly origin: Column | undefined;
}

/** Names as SQL compares them. */
type Names<Value> = ReadonlyMap<string, Value>;

/** The columns of a relation; undefined where nothing tells how many there are. */
type Relation = readonly OriginColumn[] | undefined;

/** A relation by the name under which a query reads it. */
interface Source {
  readonly name: string;
  readonly columns: Relation;
}

/** What FROM offers: what `*` stands for, and what may be named, by a table's name or without. */
interface Scope {
  readonly all: Relation;
  readonly sources: readonly Source[];
}

/**
 * Which columns of a query's result are columns of the frames that it reads, unchanged: selected by their names or by
 * `*`, in whatever order and under whatever new name, also through joins, subqueries, WITH and UNION.
 *
 * @param tree The query as DuckDB's `json_serialize_sql` tells it.
 * @returns One for each column of the result; undefined where the tree does not tell, as for PIVOT.
 */
export function originsOf(tree: unknown, frames: Readonly<Record<string, Tabular>>): Relation {
  const [statement, ...others] = listOf(fieldOf(tree, 'statements'));
  if (statement === undefined || others.length > 0) return undefined;
  const tables = Object.entries(frames).map(([name, frame]): [string, Relation] => [
    keyOf(name),
    columnsOf(frame).map((column) => ({ name: column.name, origin: column })),
  ]);
  return columnsOfQuery(fieldOf(statement, 'node'), new Map(tables));
}

function columnsOfQuery(node: unknown, outer: Names<Relation>): Relation {
  const tables = withTables(node, outer);
  switch (fieldOf(node, 'type')) {
    case 'SELECT_NODE':
      return selected(node, tables);
    case 'SET_OPERATION_NODE':
      return united(node, tables);
    default:
      return undefined;
  }
}

/** The tables that a query may read: those around it, and those that it names in WITH. */
function withTables(node: unknown, outer: Names<Relation>): Names<Relation> {
  const tables = new Map(outer);
  for (const entry of listOf(fieldOf(fieldOf(node, 'cte_map'), 'map'))) {
    const value = fieldOf(entry, 'value');
    const columns = columnsOfQuery(fieldOf(fieldOf(value, 'query'), 'node'), tables);
    tables.set(keyOf(fieldOf(entry, 'key')), renamed(columns, fieldOf(value, 'aliases')));
  }
  return tables;
}

/** Columns under the names of `t(a, b)`, which may be fewer. */
function renamed(columns: Relation, names: unknown): Relation {
  const list = listOf(names);
  return columns?.map((column, at) => (typeof list[at] === 'string' ? { ...column, name: list[at] } : column));
}

function selected(node: unknown, tables: Names<Relation>): Relation {
  const scope = scopeOf(fieldOf(node, 'from_table'), tables);
  const columns: OriginColumn[] = [];
  for (const expression of listOf(fieldOf(node, 'select_list'))) {
    const found = isStar(expression) ? starred(expression, scope) : [selectedColumn(expression, scope)];
    if (found === undefined) return undefined;
    appendAll(columns, found);
  }
  return columns;
}

function isStar(expression: unknown): boolean {
  return fieldOf(expression, 'class') === 'STAR';
}

function selectedColumn(expression: unknown, scope: Scope): OriginColumn {
  const alias = textOf(fieldOf(expression, 'alias'));
  const names = listOf(fieldOf(expression, 'column_names')).map(textOf);
  if (fieldOf(expression, 'class') !== 'COLUMN_REF') return { name: alias, origin: aggregateOf(expression, scope) };
  return { name: alias || (names.at(-1) ?? ''), origin: originOf(names, scope) };
}

/** Aggregates in the unit of what they aggregate, and what is said of them, as measures of `rollup` say it. */
const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'Sum',
  avg: 'Mean',
  mean: 'Mean',
  median: 'Median',
  min: 'Least',
  max: 'Greatest',
};

/** What the sum or mean of a column is: of its unit, though no longer what its meaning says. */
function aggregateOf(expression: unknown, scope: Scope): Column | undefined {
  const title = AGGREGATES[textOf(fieldOf(expression, 'function_name'))];
  const [argument, ...others] = listOf(fieldOf(expression, 'children'));
  const isPlain = fieldOf(expression, 'class') === 'FUNCTION' && others.length === 0;
  if (title === undefined || !isPlain || fieldOf(argument, 'class') !== 'COLUMN_REF') return undefined;
  const { name, origin } = selectedColumn(argument, scope);
  if (!origin) return undefined;
  const dtype = title === 'Mean' || title === 'Median' ? 'float64' : origin.dtype;
  const { fraction, ...unit } = unitOfColumn(origin);
  // A sum of rates is none.
  const kept = title === 'Sum' ? unit : { ...unit, ...(fraction && { fraction }) };
  return { name, dtype, ...kept, nullable: false, meaning: `${title} of ${name}.` };
}

/** The column that a name stands for; undefined where it is none, or not told for certain. */
function originOf(names: readonly string[], { all, sources }: Scope): Column | undefined {
  const [first = '', second] = names.map(keyOf);
  if (names.length > 2) return undefined;
  if (second === undefined) return onlyOne(first, all ?? sources.flatMap(({ columns }) => columns ?? []));
  const named = sources.filter(({ name }) => name === first);
  return named.length === 1 ? onlyOne(second, named[0]?.columns ?? []) : undefined;
}

function onlyOne(name: string, columns: readonly OriginColumn[]): Column | undefined {
  const [one, other] = columns.filter((column) => keyOf(column.name) === name);
  return other === undefined ? one?.origin : undefined;
}

/** What `*` or `t.*` stands for; undefined where it does more than to leave out or replace columns. */
function starred(star: unknown, { all, sources }: Scope): Relation {
  const relation = keyOf(fieldOf(star, 'relation_name'));
  const from = relation === '' ? all : sources.find(({ name }) => name === relation)?.columns;
  const isOther = fieldOf(star, 'columns') === true || isObject(fieldOf(star, 'expr'));
  const isPartly = ['rename_list', 'qualified_exclude_list'].some((name) => listOf(fieldOf(star, name)).length > 0);
  if (isOther || isPartly) return undefined;
  const left = new Set(listOf(fieldOf(star, 'exclude_list')).map(keyOf));
  const replaced = new Set(listOf(fieldOf(star, 'replace_list')).map((entry) => keyOf(fieldOf(entry, 'key'))));
  return from
    ?.filter(({ name }) => !left.has(keyOf(name)))
    .map((column) => (replaced.has(keyOf(column.name)) ? { ...column, origin: undefined } : column));
}

function scopeOf(from: unknown, tables: Names<Relation>): Scope {
  switch (fieldOf(from, 'type')) {
    case 'EMPTY':
      return { all: [], sources: [] };
    case 'BASE_TABLE': {
      const name = textOf(fieldOf(from, 'table_name'));
      const isPlain = textOf(fieldOf(from, 'schema_name')) === '' && textOf(fieldOf(from, 'catalog_name')) === '';
      return sourceOf(from, isPlain ? tables.get(keyOf(name)) : undefined, name);
    }
    case 'SUBQUERY':
      return sourceOf(from, columnsOfQuery(fieldOf(fieldOf(from, 'subquery'), 'node'), tables), '');
    case 'JOIN':
      return joined(from, scopeOf(fieldOf(from, 'left'), tables), scopeOf(fieldOf(from, 'right'), tables));
    default:
      return sourceOf(from, undefined, '');
  }
}

function sourceOf(from: unknown, columns: Relation, name: string): Scope {
  const all = renamed(columns, fieldOf(from, 'column_name_alias'));
  return { all, sources: [{ name: keyOf(textOf(fieldOf(from, 'alias')) || name), columns: all }] };
}

/** Both sides, the columns of USING once: there they are those of the left, or of whichever side has a row. */
function joined(from: unknown, left: Scope, right: Scope): Scope {
  const kind = fieldOf(from, 'join_type');
  if (kind === 'SEMI' || kind === 'ANTI') return left;
  const sources = [...left.sources, ...right.sources];
  const using = listOf(fieldOf(from, 'using_columns')).map(keyOf);
  const isNatural = fieldOf(from, 'ref_type') === 'NATURAL';
  if (!left.all || !right.all) {
    // Which side a shared column is of, nothing tells where one side is unknown.
    const isShared = isNatural || using.length > 0;
    return { all: undefined, sources: isShared ? sources.map(({ name }) => ({ name, columns: undefined })) : sources };
  }
  const theirs = right.all;
  const find = (name: string) => theirs.find((column) => keyOf(column.name) === keyOf(name));
  const isShared = ({ name }: OriginColumn) => (isNatural ? find(name) !== undefined : using.includes(keyOf(name)));
  const mine = left.all.map((column) => {
    if (!isShared(column) || kind === 'INNER' || kind === 'LEFT') return column;
    return { ...column, origin: sameOrigin(column.origin, find(column.name)?.origin) };
  });
  const shared = new Set(left.all.filter(isShared).map(({ name }) => keyOf(name)));
  return { all: [...mine, ...theirs.filter(({ name }) => !shared.has(keyOf(name)))], sources };
}

/** UNION, EXCEPT and INTERSECT: a column is what it is on both sides. */
function united(node: unknown, tables: Names<Relation>): Relation {
  const operands = ['left', 'right'].map((side) => fieldOf(node, side)).filter(isObject);
  const children = operands.length === 2 ? operands : listOf(fieldOf(node, 'children'));
  const [first, ...others] = children.map((child) => columnsOfQuery(child, tables));
  if (textOf(fieldOf(node, 'setop_type')).includes('BY_NAME')) return undefined;
  return first?.map((column, at) => ({
    ...column,
    origin: others.reduce<Column | undefined>((same, other) => sameOrigin(same, other?.[at]?.origin), column.origin),
  }));
}

/** A column that two others are, but for their names and whether something may be missing; undefined where they differ. */
function sameOrigin(one: Column | undefined, other: Column | undefined): Column | undefined {
  if (!one || !other) return undefined;
  const same = (['dtype', 'unit', 'fraction', 'meaning'] as const).every((part) => one[part] === other[part]);
  return same ? { ...one, nullable: one.nullable || other.nullable } : undefined;
}

function keyOf(name: unknown): string {
  return textOf(name).toLowerCase();
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
