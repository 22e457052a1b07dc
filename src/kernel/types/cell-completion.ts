import { isOwnName } from './cell-text.js';
import { plainNames } from './plain-names.js';
import type { Completion, CompletionItem } from './type-service.js';

const MOST_ITEMS = 1000;
const PREPARED = 8;

/** By the language server's number of a kind. */
const KINDS = [
  'text',
  'text',
  'method',
  'function',
  'constructor',
  'property',
  'variable',
  'class',
  'interface',
  'module',
  'property',
  'unit',
  'value',
  'enum',
  'keyword',
  'snippet',
  'color',
  'file',
  'reference',
  'folder',
  'enum member',
  'constant',
  'struct',
  'event',
  'operator',
  'type parameter',
];

/** An item as the language server sends it. */
export interface ServerItem {
  label: string;
  kind?: number;
  sortText?: string;
  detail?: string;
  /** By which the server knows the item again; items of ours have none, and the server must not be asked of them. */
  data?: unknown;
  textEdit?: { newText: string; range?: { start: { character: number }; end: { character: number } } };
}

/** The items in an answer to `textDocument/completion`; none, where it has none. */
export function serverItems(answer: unknown): ServerItem[] {
  const list = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : answer;
  return Array.isArray(list) ? list : [];
}

/** The items that continue what is written before the cursor, in TypeScript's order. */
export function matchingItems(items: ServerItem[], prefix: string): ServerItem[] {
  const start = prefix.toLowerCase();
  const order = ({ label, sortText = '' }: ServerItem) => `${label.startsWith(prefix) ? 0 : 1}${sortText}`;
  const compare = new Intl.Collator('en').compare;
  return items
    .filter(({ label }) => label.toLowerCase().startsWith(start) && !isOwnName(label))
    .sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : compare(a.label, b.label)))
    .slice(0, MOST_ITEMS);
}

/** The items of a completion, of which the first have a signature: each costs the server some time. */
export async function cellCompletion(
  items: ServerItem[],
  range: { start: number; end: number },
  resolve: (item: ServerItem) => Promise<unknown>,
): Promise<Completion> {
  const signatures = await Promise.all(
    items.slice(0, PREPARED).map(async (item) => (item.data ? detailOf(await resolve(item)) : '')),
  );
  return {
    ...range,
    items: items.map((item, at): CompletionItem => {
      const kind = KINDS[item.kind ?? 0] ?? 'text';
      return { text: item.label, kind, signature: shortSignature(signatures[at] ?? '', item.label) };
    }),
  };
}

function detailOf(item: unknown): string {
  if (typeof item !== 'object' || item === null || !('detail' in item)) return '';
  return typeof item.detail === 'string' ? item.detail : '';
}

/** @example shortSignature('(method) String.at(index: number): string', 'at') // '(index: number): string' */
function shortSignature(detail: string, label: string): string {
  const [line = ''] = detail.replace(/^\([a-z ]+\) /, '').split('\n');
  const at = line.search(new RegExp(`(?<![\\w$])${label.replace(/[^\w]/g, '\\$&')}(?![\\w$])`));
  const rest = at === -1 ? line : line.slice(at + label.length);
  return plainNames(rest.replace(/^\??: /, '').trim());
}
