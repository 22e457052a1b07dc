import { join } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import type { Symbol as Named, NodeHandle, Type } from 'typescript/unstable/async';
import { appendAll } from '../../base/many.js';
import type { Rewritten } from '../transform/edits.js';
import type { Amendment, Insertion } from './amendments.js';
import { cellFile, type KnownCell } from './cell-scope.js';
import type { Program, TypeScript } from './checker.js';

/** Name of the document of the cell being looked at. */
export const DRAFT = '.oddslab-cell.mts';

/** The cells whose documents a program holds. */
export interface Documents {
  folder: string;
  /** The lines of the cell being looked at, if they are not its text. */
  body: Rewritten | undefined;
  /** What stands for the lines of an earlier cell, if they are not its text. */
  bodyOf: (cell: KnownCell) => Rewritten | undefined;
  cells: readonly KnownCell[];
}

/** A part of a cell: its offsets in the cell's own text. */
export interface Place {
  /** The earlier cell; undefined for the one being looked at. */
  cell: KnownCell | undefined;
  start: number;
  end: number;
}

/** What TypeScript's checker knows of the cells, by their own offsets. */
export class CellProgram {
  readonly typescript: TypeScript;
  readonly checker: Program['checker'];
  readonly #program: Program;
  readonly #documents: Documents;
  readonly #cells: Map<number, KnownCell>;

  constructor(program: Program, documents: Documents) {
    this.typescript = program.typescript;
    this.checker = program.checker;
    this.#program = program;
    this.#documents = documents;
    this.#cells = new Map(documents.cells.map((cell) => [cell.id, cell]));
  }

  /** The nodes of a cell that stand exactly between two offsets, from the outside in; of a list, the first of its parts; the statement of `return`. */
  async nodesAt(start: number, end: number, cell?: KnownCell): Promise<Node[]> {
    const source = await this.#source(cell);
    const from = source && this.#position(source, start, cell);
    const last = source && this.#position(source, Math.max(start, end - 1), cell);
    if (source === undefined || from === undefined || last === undefined) return [];
    const to = end > start ? last + 1 : last;
    const [found, parts] = [[] as Node[], [] as Node[]];
    const { isReturnStatement } = this.typescript.syntax;
    const isReturn = source.text.slice(from, to) === 'return';
    const visit = (node: Node): void => {
      if (node.pos > from || node.end <= from) return;
      if (isReturn && isReturnStatement(node) && node.getStart(source) === from) found.push(node);
      if (node.end <= to && node.getStart(source) === from) (node.end === to ? found : parts).push(node);
      node.forEachChild(visit);
    };
    source.forEachChild(visit);
    return found.length > 0 ? found : parts;
  }

  /** Where a node stands in the cells; undefined for one of a file, or of the lines around a cell's text. */
  place(node: Node): Place | undefined {
    const source = node.getSourceFile();
    const cell = this.#cellOf(source.path);
    if (cell === undefined) return undefined;
    const own = cell === 'own' ? undefined : cell;
    const first = bodyStart(source);
    const start = node.getStart(source) - first;
    if (start < 0) return undefined;
    const body = own ? this.#documents.bodyOf(own) : this.#documents.body;
    const last = Math.max(start, node.end - first - 1);
    if (!body) return { cell: own, start, end: last + 1 };
    const end = body.origin(last);
    // Text for the checker alone stands at the end of what it stands around.
    return { cell: own, start: body.origin(start), end: body.place(end) === last ? end + 1 : end };
  }

  /** Whether a node stands in a cell's lines for the checker alone. */
  isInserted(node: Node): boolean {
    const place = this.place(node);
    return place !== undefined && place.end - place.start <= 1 && node.end - node.getStart() > 1;
  }

  /** The offset in a node's cell of a position in its document; undefined as for {@link place}. */
  offset(node: Node, position: number): Place | undefined {
    const place = this.place(node);
    const origin = place && this.#originOf(place.cell)(position - bodyStart(node.getSourceFile()));
    return place && origin !== undefined ? { cell: place.cell, start: origin, end: origin } : undefined;
  }

  /** An insertion for the cell in which a place is. */
  amendment(place: Place, insertion: Insertion): Amendment {
    return { cell: place.cell, ...insertion };
  }

  /** Whether a declaration is in a cell. */
  isOfCell({ path }: NodeHandle): boolean {
    return this.#cellOf(path) !== undefined;
  }

  /** The nodes of those declarations of a symbol that are in cells' own lines; of variables that are declared again, the first. */
  async declarations(symbol: Named): Promise<Node[]> {
    const { SymbolFlags } = this.typescript.api;
    const real = symbol.flags & SymbolFlags.Alias ? await this.checker.getAliasedSymbol(symbol) : symbol;
    const found: Node[] = [];
    for (const each of real.declarations) {
      const node = this.isOfCell(each) ? await each.resolve() : undefined;
      if (node && this.place(node)) found.push(node);
      else if (node) appendAll(found, await this.#before(node));
    }
    return found;
  }

  /** Whether a symbol is declared outside the cells, by the language, a package or a file, whatever cells add to it. */
  async isOfLibrary(symbol: Named): Promise<boolean> {
    const { SymbolFlags } = this.typescript.api;
    const real = symbol.flags & SymbolFlags.Alias ? await this.checker.getAliasedSymbol(symbol) : symbol;
    return real.declarations.some((each) => !this.isOfCell(each));
  }

  /**
   * Where cells of a program use a name, besides where they declare it; undefined if another cell may use it, too.
   *
   * @param isMember Whether it is one that objects have, so that what is read of them by it is a use, too.
   */
  async usesOf(name: string, cells: readonly (KnownCell | undefined)[], isMember = false): Promise<Node[] | undefined> {
    const { syntax } = this.typescript;
    const isElsewhere = (cell: KnownCell): boolean => !cells.includes(cell) && cell.names.habits.names.has(name);
    if (this.#documents.cells.some(isElsewhere)) return undefined;
    const found: Node[] = [];
    const visit = (node: Node): void => {
      const { parent } = node;
      if (syntax.isIdentifier(node) && node.text === name && this.place(node)) {
        const isName = 'name' in parent && parent.name === node;
        if (!isName) found.push(node);
        else if (isMember && syntax.isPropertyAccessExpression(parent)) found.push(parent);
      }
      node.forEachChild(visit);
    };
    for (const cell of cells) (await this.#source(cell))?.forEachChild(visit);
    return found;
  }

  /** The type's name in the language's library or another, besides what cells give its value; undefined for other types. */
  async libraryName(type: Type): Promise<string | undefined> {
    const parts = type.isIntersectionType() ? await type.getTypes() : [type];
    for (const part of parts) {
      const symbol = await part.getSymbol();
      if (symbol && (await this.isOfLibrary(symbol))) return symbol.name;
    }
    return undefined;
  }

  symbolOf(node: Node): Promise<Named | undefined> {
    return this.checker.getSymbolAtLocation(node);
  }

  typeOf(node: Node): Promise<Type | undefined> {
    return this.checker.getTypeAtLocation(node);
  }

  /** What the cell that declared it first says of a variable that a later cell declares again in the line before its text. */
  async #before(node: Node): Promise<Node[]> {
    const { syntax } = this.typescript;
    if (!syntax.isVariableDeclaration(node) || !syntax.isIdentifier(node.name)) return [];
    const name = node.name.text;
    const isNamed = (each: Node): boolean =>
      (syntax.isVariableDeclaration(each) || syntax.isBindingElement(each)) &&
      each.name !== undefined &&
      syntax.isIdentifier(each.name) &&
      each.name.text === name;
    for (const cell of [...this.#cells.values()].sort((a, b) => b.id - a.id)) {
      const kind = cell.names.declared.get(name);
      if (kind === undefined || kind === 'type') continue;
      const source = await this.#source(cell);
      const found: Node[] = [];
      const visit = (each: Node): void => {
        if (isNamed(each) && this.place(each)) found.push(each);
        if (!/Function|Method|Class/.test(syntax.SyntaxKind[each.kind] ?? '')) each.forEachChild(visit);
      };
      source?.forEachChild(visit);
      return found.slice(0, 1);
    }
    return [];
  }

  async #source(cell: KnownCell | undefined): Promise<SourceFile | undefined> {
    return this.#program.source(join(this.#documents.folder, cell ? cellFile(cell.id) : DRAFT));
  }

  #originOf(cell: KnownCell | undefined): (offset: number) => number {
    const body = cell ? this.#documents.bodyOf(cell) : this.#documents.body;
    return body ? body.origin : (offset) => offset;
  }

  #position(source: SourceFile, offset: number, cell: KnownCell | undefined): number | undefined {
    const body = cell ? this.#documents.bodyOf(cell) : this.#documents.body;
    const at = body ? body.place(offset) : offset;
    return at === undefined ? undefined : bodyStart(source) + at;
  }

  #cellOf(path: string): KnownCell | 'own' | undefined {
    const [whole, id] = /\.oddslab-cell(?:-(\d+))?\.mts$/.exec(path) ?? [];
    if (whole === undefined) return undefined;
    return id === undefined ? 'own' : this.#cells.get(Number(id));
  }
}

/** Where a cell's own lines begin in its document. */
function bodyStart({ text }: SourceFile): number {
  return text.indexOf('\n') + 1;
}
