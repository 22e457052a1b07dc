import { UsageError } from '../../base/errors.js';
import { knownOptions } from '../../base/nearest.js';
import { placeOf } from '../tabular/tabular.js';
import { type Cell, isMissing } from '../vector/vector.js';
import { type Internals, isInPlace, replaceMethods } from './danfo-internals.js';

/** Options of danfo's `getDummies`, lists where one may be given for each column. */
interface DummyOptions {
  readonly columns: readonly string[] | undefined;
  readonly prefix: readonly string[] | undefined;
  readonly prefixSeparator: readonly string[];
}

/** @throws {UsageError} If an option is unknown, or no text and no list of texts. */
export function dummyOptions(options: unknown): DummyOptions {
  const given = options ?? {};
  knownOptions('getDummies', given, ['columns', 'prefix', 'prefixSeparator', 'inplace'], {
    columns: 'names',
    prefix: 'names',
    prefixSeparator: 'names',
  });
  const textsOf = (name: string): readonly string[] | undefined => {
    const value: unknown = Reflect.get(given as object, name);
    if (value === undefined) return undefined;
    const list: unknown[] = Array.isArray(value) ? value : [value];
    if (list.every((one) => typeof one === 'string')) return list as string[];
    throw new UsageError(`${name} of getDummies must be text, or a list of texts; got ${JSON.stringify(value)}.`);
  };
  const prefixSeparator = textsOf('prefixSeparator') ?? ['_'];
  return { columns: textsOf('columns'), prefix: textsOf('prefix'), prefixSeparator };
}

/**
 * A column of 0 and 1 for each value, in order of appearance; 0 everywhere for what is missing, as pandas has it.
 *
 * @param named The name of a value's column; `at` counts the values.
 */
export function dummiesOf(
  cells: readonly Cell[],
  named: (value: string, at: number) => string,
): Record<string, Cell[]> {
  const texts = cells.map((cell) =>
    isMissing(cell) ? undefined : cell instanceof Date ? cell.toISOString() : String(cell),
  );
  const values = [...new Set(texts)].filter((text) => text !== undefined);
  return Object.fromEntries(values.map((value, at) => [named(value, at), texts.map((text) => Number(text === value))]));
}

/**
 * Mends `getDummies` of frames: a missing value has no column of its own, whereas danfo names one `null` and fails where a
 * text says the same; without `columns` it takes those of text.
 */
export function mendDummies(prototype: Internals): void {
  replaceMethods(prototype, {
    getDummies: () =>
      function (options) {
        const { columns, prefix, prefixSeparator } = dummyOptions(options);
        const chosen = columns ?? this.columns.filter((_, at) => this.$dtypes[at] === 'string');
        for (const name of chosen) placeOf(this, name);
        const cellsOf = (name: string) => [...(this.getColumnData[this.columns.indexOf(name)] ?? [])];
        const others = this.columns.filter((name) => !chosen.includes(name));
        const table: Record<string, Cell[]> = Object.fromEntries(others.map((name) => [name, cellsOf(name)]));
        for (const [at, name] of chosen.entries()) {
          const before = (prefix?.length === 1 ? prefix[0] : prefix?.[at]) ?? name;
          const between = prefixSeparator[at] ?? prefixSeparator[0] ?? '_';
          for (const [dummy, cells] of Object.entries(
            dummiesOf(cellsOf(name), (value) => `${before}${between}${value}`),
          )) {
            if (Object.hasOwn(table, dummy))
              throw new UsageError(
                `getDummies would make two columns "${dummy}": tell them apart by { prefix: ['…'] }.`,
              );
            table[dummy] = cells;
          }
        }
        const made = new this.constructor(table as never, { index: [...this.index] });
        if (!isInPlace(options)) return made;
        const { columns: names, values } = made;
        this.$setValues([...values], false, false);
        (this.$setColumnNames as (names: readonly string[]) => void)([...names]);
        return undefined;
      },
  });
}
