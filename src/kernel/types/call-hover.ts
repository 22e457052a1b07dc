import { withoutFileLinks } from './file-links.js';
import { plainNames } from './plain-names.js';
import type { Hover } from './type-service.js';

/** More overloads would push the documentation out of sight. */
const MOST_OVERLOADS = 6;

type Text = string | { value: string } | undefined;

interface ServerSignature {
  label: string;
  documentation?: Text;
  parameters?: { label: string; documentation?: Text }[];
}

/**
 * What the language server knows of the call whose parentheses surround a place: the signature that its arguments
 * select, with its documentation, then the other overloads.
 *
 * @param answer The answer to `textDocument/signatureHelp`, with parameters labelled by their text.
 * @param offset The place, as an offset in the cell.
 * @returns Undefined if no call surrounds the place.
 */
export function callHover(answer: unknown, offset: number): Hover | undefined {
  const { signatures = [], activeSignature = 0 } = (answer ?? {}) as {
    signatures?: ServerSignature[];
    activeSignature?: number;
  };
  const active = signatures[activeSignature] ?? signatures[0];
  if (!active) return undefined;
  const labels = [...new Set([active, ...signatures].map(({ label }) => plainNames(label)))];
  const left = labels.length - MOST_OVERLOADS;
  const more = left > 0 ? [`// and ${left} more`] : [];
  return {
    signature: [...labels.slice(0, MOST_OVERLOADS), ...more].join('\n'),
    documentation: withoutFileLinks(documentationOf(active)),
    start: offset,
    end: offset,
  };
}

/** The documentation in the form of a hover. */
function documentationOf({ documentation, parameters = [] }: ServerSignature): string {
  const described = parameters.flatMap(({ label, documentation: about }) => {
    const text = textOf(about).replace(/^[-—]\s+/, '');
    const name = /^(?:\.\.\.)?([\p{ID_Continue}$]+)/u.exec(label)?.[1] ?? label;
    return text === '' ? [] : [`*@param* \`${name}\` — ${text}`];
  });
  return [textOf(documentation), ...described].filter((part) => part !== '').join('\n\n');
}

function textOf(text: Text): string {
  return (typeof text === 'string' ? text : (text?.value ?? '')).trim();
}
