import type { Tabular } from '../tabular.js';
import { toHtml } from './html.js';
import { toText } from './text.js';

/** What a notebook shows of a frame: the answer of its `Symbol.for('Jupyter.display')`, by MIME type. */
export function displayFrame(frame: Tabular): { 'text/html': string; 'text/plain': string } {
  return { 'text/html': toHtml(frame), 'text/plain': toText(frame) };
}
