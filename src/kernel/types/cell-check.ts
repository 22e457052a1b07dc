import { appendAll } from '../../base/many.js';
import { LineIndex } from '../transform/source-lines.js';
import { cellDiagnostics } from './cell-diagnostics.js';
import { type CellNames, parsedCell } from './cell-names.js';
import { type Binding, type CellScope, evolvingOf, type KnownCell } from './cell-scope.js';
import { type CellText, leftIn } from './cell-text.js';
import { slipsIn } from './evident-slips.js';
import type { Finding } from './finding.js';
import { type Freed, freedBy, NOTHING_FREED } from './freed.js';
import type { Habits } from './habits.js';
import { ASKING, loosened } from './loosened.js';
import { isSure, Strictness, saysNothing } from './strictness.js';
import type { Diagnostic } from './type-service.js';
import { metLater, UNDECLARED, unmetBefore } from './unmet-names.js';
import { ASKING_WIDER, assignmentsIn, widerBy } from './widened.js';

/** A cell being looked at, with what it can see. */
export interface Looked {
  code: string;
  names: CellNames;
  module: CellText;
  /** All names known before it. */
  earlier: Binding[];
  needs: KnownCell[];
}

/** What a check tells of a cell, and its text for later cells. */
export type Checked = Pick<KnownCell, 'leftIn' | 'freed' | 'unmet' | 'text' | 'evolved'> & {
  diagnostics: Diagnostic[];
};

/** Asks the language server what is wrong in a text that stands for the cell. */
export type Ask = (draft: string, options?: { isLoose?: boolean }) => Promise<unknown>;

/** A diagnostic with its offsets in the cell. */
type Placed = Finding & { diagnostic: Diagnostic };

/**
 * Checks a cell as strictly as TypeScript can, then whatever that finds once more in a text in which null is a value of
 * every type and the cell's untyped objects are `any`: it says what both find, and what only the first can see but is
 * certain or an evident slip.
 *
 * @param ask Answers for the first look may be incomplete; then it is asked again.
 */
export async function checkCell(cell: Looked, scope: CellScope, ask: Ask): Promise<Checked> {
  const { code, module, names } = cell;
  const freed: Freed = { ...NOTHING_FREED, members: scope.freedMembers };
  const { unmet: awaited } = scope;
  // The places in an object are those of a text in brackets.
  const { program } = (await parsedCell(names.isObject ? '' : code)).parsed;
  let read: Habits | undefined;
  const habits = (): Habits => {
    read ??= scope.habitsWith(names.habits);
    return read;
  };
  const strictness = new Strictness(code, program, habits);
  const rewritten = freed.members.size > 0 ? loosened(module.body, program, freed) : undefined;
  const { text, draft } = rewritten ? module.withBody(rewritten.text) : module;
  const answer = await ask(draft);
  const readAnswer = (given: unknown, body = rewritten): Placed[] =>
    placed(cellDiagnostics(given, { code, bindings: module.bindings, body }), code);
  const found = readAnswer(answer);
  const left = leftIn(answer, { draft, asked: module.asked });
  const before = awaited.length > 0 ? unmetBefore(program, code, awaited) : [];
  appendAll(before, slipsIn(program, code));
  const now = afterFindings(await afterAssignments(freed));
  const isFreed = now !== freed;
  const unchanged = { evolved: module.evolved, unmet: [], leftIn: left, freed, text };
  if (found.length === 0 && !isFreed) return { ...unchanged, diagnostics: before };

  const nothing = strictness.perhapsNothing(found, names.assignedByFunctions);
  const certain = nothing.length > 0 ? (await reask(nothing, freed, false)).filter(saysNothing) : [];
  const doubted = strictness.doubted(found, (each) => certain.some((one) => isWithin(one, each)));
  const unsure = doubted.filter((each) => !isSure(each, isFreed));
  const looser = unsure.length > 0 ? await reask(unsure, now, true) : [];
  const confirmed = strictness.doubted(looser, () => false);
  const isSaid = (each: Placed): boolean => isSure(each, isFreed) || confirmed.some((one) => isWithin(one, each));
  const said = doubted.filter(isSaid);
  const hasUndeclared = said.some(({ code: number }) => UNDECLARED.has(number));
  const met = hasUndeclared ? metLater(said, program) : { now: said, unmet: [] };
  return {
    ...unchanged,
    diagnostics: [...met.now.map(({ diagnostic }) => diagnostic), ...before],
    unmet: met.unmet,
    ...(isFreed ? withFreed(now) : {}),
  };

  /** What is wrong in a text that asks whether findings are errors. */
  async function reask(asked: Placed[], toFree: Freed, isLoose: boolean): Promise<Placed[]> {
    const body = loosened(module.body, program, toFree, { found: asked });
    return readAnswer(await ask(`${module.withBody(body.text, toFree).draft}\n${ASKING}`, { isLoose }), body);
  }

  /** What is treated otherwise since assignments of the cell give more than there was. */
  async function afterAssignments(toFree: Freed): Promise<Freed> {
    const isKnown = (name: string): boolean => {
      if (names.evolving.has(name)) return true;
      const binding = names.declared.has(name) ? undefined : scope.get(name);
      return binding !== undefined && (binding.kind !== 'let' || binding.isFreed || evolvingOf(binding) !== undefined);
    };
    const assigned = assignmentsIn(program, code, { habits: habits(), isKnown }).filter(
      ({ member }) => member === undefined || !toFree.members.has(member),
    );
    if (assigned.length === 0) return toFree;
    const body = loosened(module.body, program, toFree, { assigned });
    const given = readAnswer(await ask(`${module.withBody(body.text).draft}\n${ASKING_WIDER}`), body);
    const wider = widerBy(assigned, given);
    if (wider.length === 0) return toFree;
    const variables = wider.flatMap(({ name }) => name ?? []);
    const isLater = (name: string): boolean => names.assignedByFunctions.has(name);
    return {
      ...toFree,
      members: new Set([...toFree.members, ...wider.flatMap(({ member }) => member ?? [])]),
      variables: new Set([...toFree.variables, ...variables.filter(isLater)]),
      widened: new Set(variables.filter((name) => !isLater(name))),
    };
  }

  /** What the findings show besides. */
  function afterFindings(toFree: Freed): Freed {
    if (found.length === 0) return toFree;
    const more = freedBy(found, { code, program, habits: habits() }, toFree);
    const isMore = (['members', 'variables', 'bases', 'mixed'] as const).some(
      (kind) => more[kind].size > toFree[kind].size,
    );
    return isMore ? more : toFree;
  }

  /** The cell for later ones, with what is treated otherwise from then on. */
  function withFreed(toFree: Freed): Pick<Checked, 'freed' | 'text' | 'evolved'> {
    const isOwn = (name: string): boolean => (names.declared.get(name) ?? scope.get(name)?.kind) === 'let';
    const widened = new Set([...toFree.widened].filter(isOwn));
    const body = loosened(module.body, program, toFree).text;
    const { text: freedText } = module.withBody(body, { ...toFree, widened });
    return { freed: { ...toFree, widened }, text: freedText, evolved: new Set([...module.evolved, ...widened]) };
  }
}

function isWithin(one: Finding, { start, end }: Finding): boolean {
  return start <= one.start && one.start < Math.max(end, start + 1);
}

function placed(diagnostics: readonly Diagnostic[], code: string): Placed[] {
  const lines = new LineIndex(code);
  return diagnostics.map((diagnostic) => {
    const { code: number, message, start, end } = diagnostic;
    return { code: number, message, start: lines.offset(start), end: lines.offset(end), diagnostic };
  });
}
