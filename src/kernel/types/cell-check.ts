import type { Program } from 'oxc-parser';
import { OddslabError } from '../../base/errors.js';
import { appendAll } from '../../base/many.js';
import type { Rewritten } from '../transform/edits.js';
import { LineIndex } from '../transform/source-lines.js';
import { type Amendment, ANYTHING, AT_END, type Insertion, inserted, isSame } from './amendments.js';
import { cellDiagnostics } from './cell-diagnostics.js';
import { type CellNames, parsedCell } from './cell-names.js';
import type { CellProgram } from './cell-program.js';
import { type Binding, type CellScope, evolvingOf, type KnownCell, type Written } from './cell-scope.js';
import { type CellText, leftIn } from './cell-text.js';
import { doersFor, packageCalls } from './doers.js';
import type { Doer } from './evidence.js';
import { slipsIn } from './evident-slips.js';
import { type Finding, NO_MEMBER, NO_NAME, NULLISH } from './finding.js';
import { loosened } from './loosened.js';
import { isOfLanguage } from './runtime-members.js';
import { shortMessage } from './short-types.js';
import { isKnownName, isSure, type Known, runs } from './strictness.js';
import type { Diagnostic } from './type-service.js';
import { metLater, UNDECLARED, unmetBefore } from './unmet-names.js';
import type { Grounds, Verdict } from './verdicts.js';
import { ASKING_WIDER, type Assignment, assignmentsIn, widerBy } from './widened.js';

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
export type Checked = Pick<KnownCell, 'leftIn' | 'widened' | 'freed' | 'amendments' | 'unmet' | 'evolved'> & {
  /** Its own lines, with what stands in them for the checker alone; later cells may show more. */
  written: KnownCell['written'];
  diagnostics: Diagnostic[];
};

/** A text that stands for the cell, and what it is looked at with. */
export interface Draft {
  text: string;
  isLoose?: boolean;
  /** Cells that it does not import. */
  besides?: readonly KnownCell[];
  /** The texts of earlier cells that are amended for it. */
  amended?: ReadonlyMap<KnownCell, Written>;
}

/** Asks the language server about a text that stands for the cell. */
export interface Asking {
  /** What is wrong in it. */
  diagnose(draft: Draft): Promise<unknown>;
  /** What the checker knows of it; undefined if it cannot be asked. */
  program(draft: Draft, body: Rewritten): Promise<CellProgram | undefined>;
  /** The names of members that a package without types gives objects. */
  writtenBy(module: string): ReadonlySet<string>;
  /** What the checker answers, unless it is gone. */
  answer<T>(answer: Promise<T>): Promise<T>;
}

/** A diagnostic with its offsets in the cell. */
type Placed = Finding & { diagnostic: Diagnostic };

/** How often a cell is looked at again since what makes its values was amended: each time may show more. */
const ROUNDS = 6;
const LEAST_CHANGES = { insertions: [], widened: new Set<string>() };

/**
 * Checks a cell as strictly as TypeScript can, asks of each finding whose types it is about, and amends what makes values
 * that cells treat otherwise than it says; then whatever is in doubt is looked for once more where null is a value of
 * every type.
 */
export async function checkCell(cell: Looked, scope: CellScope, asking: Asking): Promise<Checked> {
  // The places in an object are those of a text in brackets.
  const { program } = (await parsedCell(cell.names.isObject ? '' : cell.code)).parsed;
  return new CellCheck(cell, scope, asking, program).run();
}

class CellCheck {
  readonly #cell: Looked;
  readonly #scope: CellScope;
  readonly #asking: Asking;
  readonly #program: Program;
  readonly #known: Known;
  #widened: ReadonlySet<string> = new Set();
  readonly #amendments: Amendment[] = [];
  #besides: readonly KnownCell[] = [];
  /** What its text shows and the checker must confirm. */
  #suspected: readonly Placed[] = [];

  constructor(cell: Looked, scope: CellScope, asking: Asking, program: Program) {
    this.#cell = cell;
    this.#scope = scope;
    this.#asking = asking;
    this.#program = program;
    const { names, code } = cell;
    let habits: Known['habits'] | undefined;
    this.#known = {
      program,
      code,
      get habits() {
        habits ??= scope.habitsWith(names.habits);
        return habits;
      },
    };
  }

  async run(): Promise<Checked> {
    const { code, module } = this.#cell;
    const { draft } = module;
    const { unmet: awaited } = this.#scope;
    const answer = await this.#asking.diagnose({ text: draft });
    let found = this.#read(answer);
    const slips = slipsIn(this.#program, code, { names: this.#cell.names, scope: this.#scope });
    this.#suspected = slips.suspected.map(({ from, to, ...diagnostic }) => {
      const { code: number, message } = diagnostic;
      return { code: number, message, start: from, end: to, diagnostic, isSuspected: true };
    });
    appendAll(found, this.#suspected);
    const left = leftIn(answer, { draft, asked: module.asked });
    const before = awaited.length > 0 ? unmetBefore(this.#program, code, awaited) : [];
    appendAll(before, slips.certain);
    if (await this.#learnAssignments()) found = await this.#look();
    const said = found.length > 0 ? await this.#said(found) : [];
    const hasUndeclared = said.some(({ code: number }) => UNDECLARED.has(number));
    const met = hasUndeclared ? metLater(said, this.#program) : { now: said, unmet: [] };
    const widened = new Set([...this.#widened].filter((name) => this.#isVariable(name)));
    const own = this.#amendments.flatMap(({ cell, ...each }) => (cell === undefined ? [each] : []));
    const freed = this.#freed();
    // What it declares for all files, all later cells need.
    if (own.some(({ start }) => start === AT_END)) this.#cell.names.isAmbient = true;
    return {
      leftIn: left,
      unmet: met.unmet,
      widened,
      freed,
      evolved: new Set([...module.evolved, ...widened]),
      amendments: this.#amendments.filter(({ cell }) => cell !== undefined),
      diagnostics: [...met.now.map(({ diagnostic }) => diagnostic), ...before].map((each) => ({
        ...each,
        message: shortMessage(each.message),
      })),
      written: writer(module, { own, freed, widened, assigned: this.#widened }, this.#program),
    };
  }

  /** The findings that are told. */
  async #said(found: Placed[]): Promise<Placed[]> {
    const told = new Set<Placed>();
    let doubted: Placed[] = [];
    let now = found;
    for (let round = 0; round < ROUNDS; round++) {
      told.clear();
      doubted = [];
      const open = now.filter((each) => each.isSuspected || !runs(each, this.#known) || this.#isKnownBase(each));
      const asked = open.filter((each) => isAsked(each));
      for (const each of open) {
        if (isAsked(each)) continue;
        if (isSure(each)) told.add(each);
        else doubted.push(each);
      }
      const verdicts = asked.length > 0 ? await this.#verdicts(asked) : new Map<Placed, Verdict>();
      const amendments = [...verdicts.values()].flatMap((each) => (typeof each === 'string' ? [] : each));
      const fresh = amendments.filter((each) => !this.#amendments.some((one) => isSame(one, each)));
      for (const [each, verdict] of verdicts) {
        if (verdict === 'told') told.add(each);
        if (verdict === 'doubted') doubted.push(each);
      }
      if (fresh.length === 0) break;
      appendAll(this.#amendments, fresh);
      now = await this.#look();
    }
    if (doubted.length === 0) return now.filter((each) => told.has(each));
    const looser = await this.#look({ isLoose: true });
    const isConfirmed = (each: Placed): boolean => looser.some((one) => isWithin(one, each));
    const isDoubted = new Set(doubted);
    return now.filter((each) => told.has(each) || (isDoubted.has(each) && isConfirmed(each)));
  }

  async #verdicts(asked: readonly Placed[]): Promise<Map<Placed, Verdict>> {
    const verdicts = new Map<Placed, Verdict>();
    const { code, names } = this.#cell;
    const doerOf = (cell: KnownCell): Doer => ({ cell, habits: cell.names.habits });
    const own: Doer = { cell: undefined, habits: names.habits };
    const isMissing = asked.some((each) => NO_MEMBER.has(each.code));
    const { cells } = this.#scope;
    const packages = isMissing ? packageCalls([...cells.map(doerOf), own], this.#asking.writtenBy) : [];
    const found = doersFor({ code, names }, asked, cells);
    this.#besides = [...new Set([...this.#besides, ...found, ...packages.flatMap(({ cell }) => cell ?? [])])];
    const draft = this.#draft();
    let program = await this.#asking.program(draft, draft.body);
    const { verdictOn } = await import('./verdicts.js');
    const { habits } = this.#known;
    const grounds: Grounds = {
      doers: [own, ...this.#besides.map(doerOf)],
      packages,
      assignedByFunctions: this.#cell.names.assignedByFunctions,
      isKnownName: (finding) => isKnownName(finding, habits),
      isChanged: (name) => habits.some(({ written }) => written.has(name)),
      isWord: (name) => habits.some(({ words, written }) => words.has(name) || written.has(name)),
      isBegun: (name) => habits.some((each) => each.begins(name)),
      isOfLanguage: (finding) => isOfLanguage(finding, this.#program),
    };
    for (const each of asked) {
      // Without the checker, whatever may be an error.
      const otherwise = NULLISH.has(each.code) ? 'silent' : 'doubted';
      const verdict = program ? this.#asking.answer(verdictOn(program, each, grounds)) : undefined;
      const given = await verdict?.catch((error: unknown) => {
        // It does not answer: to ask of each finding would take as long again.
        if (error instanceof OddslabError) program = undefined;
        return undefined;
      });
      verdicts.set(each, given ?? otherwise);
    }
    return verdicts;
  }

  /** A name of the global object that a class extends: its members are unknown. */
  #isKnownBase({ code, start }: Placed): boolean {
    return NO_NAME.has(code) && /\bextends\s+$/.test(this.#cell.code.slice(0, start));
  }

  /** Learns which variables and members are assigned more than there was; false if there is nothing to look at again. */
  async #learnAssignments(): Promise<boolean> {
    const { code, names, module } = this.#cell;
    const isKnown = (name: string): boolean => {
      if (names.evolving.has(name)) return true;
      const binding = names.declared.has(name) ? undefined : this.#scope.get(name);
      return binding !== undefined && (binding.kind !== 'let' || evolvingOf(binding) !== undefined);
    };
    const isTyped = (name: string): boolean => {
      if (names.habits.annotated.has(name)) return true;
      const binding = names.declared.has(name) ? undefined : this.#scope.get(name);
      return binding?.cell.names.habits.annotated.has(name) ?? false;
    };
    const assigned = assignmentsIn(this.#program, code, { isTyped, isKnown });
    if (assigned.length === 0) return false;
    const { body } = loosened(module.body, this.#program, { ...LEAST_CHANGES, assigned });
    const text = `${module.withBody(body.text).draft}\n${ASKING_WIDER}`;
    const wider = widerBy(assigned, this.#read(await this.#asking.diagnose({ text }), body));
    const variables = wider.flatMap(({ name }) => name ?? []);
    const isLater = (name: string): boolean => names.assignedByFunctions.has(name);
    this.#widened = new Set(variables.filter((name) => !isLater(name)));
    for (const name of variables.filter(isLater)) this.#loosenVariable(name);
    await this.#loosenMembers(wider.filter(({ member }) => member !== undefined));
    return wider.length > 0;
  }

  /** A variable that functions assign more than it held: it may hold anything from then on. */
  #loosenVariable(name: string): void {
    const { names } = this.#cell;
    const cell = names.declared.has(name) ? undefined : this.#scope.get(name)?.cell;
    const at = (cell?.names ?? names).untyped.get(name);
    if (at !== undefined) this.#amendments.push({ cell, ...inserted(at, ANYTHING) });
  }

  async #loosenMembers(wider: readonly Assignment[]): Promise<void> {
    if (wider.length === 0) return;
    const draft = this.#draft();
    await this.#asking.diagnose(draft);
    const program = await this.#asking.program(draft, draft.body);
    if (!program) return;
    const { heldBy, SAID } = await import('./holders.js');
    const { syntax } = program.typescript;
    for (const { start, end } of wider) {
      const [value] = await this.#asking.answer(program.nodesAt(start, end)).catch(() => []);
      const assignment = value?.parent;
      if (!assignment || !syntax.isBinaryExpression(assignment)) continue;
      const held = await this.#asking.answer(heldBy(program, assignment.left)).catch(() => undefined);
      if (held !== undefined && held !== SAID) appendAll(this.#amendments, held);
    }
  }

  /** What is wrong in the cell with what is known of it by now. */
  async #look(options: Pick<Draft, 'isLoose'> = {}): Promise<Placed[]> {
    const draft = this.#draft();
    const found = this.#read(await this.#asking.diagnose({ ...draft, ...options }), draft.body);
    appendAll(found, this.#suspected);
    return found;
  }

  #draft(): Draft & { body: Rewritten } {
    const { module } = this.#cell;
    const insertions = this.#amendments.flatMap(({ cell, ...each }) => (cell === undefined ? [each] : []));
    const widened = this.#widened;
    const { body, atEnd } = loosened(module.body, this.#program, { insertions, widened });
    const text = module.withBody(body.text, { freed: this.#freed(), widened, atEnd }).draft;
    const cells = new Set(this.#amendments.flatMap(({ cell }) => cell ?? []));
    const amended = new Map(
      [...cells].map((each) => [each, each.written(this.#scope.insertionsIn(each, this.#amendments))]),
    );
    return { text, body, besides: this.#besides, amended };
  }

  /** The variables, known by their names here, that may hold anything. */
  #freed(): Set<string> {
    const { names } = this.#cell;
    const freed = this.#amendments.flatMap(({ cell, start, before }) => {
      if (before !== ANYTHING) return [];
      return [...(cell?.names ?? names).untyped].flatMap(([name, at]) => {
        const declaring = names.declared.has(name) ? undefined : this.#scope.get(name)?.cell;
        return at === start && declaring === cell ? [name] : [];
      });
    });
    return new Set(freed);
  }

  #read(answer: unknown, body?: Rewritten): Placed[] {
    const { code, module } = this.#cell;
    const lines = new LineIndex(code);
    return cellDiagnostics(answer, { code, bindings: module.bindings, body }).map((diagnostic) => {
      const { code: number, message, start, end } = diagnostic;
      return { code: number, message, start: lines.offset(start), end: lines.offset(end), diagnostic };
    });
  }

  /** Whether a variable can be assigned in later cells. */
  #isVariable(name: string): boolean {
    return (this.#cell.names.declared.get(name) ?? this.#scope.get(name)?.kind) === 'let';
  }
}

/** Writes a cell's text with what stands in it for the checker alone; it keeps no more of the cell than it needs. */
function writer(
  module: CellText,
  changes: { own: Insertion[]; freed: Set<string>; widened: Set<string>; assigned: ReadonlySet<string> },
  program: Program,
): KnownCell['written'] {
  const { own, freed, widened, assigned } = changes;
  const { text, body: lines, withBody } = module;
  const tree = assigned.size > 0 ? program : undefined;
  return (more) => {
    const insertions = [...own, ...more];
    if (insertions.length === 0 && assigned.size === 0) return { text, body: undefined };
    const { body, atEnd } = loosened(lines, tree, { insertions, widened: assigned });
    return { text: withBody(body.text, { freed, widened, atEnd }).text, body };
  };
}

/** Whether the checker must be asked about a finding. */
function isAsked(finding: Finding): boolean {
  return (
    finding.isSuspected === true ||
    !isSure(finding) ||
    NO_NAME.has(finding.code) ||
    finding.code === 2774 ||
    NULLISH.has(finding.code)
  );
}

function isWithin(one: Finding, { start, end }: Finding): boolean {
  return start <= one.start && one.start < Math.max(end, start + 1);
}
