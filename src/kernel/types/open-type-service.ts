import { messageOf } from '../../base/errors.js';
import { LineIndex } from '../transform/source-lines.js';
import { cellCompletion, completedText, knownItems, matchingItems, serverItems } from './cell-completion.js';
import { cellDiagnostics } from './cell-diagnostics.js';
import { callHover, cellHover } from './cell-hover.js';
import { type CellNames, draftNames } from './cell-names.js';
import { type Binding, CellScope, type KnownCell, type Nullish } from './cell-scope.js';
import { type CellText, cellText, leftIn } from './cell-text.js';
import type { ServerPosition } from './language-server.js';
import { declarationFiles, installedSince, LocalFiles } from './project-files.js';
import { type ReadyServer, ServerSession, TaskQueue } from './server-session.js';
import type { CheckedCell, Completion, Diagnostic, Hover, TypeService } from './type-service.js';

const CHECK_MS = 15_000;
const LOOK_MS = 3000;
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

/** A cell being looked at, with what it can see. */
interface Looked {
  code: string;
  names: CellNames;
  module: CellText;
  /** All names known before it. */
  earlier: Binding[];
  needs: KnownCell[];
}

class NotebookTypes implements TypeService {
  readonly #folder: string;
  readonly #session: ServerSession;
  readonly #files: LocalFiles;
  readonly #queue = new TaskQueue();
  #scope = new CellScope();
  #lastId = 0;

  constructor(folder: string) {
    this.#folder = folder;
    this.#session = new ServerSession(folder);
    this.#files = new LocalFiles(folder);
    // Loads the parser while the server starts.
    draftNames('').catch(() => undefined);
  }

  get pid(): number | undefined {
    return this.#session.pid;
  }

  add(code: string, _name: string): CheckedCell {
    const scope = this.#scope;
    let known: KnownCell | undefined;
    let isWithdrawn = false;
    let obstacle: string | undefined;
    const check = async (): Promise<Diagnostic[]> => {
      if (isWithdrawn) return [];
      try {
        const cell = await look(code, scope);
        // Running it reports the error better, and it will define nothing.
        if (!cell.names.parses) return [];
        const { text, needs, evolved, asked } = cell.module;
        const unknown = new Map([...asked].map((name): [string, Nullish[]] => [name, []]));
        known = { id: ++this.#lastId, names: cell.names, text, needs, evolved, leftIn: unknown };
        const found = await this.#session.use((ready) => this.#diagnose(ready, cell));
        known.leftIn = found.leftIn;
        return found.diagnostics;
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
    return { diagnostics, obstacle: diagnostics.then(() => obstacle), withdraw };
  }

  complete(code: string, offset: number): Promise<Completion> {
    const { prefix, start, isMember } = completedText(code, offset);
    const answer = async (): Promise<Completion> => {
      const startsSo = ({ name }: Binding) => name.toLowerCase().startsWith(prefix.toLowerCase());
      const meant = isMember ? [] : this.#scope.all().filter(startsSo);
      const cell = await look(code, this.#scope, prefix === '' ? [] : meant.slice(0, TYPED_NAMES));
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
      const cell = await look(code, this.#scope);
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

  reset(): void {
    this.#scope = new CellScope();
  }

  close(): Promise<void> {
    return this.#session.close();
  }

  async #diagnose(ready: ReadyServer, cell: Looked) {
    const { code, module } = cell;
    ready.workspace.refer(referenceDirectives(code));
    this.#show(ready, cell);
    const diagnose = async () => {
      const answer = await ask(ready, 'diagnostic');
      return {
        diagnostics: cellDiagnostics(answer, { code, bindings: module.bindings }),
        leftIn: leftIn(answer, module),
      };
    };
    const found = await diagnose();
    if (!installedSince(found.diagnostics, this.#folder)) return found;
    ready.workspace.reload();
    return diagnose();
  }

  #show({ workspace }: ReadyServer, { module, names, needs, earlier }: Looked): void {
    this.#files.add([...names.sources, ...declarationFiles(this.#folder).map((name) => `./${name}`)]);
    workspace.changed(this.#files.changes());
    workspace.show(module.draft, needs, earlier);
  }
}

async function look(source: string, scope: CellScope, startsWith: Binding[] = []): Promise<Looked> {
  // A `#!` line must come first, where the module has its imports; a comment of the same length need not.
  const code = source.replace(/^#!/, '//');
  const names = await draftNames(code);
  const module = cellText(code, names, scope, { startsWith });
  const needs = [...module.needs, ...scope.ambient];
  return { code, names, module, needs, earlier: scope.all() };
}

function ask({ server, workspace }: ReadyServer, what: string, position?: object): Promise<unknown> {
  const params = { textDocument: { uri: workspace.draft }, ...(position ? { position } : {}) };
  return server.request(`textDocument/${what}`, params, position ? LOOK_MS : CHECK_MS);
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
