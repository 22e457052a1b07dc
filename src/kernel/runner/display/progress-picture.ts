import { escapeHtml } from '../../../base/texts.js';
import type { MimeBundle } from '../../events.js';
import { type ProgressState, progressText } from './progress-state.js';

const ROW = 'display:flex;flex-wrap:wrap;align-items:center;gap:.75em;font-size:.92em;color:inherit';
const BAR = 'width:16em;max-width:100%';
const WORDS = 'font-variant-numeric:tabular-nums;opacity:.8';

/** The bar while the work goes on: HTML without script in the page's colours, and a line of plain text. */
export function progressPicture(state: ProgressState): MimeBundle {
  const words = progressText(state);
  const name = escapeHtml(state.label);
  const value = state.total === undefined ? '' : ` value="${state.count}" max="${state.total || 1}"`;
  const html =
    `<div style="${ROW}">${name && `<span>${name}</span>`}` +
    `<progress${value} style="${BAR}" aria-label="${name || 'Progress'}"></progress>` +
    `<span style="${WORDS}">${escapeHtml(words)}</span></div>`;
  return { data: { 'text/html': html, 'text/plain': withLabel(state.label, words) }, metadata: {} };
}

/** The short line that stays once the work is over. */
export function endPicture(label: string, words: string): MimeBundle {
  const line = withLabel(label, words);
  const html = `<div style="font-size:.92em;color:inherit;opacity:.8">${escapeHtml(line)}</div>`;
  return { data: { 'text/html': html, 'text/plain': line }, metadata: {} };
}

function withLabel(label: string, words: string): string {
  return [label, words].filter(Boolean).join(': ');
}
