import type { CellNames } from './cell-names.js';
import type { KnownCell } from './cell-scope.js';
import type { Doer, PackageCall } from './evidence.js';
import { BY_KEY, type Finding, NO_MEMBER } from './finding.js';
import { columnIn } from './strictness.js';

/** The most cells that are asked what they give objects: of hundreds, each check would take seconds. */
const MOST_DOERS = 40;

/** A cell being looked at. */
interface Own {
  code: string;
  names: CellNames;
}

/**
 * The earlier cells that may give objects, or frames, what findings say is missing, the first first: those that name it
 * before those that might by a key.
 */
export function doersFor(own: Own, asked: readonly Finding[], cells: readonly KnownCell[]): KnownCell[] {
  const missing = new Set(asked.flatMap((each) => missingIn(each, own.code) ?? []));
  if (missing.size === 0) return [];
  const imported = new Set([own, ...cells].flatMap(({ names }) => [...names.habits.imports.keys()]));
  const found = cells.filter(({ names: { habits } }) => {
    const { written, merged, keyed, columns, passed } = habits;
    if (merged.length > 0 || keyed.length > 0) return true;
    if (passed.some(({ root }) => root !== undefined && imported.has(root))) return true;
    return [...missing].some((name) => written.has(name) || columns.has(name));
  });
  // Those that call what gives it, too.
  const givers = [own, ...found].flatMap(({ names: { habits } }) => [
    ...[...missing].flatMap((name) => [...(habits.givers.get(name) ?? [])]),
    ...habits.mergers,
  ]);
  const isNaming = ({ names: { habits } }: KnownCell): boolean =>
    [...missing].some((name) => habits.names.has(name) || habits.words.has(name));
  const isCalling = ({ names: { habits } }: KnownCell): boolean => givers.some((name) => habits.names.has(name));
  const certain = new Set([...found.filter(isNaming), ...cells.filter(isCalling)]);
  const others = found.filter((cell) => !certain.has(cell));
  return [...others, ...certain].slice(-MOST_DOERS).sort((a, b) => a.id - b.id);
}

/** The symbol of the language's, as a literal has it, by which a message says that a member is missing; undefined in others. */
export function symbolIn(message: string): string | undefined {
  return /\[Symbol\.\w+\]/.exec(message)?.[0];
}

/** The name that a finding says is missing; undefined if it is about something else. */
function missingIn({ code, message, start, end }: Finding, text: string): string | undefined {
  if (!NO_MEMBER.has(code) && code !== BY_KEY) return symbolIn(message) ?? columnIn(message);
  const named = /^Property '(.+?)'/.exec(message)?.[1] ?? columnIn(message);
  return named ?? text.slice(start, end).replace(/^["']|["']$/g, '');
}

/**
 * Where cells call packages without types that give objects members.
 *
 * @param writtenBy The names of members that a package gives.
 */
export function packageCalls(
  doers: readonly Doer[],
  writtenBy: (module: string) => ReadonlySet<string>,
): PackageCall[] {
  const imports = doers.flatMap(({ habits }) => [...habits.imports]);
  const giving = new Map(imports.map(([name, module]) => [name, writtenBy(module)]));
  const calls = doers.flatMap(({ cell, habits }) =>
    [...habits.calls].flatMap(([name, spans]) => {
      const gives = giving.get(name);
      return gives && gives.size > 0 ? spans.map((span) => ({ cell, ...span, gives })) : [];
    }),
  );
  return calls.slice(-MOST_DOERS);
}
