import type { Tabular } from '../tabular.js';
import { toHtml } from './html.js';
import { toText } from './text.js';

/** The forms in which a notebook shows a frame, by MIME type: the result of its `Symbol.for('Jupyter.display')`. */
export function displayFrame(frame: Tabular): { 'text/html': string; 'text/plain': string } {
  return { 'text/html': toHtml(frame), 'text/plain': toText(frame) };
}
