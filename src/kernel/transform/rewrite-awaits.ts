import type { BlockStatement, Node, Statement } from 'oxc-parser';
import type { Edits } from './edits.js';

const BEFORE = '(__oddslab__.goesOn(';
const AFTER = ') ? __oddslab__.taken() : await __oddslab__.never())';
const NEVER = 'await __oddslab__.never();';
const STOP = `__oddslab__.isOver() && ${NEVER}`;
const GO_ON = `__oddslab__.goesOn() || ${NEVER}`;

/** An `await` of the given expression after which an interrupted cell does not go on. */
export function lastingAwait(text: string): string {
  return `${BEFORE}await ${text}${AFTER}`;
}

/**
 * Rewrites a node that waits at the top level so that the cell does not go on once it has been interrupted, whether the
 * wait gives a value, an error or the next item. A cell that was not interrupted takes no additional turn. Records
 * where it waits, which is often all that is known of a failure in a package.
 *
 * @param written Maps an offset in the rewritten text to the cell's; undefined if there is none.
 */
export function rewriteAwait(node: Node, parent: Node | undefined, edits: Edits, written: Written): void {
  if (node.type === 'AwaitExpression') {
    const { start, end } = node.argument;
    edits.wrap(node.start, node.end, BEFORE, AFTER);
    edits.wrap(start, end, '__oddslab__.waitsFor(', `, ${written(start)})`);
  }
  if (node.type === 'TryStatement') {
    if (node.handler) putInside(node.handler.body, GO_ON, '', edits);
    if (node.finalizer) putInside(node.finalizer, `${KEEP}${STOP}`, noted('__oddslabAwaited__'), edits);
  }
  if (node.type !== 'ForOfStatement' || !node.await) return;
  const { start, end } = node.right;
  const note = noted(written(start));
  edits.wrap(start, end, `(${note}, `, ')');
  putInside(node.body, GO_ON, note, edits);
  if (parent?.type === 'Program' || parent?.type === 'BlockStatement')
    edits.wrap(node.start, node.end, '', `;${GO_ON}`);
}

/** Maps an offset in the text being rewritten to the cell's. */
export type Written = (offset: number) => number | undefined;

/** Keeps the place at which something failed before a `finally`, whatever that awaits. */
const KEEP = 'const __oddslabAwaited__ = __oddslab__.awaited();';

function noted(at: number | string | undefined): string {
  return `__oddslab__.waitsFor(0, ${at})`;
}

function putInside(body: BlockStatement | Statement, first: string, last: string, edits: Edits): void {
  if (body.type !== 'BlockStatement') return;
  edits.replace(body.start + 1, body.start + 1, first);
  if (last !== '') edits.replace(body.end - 1, body.end - 1, `;${last}`);
}
