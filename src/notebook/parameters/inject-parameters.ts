import type { DeclaredParameter } from '../../kernel/parameters/parameters-of.js';
import { hasTag } from '../cell-tags.js';
import { type Cell, isCode, type Notebook, splitLines } from '../document.js';
import { fitValue } from './fit-value.js';
import type { GivenParameter, ParameterValue } from './parameter-value.js';
import { valueFromText } from './value-from-text.js';
import { valueSource } from './value-source.js';

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

/**
 * A new cell, its fields in Jupyter's order. From version 4.5 of the format on it has an id, unique in the notebook.
 */
function freshCell({ nbformat_minor: minor, cells }: Notebook): Cell {
  const ids = new Set(cells.map(({ id }) => id));
  let id = 'injected-parameters';
  for (let count = 2; ids.has(id); count++) id = `injected-parameters-${count}`;
  return {
    cell_type: 'code',
    execution_count: null,
    ...(minor < 5 ? {} : { id }),
    metadata: { tags: ['injected-parameters'] },
    outputs: [],
    source: [],
  };
}
