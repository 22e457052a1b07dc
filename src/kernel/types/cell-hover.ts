import { plainNames } from './cell-scope.js';
import type { ServerPosition } from './language-server.js';
import type { Hover } from './type-service.js';

const BLOCK = /^```[a-z]*\n([\s\S]*?)\n```\n?([\s\S]*)$/;

/**
 * What the language server knows of a place, as declaration and documentation; undefined if nothing.
 *
 * @param offset Converts a place in the document to an offset in the cell.
 */
export function cellHover(answer: unknown, offset: (at: ServerPosition) => number): Hover | undefined {
  const { contents, range } = (answer ?? {}) as {
    contents?: { value?: string };
    range?: Record<'start' | 'end', ServerPosition>;
  };
  const [, code = '', documentation = ''] = BLOCK.exec(contents?.value ?? '') ?? [];
  // For an undeclared name, the server says no more than `any`.
  if (code === '' || code === 'any' || !range) return undefined;
  return {
    signature: plainNames(declaration(code)),
    documentation: withoutFileLinks(documentation).trim(),
    start: offset(range.start),
    end: offset(range.end),
  };
}

/** Removes the import by which a name of an earlier cell came into this one. */
function declaration(code: string): string {
  const lines = code.split('\n');
  if (lines.length > 1 && /^import [\p{ID_Continue}$]+$/u.test(lines.at(-1) ?? '')) lines.pop();
  const text = lines.map((line) => line.replace(/^\(alias\) /, '')).join('\n');
  // If the value and the type of one name come from two cells, the server repeats the declaration.
  const half = text.slice(0, Math.floor(text.length / 2));
  return text === `${half}\n${half}` ? half : text;
}

/** More overloads would push the documentation out of sight. */
const MOST_OVERLOADS = 6;

type Text = string | { value: string } | undefined;

/** A signature as the language server sends it. */
export interface ServerSignature {
  label: string;
  documentation?: Text;
  parameters?: { label: string; documentation?: Text }[];
  /** Index of the parameter at the place; absent if the answer's own index counts, null if none does. */
  activeParameter?: number | null;
}

/**
 * What the language server knows of the call whose parentheses surround an offset: the signature that its arguments
 * select, with its documentation, then the other overloads; undefined if no call surrounds it.
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
    documentation: documentationOf(active),
    start: offset,
    end: offset,
  };
}

/** The documentation in the form of a hover. */
function documentationOf({ documentation, parameters = [] }: ServerSignature): string {
  const described = parameters.flatMap(({ label, documentation: about }) => {
    const text = parameterDocumentation(about);
    const name = /^(?:\.\.\.)?([\p{ID_Continue}$]+)/u.exec(label)?.[1] ?? label;
    return text === '' ? [] : [`*@param* \`${name}\` — ${text}`];
  });
  return [markdownIn(documentation), ...described].filter((part) => part !== '').join('\n\n');
}

/** The documentation of a parameter, without the dash that may separate it from the parameter's name. */
export function parameterDocumentation(text: Text): string {
  return markdownIn(text).replace(/^[-—]\s+/, '');
}

/** A documentation of the language server as Markdown; empty if there is none. */
export function markdownIn(text: Text): string {
  return withoutFileLinks((typeof text === 'string' ? text : (text?.value ?? '')).trim());
}

/** Link made of a `{@link name}`: it leads to a place in a file, which a notebook cannot open. */
const FILE_LINK = /\[([^\]]*)\]\(file:[^)]*\)/g;

/** @example withoutFileLinks('See [trade](file:///notes/cell.mts#2,5-2,10).') // 'See trade.' */
function withoutFileLinks(markdown: string): string {
  return markdown.replace(FILE_LINK, '$1');
}
