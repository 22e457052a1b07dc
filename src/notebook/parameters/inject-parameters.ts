import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { type Cell, freeId, hasTag, isCode, type Notebook, splitLines } from '../format/nbformat.js';
import { fitValue, valueFromText } from './fit-value.js';
import { type GivenParameter, NamedValue, type ParameterValue } from './given-parameters.js';

/**
 * Sets parameters of a notebook by a cell tagged `injected-parameters` that declares them again. It stands right after
 * the cell tagged `parameters`, or at the top if there is none, and replaces such a cell of an earlier run.
 *
 * @param declared The parameters that the notebook declares; others are ignored. If undefined, all given ones are set,
 * and texts that are JSON are read as JSON.
 * @param given The values to set; of several with one name, the last counts.
 * @param onUnchecked Called with the name and stated type of each parameter that only the type checker could check.
 * @returns A copy of the notebook with the cell, and with the values in `metadata.papermill.parameters`; the notebook
 * itself if nothing is to be set.
 * @throws {UsageError} If a value is not what its parameter takes.
 */
export function injectParameters(
  notebook: Notebook,
  declared: DeclaredParameter[] | undefined,
  given: GivenParameter[],
  onUnchecked: (name: string, type: string) => void = () => {},
): Notebook {
  const lines: string[] = [];
  const stored: [name: string, value: unknown][] = [];
  const unchecked = new Map<string, string>();
  for (const { name, value } of new Map(given.map((each) => [each.name, each])).values()) {
    const parameter = declared?.find((each) => each.name === name);
    if (declared && !parameter) continue;
    const shape = parameter?.shape ?? { kind: 'any' };
    const note = (): void => void unchecked.set(name, parameter?.statedType ?? 'that of its default');
    const fitted =
      'text' in value ? valueFromText(value.text, shape, name, note) : fitValue(value.data, shape, name, note);
    lines.push(declaration(name, parameter, fitted));
    stored.push([name, asJson(fitted)]);
  }
  for (const [name, type] of unchecked) onUnchecked(name, type);
  if (lines.length === 0) return notebook;
  const metadata = Object(notebook.metadata);
  return {
    ...notebook,
    cells: withCell(notebook, ['// Parameters', ...lines].join('\n')),
    metadata: { ...metadata, papermill: { ...Object(metadata.papermill), parameters: Object.fromEntries(stored) } },
  };
}

function asJson(value: ParameterValue): unknown {
  const isNone = (part: unknown): boolean => typeof part === 'bigint' || part === Infinity || part === -Infinity;
  return JSON.parse(JSON.stringify(value, (_, part) => (isNone(part) ? String(part) : part)));
}

function declaration(name: string, parameter: DeclaredParameter | undefined, value: ParameterValue): string {
  const type = parameter?.statedType ? `: ${parameter.statedType}` : '';
  return `${parameter?.keyword ?? 'let'} ${name}${type} = ${valueSource(value)};`;
}

function withCell(notebook: Notebook, source: string): Cell[] {
  const cells = [...notebook.cells];
  const older = cells.findIndex((cell) => isCode(cell) && hasTag(cell, 'injected-parameters'));
  const at = older === -1 ? cells.findIndex((cell) => isCode(cell) && hasTag(cell, 'parameters')) + 1 : older;
  const fields = { execution_count: null, outputs: [], source: splitLines(source) };
  const cell: Cell = { ...(cells[older] ?? freshCell(notebook)), ...fields, cell_type: 'code' };
  cells.splice(at, older === -1 ? 0 : 1, cell);
  return cells;
}

/** A new cell, its fields in Jupyter's order. From version 4.5 of the format on it has an id. */
function freshCell({ nbformat_minor: minor, cells }: Notebook): Cell {
  const id = freeId('injected-parameters', new Set(cells.map(({ id }) => id)));
  return {
    cell_type: 'code',
    execution_count: null,
    ...(minor < 5 ? {} : { id }),
    metadata: { tags: ['injected-parameters'] },
    outputs: [],
    source: [],
  };
}

/** A value as TypeScript source. @example valueSource({ since: new Date(0) }); // '{ since: new Date("1970-01-01T00:00:00.000Z") }' */
export function valueSource(value: ParameterValue): string {
  if (typeof value === 'bigint') return `${value}n`;
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : String(value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (value instanceof Date) return `new Date(${JSON.stringify(value.toISOString())})`;
  if (value instanceof NamedValue) return value.source;
  if (Array.isArray(value)) return `[${value.map(valueSource).join(', ')}]`;
  const fields = Object.entries(value).map(([name, each]) => `${keySource(name)}: ${valueSource(each)}`);
  return fields.length > 0 ? `{ ${fields.join(', ')} }` : '{}';
}

function keySource(name: string): string {
  // Without brackets it would set the object's prototype.
  if (name === '__proto__') return '["__proto__"]';
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}
