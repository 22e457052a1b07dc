import { fieldOf } from '../../base/texts.js';
import type { NameKind } from './cell-names.js';
import { type Binding, isOwnName, plainNames } from './cell-scope.js';
import type { Completion, CompletionItem } from './type-service.js';

const MOST_ITEMS = 1000;
const PREPARED = 8;
/** Most characters of a signature, since a list of completions has little room. */
const LONGEST = 200;

/** Names of the item kinds, indexed by the language server's number. */
const KINDS = (
  'text,text,method,function,constructor,property,variable,class,interface,module,property,unit,value,enum,keyword,' +
  'snippet,color,file,reference,folder,enum member,constant,struct,event,operator,type parameter'
).split(',');

/** An item as the language server sends it. */
interface ServerItem {
  label: string;
  kind?: number;
  sortText?: string;
  /** The text to write, if it is not the label, which ends in a question mark for an optional member. */
  insertText?: string;
  /** The server's reference to the item; items added here have none, and the server must not be asked about them. */
  data?: unknown;
}

/** The items in an answer to `textDocument/completion`; empty if it has none. */
export function serverItems(answer: unknown): ServerItem[] {
  const list = fieldOf(answer, 'items') ?? answer;
  return Array.isArray(list) ? list : [];
}

/** The items that continue what is written before the cursor, in TypeScript's order, with the text that each writes. */
export function matchingItems(items: ServerItem[], prefix: string): ServerItem[] {
  const isInText = !items.some(({ label }) => label === 'globalThis');
  const start = prefix.toLowerCase();
  // Strings and numbers that a type allows come first: they are the most specific.
  const rank = ({ kind, sortText = '' }: ServerItem) => (KINDS[kind ?? 0] === 'constant' ? '' : sortText);
  // Beside a notebook lie hidden folders, such as that of Jupyter's checkpoints, from which nothing is imported.
  const isHidden = ({ kind, label }: ServerItem) =>
    KINDS[kind ?? 0] === 'folder' && label.startsWith('.') && !start.startsWith('.');
  // For a name that is no identifier, the dot is replaced by brackets; but all items share one range.
  const replacesDot = ({ insertText = '' }: ServerItem) => /^(\?\.)?\[/.test(insertText);
  const order = (item: ServerItem) => `${item.label.startsWith(prefix) ? 0 : 1}${rank(item)}`;
  const compare = new Intl.Collator('en').compare;
  return items
    .filter((item) => !replacesDot(item) && item.label.toLowerCase().startsWith(start) && !isOwnName(item.label))
    .filter((item) => !isHidden(item))
    .sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : compare(a.label, b.label)))
    .slice(0, MOST_ITEMS)
    .map((item) => ({ ...item, insertText: writtenText(item, isInText) }));
}

/** The text that an item writes. For literal types, the server gives strings and numbers alike, without quotes. */
function writtenText({ label, kind, insertText = label }: ServerItem, isInText: boolean): string {
  if (isInText || KINDS[kind ?? 0] !== 'constant' || /^-?(\d[\d.e+-]*n?)$/i.test(label)) return insertText;
  return `'${label.replace(/(?<!\\)'/g, "\\'")}'`;
}

/** The items of a completion. Only the first have a signature, since each costs the server some time. */
export async function cellCompletion(
  items: ServerItem[],
  range: { start: number; end: number },
  resolve: (item: ServerItem) => Promise<unknown>,
): Promise<Completion> {
  const signatures = await Promise.all(
    items
      .slice(0, PREPARED)
      .map(async (item) => (item.data ? String(fieldOf(await resolve(item), 'detail') ?? '') : '')),
  );
  return {
    ...range,
    items: items.map((item, at): CompletionItem => {
      const kind = KINDS[item.kind ?? 0] ?? 'text';
      const { label, insertText: text = label } = item;
      return { text, kind, signature: /^(file|folder)$/.test(kind) ? '' : shortSignature(signatures[at] ?? '', label) };
    }),
  };
}

/** @example shortSignature('(method) String.at(index: number): string', 'at') // '(index: number): string' */
function shortSignature(detail: string, label: string): string {
  const [first = ''] = detail.split('\nimport ');
  const line = first.replace(/^\([a-z ]+\) /, '').replace(/\s*\n\s*/g, ' ');
  const at = line.search(new RegExp(`(?<![\\w$])${label.replace(/\?$/, '').replace(/[^\w]/g, '\\$&')}(?![\\w$])`));
  const rest = at === -1 ? line : line.slice(at + label.replace(/\?$/, '').length);
  const signature = plainNames(rest.replace(/^['"]?\]?\??: /, '').trim());
  return signature.length > LONGEST ? `${signature.slice(0, LONGEST - 1)}…` : signature;
}

/**
 * What is being written at an offset: the part of a name, or of a path in an import, and whether it follows a dot.
 *
 * @example completedText('a.len', 5); // { prefix: 'len', start: 2, isMember: true }
 */
export function completedText(code: string, offset: number): { prefix: string; start: number; isMember: boolean } {
  const before = code.slice(0, offset);
  const line = before.slice(before.lastIndexOf('\n') + 1);
  const [, path] = /(?:\bfrom|\bimport|\brequire)\s*\(?\s*(?:"|')([^"']*)$/.exec(line) ?? [];
  // Paths are completed folder by folder; a scope counts as one.
  const prefix = path === undefined ? nameBefore(before) : path.slice(path.lastIndexOf('/') + 1);
  const start = offset - prefix.length;
  return { prefix, start, isMember: /(^|[^.])\.$/.test(code.slice(0, start)) };
}

function nameBefore(text: string): string {
  // The search must not begin again within a word, which may be data of many characters.
  return /(?:#|@|(?<![\p{ID_Continue}$]))[\p{ID_Continue}$]*$/u.exec(text)?.[0].replace(/^@/, '') ?? '';
}

/** The kinds of names whose items are of another kind. */
const ITEM_KINDS: Partial<Record<NameKind, string>> = {
  let: 'variable',
  const: 'variable',
  import: 'variable',
  namespace: 'module',
  type: 'interface',
};
/** The language server's sort key for what a file declares: before the globals. */
const DECLARED_HERE = '11';

/** The names of earlier cells as items, for where any name could stand: the server knows only what the cell imports. */
export function knownItems(items: ServerItem[], bindings: Binding[]): ServerItem[] {
  const labels = new Set(items.map(({ label }) => label));
  if (!labels.has('globalThis')) return [];
  return bindings
    .filter(({ name }) => !labels.has(name))
    .map(({ name, kind }) => ({ label: name, kind: KINDS.indexOf(ITEM_KINDS[kind] ?? kind), sortText: DECLARED_HERE }));
}
