import { jsxComments } from '../transform/jsx.js';
import { type CellNames, valueKind } from './cell-names.js';
import {
  type Binding,
  type CellScope,
  cellPrelude,
  DECLARED,
  draftPrelude,
  EMPTY,
  evolvingOf,
  isVariable,
  type KnownCell,
  LACKS,
  NOW,
  type Nullish,
  rereadName,
  type Taken,
} from './cell-scope.js';
import { serverDiagnostics } from './language-server.js';

/** What holds around a cell's lines. */
interface Around {
  freed?: ReadonlySet<string>;
  widened?: ReadonlySet<string>;
  /** What comes at the end of the module. */
  atEnd?: string;
}

/** A cell as a module that the language server can check. */
export interface CellText {
  /** The text that later cells import: it imports from the cells themselves. */
  text: string;
  /**
   * The text for looking at the cell: it imports from the one document that passes on all names. While the imports stay
   * the same, the server updates its program in a tenth of the time.
   */
  draft: string;
  /** The cell's own lines within both, with the offsets of the cell. */
  body: string;
  /** Both texts around other lines, in which variables may hold anything, or have the type of their last value. */
  withBody: (body: string, options?: Around) => { text: string; draft: string };
  /** The names of earlier cells that it mentions, even if it declares them itself. */
  bindings: Binding[];
  /** The cells that its text imports. */
  needs: KnownCell[];
  /** Evolving variables, its own or earlier cells', that it changes: it exports what it made of them. */
  evolved: Set<string>;
  /** Other variables that it assigns or checks: the draft ends by asking what it leaves in them. */
  asked: Set<string>;
}

/**
 * Makes a module of a cell: one line before its text imports the names of earlier cells that it mentions, lines after
 * it export its own. So a line of the cell is one line further down in the module, and columns stay.
 *
 * @param options.besides Names that it may mean though it does not mention them: they are imported, too.
 */
export function cellText(
  code: string,
  names: CellNames,
  scope: CellScope,
  options: { besides?: Binding[] } = {},
): CellText {
  const bindings = new Map<string, Binding>();
  for (const name of mentioned(code)) {
    const binding = scope.get(name);
    if (binding) bindings.set(name, binding);
  }
  for (const each of options.besides ?? []) bindings.set(each.name, each);
  const taken = [...bindings.values()].flatMap((binding) => takenOf(withOwnChanges(binding, names), names));
  const { asked, evolved } = changedNames(names, bindings);
  const own = [...names.declared.keys()].filter((name) => !names.exported.has(name));
  const now = (all: Iterable<string>) => Array.from(all, (name) => `export const ${NOW}${name} = ${name};`);
  const { text, reread } = withRereads(withoutExports(code, names), names, bindings);
  // TypeScript can augment only modules that something imports.
  const augmented = [...names.augmented].map((source) => `import ${JSON.stringify(source)};`);
  // On the lines around the cell, so that its own places stay.
  const [open, close] = names.isObject ? [';(', ')'] : ['', ''];
  const behind = (changed: Iterable<string>) =>
    `\n${close};export { ${own.join(', ')} };\n${[...augmented, ...now(changed)].join('\n')}\n`;
  const all = [...taken, ...reread];
  const comments = names.hasJsx ? jsxComments(code) : '';
  const withBody: CellText['withBody'] = (body, { freed = NONE, widened = NONE, atEnd = '' } = {}) => {
    const given = all.map((each) => {
      if (freed.has(each.binding.name)) return asFreed(each);
      return widened.has(each.binding.name) ? asWidened(each) : each;
    });
    // Not those of its functions.
    const isOwn = (name: string) => (names.declared.get(name) ?? bindings.get(name)?.kind) === 'let';
    const changed = new Set([...evolved, ...[...widened].filter(isOwn)]);
    const end = behind(changed) + atEnd;
    const left = new Set([...asked].filter((name) => !changed.has(name)));
    return {
      text: `${comments}${cellPrelude(given)}${open}\n${body}${end}`,
      draft: `${comments}${draftPrelude(given)}${open}\n${body}${end}${atEnd === '' ? '' : '\n'}${leftInQuestions(left)}`,
    };
  };
  return {
    ...withBody(text),
    body: text,
    withBody,
    bindings: [...bindings.values()],
    needs: neededCells(all),
    asked,
    evolved,
  };
}

/** The evolving variables that a cell changes, and the others that may be narrower after it. */
function changedNames(names: CellNames, bindings: Map<string, Binding>) {
  const { declared, annotated, assigned, checked, filled, evolving } = names;
  const changed = { asked: new Set<string>(), evolved: new Set<string>() };
  const begun = [...evolving].flatMap(([name, how]) => (how === 'value' ? [name] : []));
  for (const name of new Set([...annotated, ...assigned, ...filled, ...begun])) {
    const own = declared.get(name) ?? 'type';
    const binding = bindings.get(name);
    const isOwn = own !== 'type';
    if (isOwn ? evolving.has(name) : binding && evolvingOf(binding)) changed.evolved.add(name);
    else if (isOwn ? own === 'let' : binding?.kind === 'let' && assigned.has(name)) changed.asked.add(name);
  }
  for (const name of checked) {
    const own = valueKind(name, names);
    const binding = bindings.get(name);
    const kind = own ?? binding?.kind;
    const isEvolving = own ? evolving.has(name) : binding && evolvingOf(binding);
    if (!isEvolving && (kind === 'let' || kind === 'const')) changed.asked.add(name);
  }
  return changed;
}

/** Marks an evolving variable as unknown if a function of this very cell changes it. */
function withOwnChanges(binding: Binding, { assignedByFunctions, filledByFunctions }: CellNames): Binding {
  const { name } = binding;
  const isChanged = assignedByFunctions.has(name) || filledByFunctions.has(name);
  return isChanged && evolvingOf(binding) ? { ...binding, evolvedBy: undefined, isChangedByFunction: true } : binding;
}

/** What a cell takes of a name: not what it declares itself. */
function takenOf(binding: Binding, names: CellNames): Taken[] {
  const { declared, types } = names;
  const own = declared.get(binding.name);
  const isChanged = names.assigned.has(binding.name) || names.filled.has(binding.name);
  const isType = binding.kind === 'type';
  if (own === undefined) {
    const isApart = !isType && binding.types !== undefined && (isVariable(binding) || binding.types !== binding.cell);
    const as = isApart || isVariable(binding) ? 'variable' : 'import';
    return [{ binding, as, types: isApart ? binding.types : undefined, isChanged }];
  }
  if (own === 'type') return isType ? [] : [{ binding, as: 'variable', types: undefined, isChanged }];
  if (types.has(binding.name) || !binding.types) return [];
  return [isType ? { binding, as: 'import', types: undefined } : { binding, as: 'type', types: binding.types }];
}

/** Blanks out `export` before declarations: the list after the cell exports all names, also a type beside a value. */
function withoutExports(code: string, { exports }: CellNames): string {
  let [text, at] = ['', 0];
  for (const start of [...exports].sort((a, b) => a - b)) {
    text += code.slice(at, start) + ' '.repeat('export'.length);
    at = start + 'export'.length;
  }
  return text + code.slice(at);
}

/** Renames in the cell's text the reads of earlier values in the initial values of variables that it declares again. */
function withRereads(code: string, { rereads }: CellNames, bindings: Map<string, Binding>) {
  let text = code;
  const reread = new Map<string, Taken>();
  for (const [start, name] of rereads) {
    const binding = bindings.get(name);
    const local = rereadName(name);
    if (!binding || binding.kind === 'type' || local === undefined) continue;
    text = text.slice(0, start) + local + text.slice(start + name.length);
    reread.set(name, { binding, as: 'variable', types: undefined, local });
  }
  return { text, reread: [...reread.values()] };
}

function asFreed(taken: Taken): Taken {
  // An import has the type that it was declared with.
  const as = taken.as === 'import' && taken.binding.kind === 'const' ? 'variable' : taken.as;
  return { ...taken, as, binding: { ...taken.binding, isFreed: true } };
}

function asWidened(taken: Taken): Taken {
  const { binding } = taken;
  return { ...taken, binding: { ...binding, evolving: binding.evolving ?? 'value' } };
}

const NONE: ReadonlySet<string> = new Set();

/** The cells that a cell's module imports. */
function neededCells(taken: Taken[]): KnownCell[] {
  const cells = taken.flatMap(({ as, binding: { cell, evolvedBy }, types }) => [
    ...(as === 'type' ? [] : [cell]),
    ...(as === 'variable' && evolvedBy ? [evolvedBy] : []),
    ...(types ? [types] : []),
  ]);
  return [...new Set(cells)];
}

/** Every identifier in a text, including strings and comments, except those after a single dot. */
function mentioned(code: string): Set<string> {
  const names = code.matchAll(/(?<![\p{ID_Continue}$]|(?<!\.\.)\.)[\p{ID_Start}$_][\p{ID_Continue}$]*/gu);
  return new Set(Array.from(names, ([name]) => name));
}

const NULLISH: Nullish[] = ['null', 'undefined', 'value'];
const NOT_SATISFIED = 1360;

/**
 * Lines after a cell's module that ask the checker what the cell leaves in variables: a line is an error if its
 * variable, which may hold null or undefined by its declaration, is known there not to hold it, or to hold nothing
 * else. A variable that holds nothing because the code before always throws gives no error.
 */
function leftInQuestions(names: Set<string>): string {
  if (names.size === 0) return '';
  const lacks = `type ${LACKS}<D, T, N> = [T] extends [null | undefined] ? 0 : N extends T ? 0 : N extends D ? 1 : 0;`;
  // In a function that may be called at any time, a variable has its declared type.
  const now = [...names].map(
    (name) => `const ${NOW}${name} = ${name}; function ${DECLARED}${name}() { return ${name}; }`,
  );
  const empty = `type ${EMPTY}<T> = 0 extends 1 & T ? 0 : [T] extends [never] ? 0 : [T] extends [null | undefined] ? 1 : 0;`;
  const questions = questionsFor(names).map(({ name, nullish }) => {
    const held = `typeof ${NOW}${name}`;
    if (nullish === 'value') return `0 satisfies ${EMPTY}<${held}>;`;
    return `0 satisfies ${LACKS}<ReturnType<typeof ${DECLARED}${name}>, ${held}, ${nullish}>;`;
  });
  return [lacks, empty, ...now, ...questions].join('\n');
}

/** What a cell's variables are known not to hold after it, by the answer to the questions that its draft ends with. */
export function leftIn(
  answer: unknown,
  { draft, asked }: { draft: string; asked: Set<string> },
): Map<string, Nullish[]> {
  const questions = questionsFor(asked);
  // Lines as the language server counts them.
  const first = draft.split(/\r\n|\r|\n/).length - questions.length;
  const found = new Map([...asked].map((name): [string, Nullish[]] => [name, []]));
  for (const { code, range } of serverDiagnostics(answer)) {
    const question = code === NOT_SATISFIED ? questions[range.start.line - first] : undefined;
    if (question) found.get(question.name)?.push(question.nullish);
  }
  return found;
}

function questionsFor(names: Set<string>): { name: string; nullish: Nullish }[] {
  return [...names].flatMap((name) => NULLISH.map((nullish) => ({ name, nullish })));
}
