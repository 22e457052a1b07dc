import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { messageOf } from '../../base/errors.js';
import { plainCell } from '../transform/cell-source.js';
import { jsxMakers } from '../transform/jsx.js';
import { projectOptions } from '../transform/project-options.js';
import { LineIndex } from '../transform/source-lines.js';
import { type Checked, checkCell, type Draft, type Looked } from './cell-check.js';
import { cellCompletion, completedText, knownItems, matchingItems, serverItems } from './cell-completion.js';
import { syntaxDiagnostic } from './cell-diagnostics.js';
import { callHover, cellHover } from './cell-hover.js';
import { draftNames, namesOfLarge } from './cell-names.js';
import { CellProgram } from './cell-program.js';
import { type Binding, CellScope, type KnownCell } from './cell-scope.js';
import { cellSignatures } from './cell-signatures.js';
import { cellText } from './cell-text.js';
import { type ServerPosition, serverDiagnostics } from './language-server.js';
import { LocalFiles } from './local-files.js';
import { PackageWrites } from './package-writes.js';
import { declarationFiles, hasTypesApart, installedSince, PROJECT_FILE, untypedModules } from './project-files.js';
import { type ReadyServer, ServerSession, TaskQueue } from './server-session.js';
import {
  type CallSignatures,
  type CheckedCell,
  type Completion,
  type Diagnostic,
  type Hover,
  MOST_CHARACTERS,
  TOO_LARGE,
  type TypeService,
} from './type-service.js';

const CHECK_MS = 15_000;
const LOOK_MS = 3000;
/** How long after a file has changed it may still be in the middle of being written. */
const WRITING_MS = 1000;
/** How long it must then stay as it is, in steps, and how many steps a cell waits for that at most. */
const STEP_MS = 25;
const QUIET_STEPS = 4;
const MOST_STEPS = 12;
/** Of the names that could be meant, how many the language server gets, for their types. */
const TYPED_NAMES = 8;

/**
 * Opens the types of a notebook: each cell is a module of its own to TypeScript's language server, which knows the
 * names of earlier cells. The server starts at once; while it is down, nothing is found and nothing rejects.
 *
 * @param options.folder The notebook's folder, whose packages and modules its cells import.
 * @returns The service, with the process id of its server while one runs.
 */
export function openTypeService(options: { folder: string }): TypeService & { readonly pid: number | undefined } {
  return new NotebookTypes(options.folder);
}

class NotebookTypes implements TypeService {
  readonly #folder: string;
  readonly #session: ServerSession;
  readonly #files: LocalFiles;
  readonly #written: PackageWrites;
  readonly #queue = new TaskQueue();
  #scope = new CellScope();
  #lastId = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#session = new ServerSession(folder);
    this.#files = new LocalFiles(folder);
    this.#written = new PackageWrites(folder);
    // Loads the parser while the server starts.
    draftNames('').catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#session.pid;
  }

  add(code: string, _name: string, sinceMs = Date.now()): CheckedCell {
    const scope = this.#scope;
    let known: KnownCell | undefined;
    let isWithdrawn = false;
    let obstacle: string | undefined;
    const check = async (): Promise<Diagnostic[]> => {
      if (isWithdrawn) return [];
      try {
        if (code.length > MOST_CHARACTERS) {
          obstacle = TOO_LARGE;
          const { names, text } = await namesOfLarge(code);
          known = knownAs(++this.#lastId, names, text);
          return [];
        }
        const cell = await this.#lookAt(code, scope);
        // Running it reports the error better, and it will define nothing.
        if (cell.names.fault) return [];
        const { text, needs, evolved, asked } = cell.module;
        const leftIn = new Map([...asked].map((name): [string, never[]] => [name, []]));
        known = { ...knownAs(++this.#lastId, cell.names, text), needs, evolved, leftIn };
        const found = await this.#session.use((ready) => {
          ready.workspace.refer(referenceDirectives(code));
          return this.#diagnose(ready, cell);
        });
        const { diagnostics, ...learned } = found;
        Object.assign(known, learned, learned.written([]));
        // It has run with what its modules were then.
        const isOutdated = this.#files.changedMs(cell.names.sources) > sinceMs;
        return isOutdated ? diagnostics.filter((each) => !OF_IMPORTS.has(each.code)) : diagnostics;
      } catch (error) {
        obstacle = messageOf(error);
        return [];
      } finally {
        // Added even if the server is down, for the names that it declares and what it may have left in others.
        if (known && !isWithdrawn) scope.add(known);
      }
    };
    const keep = async () => {
      const cell = known;
      if (!cell || isWithdrawn || cell.names.declared.size + cell.evolved.size === 0) return;
      await this.#session.use(async ({ workspace }) => workspace.keep(cell, scope.all()));
    };
    const diagnostics = this.#queue.run(check, { otherwise: [] });
    void this.#queue.run(keep, { otherwise: undefined });
    const withdraw = () => {
      isWithdrawn = true;
      if (known) scope.remove(known);
    };
    const unmet = () => (known ? scope.unmetOf(known) : []);
    return { diagnostics, obstacle: diagnostics.then(() => obstacle), unmet, withdraw };
  }

  complete(code: string, offset: number): Promise<Completion> {
    const { prefix, start, isMember } = completedText(code, offset);
    const answer = async (): Promise<Completion> => {
      const startsSo = ({ name }: Binding) => name.toLowerCase().startsWith(prefix.toLowerCase());
      const meant = isMember ? [] : this.#scope.all().filter(startsSo);
      const cell = await this.#lookAt(code, this.#scope, prefix === '' ? [] : meant.slice(0, TYPED_NAMES));
      return this.#session.use(async (ready) => {
        this.#show(ready, cell);
        const offered = serverItems(await ask(ready, 'completion', draftPosition(code).of(offset)));
        const items = matchingItems([...offered, ...knownItems(offered, meant)], prefix);
        const resolve = (item: object) => ready.server.request('completionItem/resolve', item, LOOK_MS);
        return cellCompletion(items, { start, end: offset }, resolve);
      });
    };
    return this.#queue.run(answer, { otherwise: { start, end: offset, items: [] }, isUrgent: true });
  }

  hover(code: string, offset: number): Promise<Hover | undefined> {
    const answer = async (): Promise<Hover | undefined> => {
      const cell = await this.#lookAt(code);
      return this.#session.use(async (ready) => {
        this.#show(ready, cell);
        const positions = draftPosition(code);
        const at = positions.of(offset);
        const named = cellHover(await ask(ready, 'hover', at), positions.offset);
        return named ?? callHover(await ask(ready, 'signatureHelp', at), offset);
      });
    };
    return this.#queue.run(answer, { otherwise: undefined, isUrgent: true });
  }

  diagnose(code: string, unwanted: AbortSignal): Promise<Diagnostic[] | undefined> {
    const answer = async (signal: AbortSignal): Promise<Diagnostic[]> => {
      const cell = await this.#lookAt(code);
      const { fault } = cell.names;
      if (fault) return [syntaxDiagnostic(code, fault)];
      return (await this.#session.use((ready) => this.#diagnose(ready, cell, signal))).diagnostics;
    };
    return this.#queue.runLast(answer, undefined, unwanted);
  }

  signatures(code: string, offset: number, unwanted: AbortSignal): Promise<CallSignatures | undefined> {
    const answer = async (): Promise<CallSignatures | undefined> => {
      if (unwanted.aborted) return undefined;
      const cell = await this.#lookAt(code);
      return this.#session.use(async (ready) => {
        this.#show(ready, cell);
        return cellSignatures(await ask(ready, 'signatureHelp', draftPosition(code).of(offset)));
      });
    };
    return this.#queue.run(answer, { otherwise: undefined, isUrgent: true });
  }

  reset(): void {
    this.#scope = new CellScope();
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  /** What is wrong in a cell, what it leaves in variables, and its text for later cells. */
  #diagnose(ready: ReadyServer, cell: Looked, signal?: AbortSignal): Promise<Checked> {
    const directives = referenceDirectives(cell.code);
    let steps = MOST_STEPS;
    const isTyped = (name: string): boolean => cell.names.augmented.has(name) || hasTypesApart(name, this.#folder);
    ready.workspace.forgetUntyped(isTyped);
    const show = (draft: Draft, imports = ''): void => {
      const { text, isLoose = false, besides = [], amended } = draft;
      const textOf = (each: KnownCell): string => amended?.get(each)?.text ?? each.text;
      this.#show(
        ready,
        { ...cell, needs: [...cell.needs, ...besides] },
        {
          draft: text.replace('\n', `${imports}\n`),
          directives,
          isLoose,
          textOf,
        },
      );
    };
    const diagnose = async (draft: Draft): Promise<unknown> => {
      const look = (imports = '') => {
        show(draft, imports);
        return ask(ready, 'diagnostic', undefined, signal);
      };
      const asDeclared = async (given: unknown): Promise<unknown> => {
        const untyped = untypedModules(serverDiagnostics(given)).filter((each) => !isTyped(each));
        return untyped.length > 0 && ready.workspace.declareUntyped(untyped) ? look() : given;
      };
      this.#tellChanges(ready);
      let answer = await asDeclared(await look(cell.names.isObject ? '' : importsOf(this.#files.newPackages())));
      // What is wrong may come from a file that was read while it was being written.
      for (let quiet = 0; serverDiagnostics(answer).length > 0 && steps > 0 && quiet < QUIET_STEPS; steps--) {
        const mayBeWriting = this.#files.changedMs() > Date.now() - WRITING_MS;
        if (mayBeWriting) await pause(STEP_MS);
        signal?.throwIfAborted();
        quiet += 1;
        if (this.#tellChanges(ready)) {
          answer = await look();
          quiet = 0;
        } else if (!mayBeWriting) break;
      }
      if (draft.isLoose || !installedSince(serverDiagnostics(answer), this.#folder)) return answer;
      ready.workspace.reload();
      return asDeclared(await look());
    };
    return checkCell(cell, this.#scope, {
      diagnose,
      answer: (answer) => ready.checker.answer(answer),
      writtenBy: (module) => this.#written.of(module),
      program: async (draft, body) => {
        show(draft);
        try {
          // The server has taken the documents once it answers.
          await ask(ready, 'hover', { line: 0, character: 0 }, signal);
          const program = await ready.checker.program(join(this.#folder, PROJECT_FILE));
          const bodyOf = (each: KnownCell) => (draft.amended?.get(each) ?? each).body;
          return new CellProgram(program, { folder: this.#folder, body, bodyOf, cells: this.#scope.cells });
        } catch {
          return undefined;
        }
      },
    });
  }

  /** Tells the server which of the user's files are others than before; false if none is. */
  #tellChanges({ workspace }: Pick<ReadyServer, 'workspace'>): boolean {
    const changes = this.#files.changes();
    workspace.changed(changes);
    if (changes.some(({ uri }) => /\.d\.[mc]?ts$/.test(uri))) workspace.forgetUntyped(() => true);
    return changes.length > 0;
  }

  /** @param meant Names that it may mean besides those that it mentions. */
  async #lookAt(source: string, scope: CellScope = this.#scope, meant: Binding[] = []): Promise<Looked> {
    // A `#!` line must come first, where the module has its imports; a comment of the same length need not.
    const code = plainCell(source).replace(/^#!/, '//');
    const names = await draftNames(code);
    const makers = names.hasJsx ? jsxMakers(code, projectOptions(this.#folder)) : [];
    const besides = [...meant, ...makers.flatMap((name) => scope.get(name) ?? [])];
    const module = cellText(code, names, scope, { besides });
    const needs = [...module.needs, ...scope.ambient];
    return { code, names, module, needs, earlier: scope.all() };
  }

  #show(
    { workspace }: ReadyServer,
    { module, names, needs, earlier }: Looked,
    options: { draft?: string } & Parameters<ReadyServer['workspace']['show']>[3] = {},
  ): void {
    this.#files.add([...names.sources, ...declarationFiles(this.#folder).map((name) => `./${name}`)]);
    this.#tellChanges({ workspace });
    workspace.show(options.draft ?? module.draft, needs, earlier, { ...options, hasJsx: names.hasJsx });
  }
}

/** What is said of what another module exports, or that there is none. */
const OF_IMPORTS = new Set([1192, 2305, 2306, 2307, 2613, 2614, 2724]);

/** What is known of a cell that imports and changes nothing. */
function knownAs(id: number, names: KnownCell['names'], text: string): KnownCell {
  const written = { text, body: undefined };
  const others = {
    needs: [],
    evolved: new Set<string>(),
    widened: new Set<string>(),
    freed: new Set<string>(),
    amendments: [],
    unmet: [],
  };
  return { id, names, ...written, written: () => written, leftIn: new Map(), ...others };
}

/** Imports that ask whether packages have types; their places are before the cell. */
function importsOf(packages: readonly string[]): string {
  return packages.map((each) => ` import {} from ${JSON.stringify(each)};`).join('');
}

function ask(
  { server, workspace }: ReadyServer,
  what: string,
  position?: object,
  signal?: AbortSignal,
): Promise<unknown> {
  const params = { textDocument: { uri: workspace.draft }, ...(position ? { position } : {}) };
  return server.request(`textDocument/${what}`, params, position ? LOOK_MS : CHECK_MS, signal);
}

/** Converts between offsets in a cell and places in its document, which has a line before the cell's first. */
function draftPosition(code: string) {
  const lines = new LineIndex(code);
  return {
    of: (offset: number): ServerPosition => {
      const { line, column } = lines.position(offset);
      return { line, character: column - 1 };
    },
    offset: ({ line, character }: ServerPosition): number => lines.offset({ line, column: character + 1 }),
  };
}

/** The directives at a cell's top that make TypeScript read more types: `/// <reference types="react" />`. */
function referenceDirectives(code: string): string[] {
  const [top = ''] = /^(?:\s*\/\/.*\n?|\s*\/\*[\s\S]*?\*\/)*/.exec(code) ?? [];
  return top.match(/^[ \t]*\/\/\/\s*<reference\s+(?:path|types|lib)\s*=.*\/>/gm) ?? [];
}
