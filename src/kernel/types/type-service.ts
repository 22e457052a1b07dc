import type { Position } from '../transform/source-lines.js';

/** A finding of the type checker in a cell. */
export interface Diagnostic {
  severity: 'error' | 'warning' | 'hint';
  /** TypeScript's number of the message: 2322. */
  code: number;
  message: string;
  start: Position;
  end: Position;
}

/** What could stand at a place. */
export interface Completion {
  /** Offsets in UTF-16 units of the text that an item replaces. */
  start: number;
  end: number;
  /** Best first. */
  items: CompletionItem[];
}

/** One of the texts that could stand at a place. */
export interface CompletionItem {
  text: string;
  /** `function`, `property`, `keyword` … */
  kind: string;
  /** Its type in short; empty if unknown. */
  signature: string;
}

/** What is known of the name at a place, or of the call around it. */
export interface Hover {
  /** Its declaration as TypeScript prints it; for a call, all overloads, one a line, the applicable one first. */
  signature: string;
  /** Its documentation as Markdown; empty if there is none. */
  documentation: string;
  /** Offsets of the name in UTF-16 units; for a call, both are the place. */
  start: number;
  end: number;
}

/** The call around a place in a text. */
export interface CallSignatures {
  /** The function's overloads, at least one. */
  signatures: Signature[];
  /** Index of the overload that the arguments select. */
  active: number;
  /** Index of the parameter of that overload that the place belongs to; undefined if it has none for it. */
  parameter: number | undefined;
}

/** One overload of a function. */
export interface Signature {
  /** As TypeScript prints it: `add(a: number, b?: number): number`. */
  label: string;
  /** Its parameters: offsets in the label (UTF-16 units) and documentation as Markdown, empty if there is none. */
  parameters: { start: number; end: number; documentation: string }[];
  /** Markdown; empty if there is none. */
  documentation: string;
}

/** A cell that the checker knows. */
export interface CheckedCell {
  /** What is wrong in it, checked together with all earlier cells. Never rejects: a failed checker finds nothing. */
  diagnostics: Promise<Diagnostic[]>;
  /** A sentence that says why the cell could not be checked; undefined if it was. Never rejects. */
  obstacle: Promise<string | undefined>;
  /** What its functions use that no cell known by now declares; empty until it is checked. */
  unmet(): Diagnostic[];
  /** Forgets the cell: it will not run or does not parse. */
  withdraw(): void;
}

/** Types, completion and documentation for the cells of a notebook, from TypeScript's own language server. */
export interface TypeService {
  /**
   * Adds a cell that runs after the known ones and checks it.
   *
   * @param sinceMs When it began to run, in milliseconds since 1970: what its imports are is not told of files that have
   * changed since. Default: now.
   */
  add(code: string, name: string, sinceMs?: number): CheckedCell;
  /** What could stand at an offset (UTF-16 units) of a text, even if it has not run. */
  complete(code: string, offset: number): Promise<Completion>;
  /**
   * What is known of the name at an offset (UTF-16 units) of a text, even if it has not run; without a name there, of
   * the function whose arguments surround it; undefined without either.
   */
  hover(code: string, offset: number): Promise<Hover | undefined>;
  /**
   * What a text would be warned of if it ran now, after the known cells; it is not added. What does not parse is wrong
   * in one place, as running it would say. Gives way to everything else that is asked.
   *
   * @param unwanted Aborted once nobody waits for the answer.
   * @returns Undefined if it is unwanted or could not be checked.
   */
  diagnose(code: string, unwanted: AbortSignal): Promise<Diagnostic[] | undefined>;
  /**
   * The call whose parentheses surround an offset (UTF-16 units) of a text, even if that has not run; undefined if none.
   *
   * @param unwanted Aborted once nobody waits for the answer, which is then undefined.
   */
  signatures(code: string, offset: number, unwanted: AbortSignal): Promise<CallSignatures | undefined>;
  /** Forgets all cells: the process that ran them was restarted. */
  reset(): void;
  /** Ends the language server; resolves once its process has ended. */
  close(): Promise<void>;
}

/** The largest cell that is checked: larger ones are data and would keep the checker busy for minutes. */
export const MOST_CHARACTERS = 1_000_000;
/** Why a larger cell is not checked; later cells know its names as `any`. */
export const TOO_LARGE = 'It has more than 1,000,000 characters: keep its data in a file.';

/** Says of a cell that it is not checked for {@link TOO_LARGE}; it runs all the same. */
export function largeText(name: string): string {
  return `${name} is not checked, and its names are any. ${TOO_LARGE}`;
}

/** The consequence of type errors: nothing, text under the cell, or a cell that does not run. */
export const TYPES_MODES = ['off', 'warn', 'block'] as const;

/** One of {@link TYPES_MODES}. */
export type TypesMode = (typeof TYPES_MODES)[number];

/** The diagnostics that keep a cell from running where types block, in a kernel or under `oddslab run`. */
export function blockingDiagnostics(diagnostics: Diagnostic[]): Diagnostic[] {
  return diagnostics.filter(({ severity }) => severity === 'error');
}
