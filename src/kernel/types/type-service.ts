import type { Position } from '../line-index.js';

/** Something that the type checker says of a cell. */
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
  /** Its type in short; empty where none is known. */
  signature: string;
}

/** What is known of the name at a place, or of the call around it. */
export interface Hover {
  /** Its declaration as TypeScript prints it; of a call all overloads, one a line, the one that is meant first. */
  signature: string;
  /** Its documentation as Markdown; empty where it has none. */
  documentation: string;
  /** Offsets in UTF-16 units of the name; of a call, both the place. */
  start: number;
  end: number;
}

/** A cell that is known to the checker. */
export interface CheckedCell {
  /** What is wrong in it, seen together with all cells before it. Never rejects: a checker that failed finds nothing. */
  diagnostics: Promise<Diagnostic[]>;
  /** Why the cell could not be checked, as a sentence; undefined where it was. Never rejects. */
  obstacle: Promise<string | undefined>;
  /** Forgets the cell: it will not run, or does not parse. */
  withdraw(): void;
}

/** Types, completion and documentation for the cells of a notebook, by TypeScript's own language server. */
export interface TypeService {
  /** Puts a cell behind those that are known, as it is about to run, and checks it. */
  add(code: string, name: string): CheckedCell;
  /** What could stand at an offset (UTF-16) of a text that need not have run. */
  complete(code: string, offset: number): Promise<Completion>;
  /**
   * What is known of the name at an offset (UTF-16) of a text that need not have run; where there is none, of the
   * function whose arguments stand there; undefined where there is neither.
   */
  hover(code: string, offset: number): Promise<Hover | undefined>;
  /** Forgets all cells: the process that ran them was started anew. */
  reset(): void;
  /** Ends the language server; resolves once its process is gone. */
  close(): Promise<void>;
}
