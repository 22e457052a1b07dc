import type { BlockStatement, Node, Statement } from 'oxc-parser';
import type { Edits } from './edits.js';

const BEFORE = '(__oddslab__.goesOn(';
const AFTER = ') ? __oddslab__.taken() : await __oddslab__.never())';
const STOP = '__oddslab__.isOver() && await __oddslab__.never();';

/** An `await` of a text after which nothing goes on where the cell has been interrupted meanwhile. */
export function lastingAwait(text: string): string {
  return `${BEFORE}await ${text}${AFTER}`;
}

/**
 * Rewrites a node that waits at the top level, such that the cell does not go on once it has been interrupted, be it
 * with a value, an error or the next of many. One that was not interrupted takes no turn more than before. Where an
 * `await` waits is known meanwhile: of what fails in a package, often nothing else is.
 */
export function rewriteAwait(node: Node, parent: Node | undefined, edits: Edits): void {
  if (node.type === 'AwaitExpression') {
    edits.wrap(node.start, node.end, BEFORE, AFTER);
    edits.wrap(node.argument.start, node.argument.end, '__oddslab__.waitsFor(', ')');
  }
  if (node.type === 'TryStatement') {
    if (node.handler) stopAtStart(node.handler.body, edits);
    if (node.finalizer) stopAtStart(node.finalizer, edits);
  }
  if (node.type !== 'ForOfStatement' || !node.await) return;
  stopAtStart(node.body, edits);
  if (parent?.type === 'Program' || parent?.type === 'BlockStatement') edits.replace(node.end, node.end, `;${STOP}`);
}

function stopAtStart(body: BlockStatement | Statement, edits: Edits): void {
  if (body.type === 'BlockStatement') edits.replace(body.start + 1, body.start + 1, STOP);
}
