/**
 * What can neither hide a bracket nor nest: comments, escapes, texts in quotes, numbers. A repeated choice would be
 * simpler, but takes stack for each character.
 */
export const SKIPPED =
  /\/\*[\s\S]*?\*\/|\/\/.*|\\[\s\S]|'[^\n]*?(?<!\\)(?:\\\\)*'|"[^\n]*?(?<!\\)(?:\\\\)*"|-?\b\d[\w.]*/;
const OPENING = /[([{]/;
const CLOSING = /[)\]}]/;
/** Each of these may lie within the one before it, up to the end of its statement or the next comma. */
const LINK =
  /[;,]|=>|[!~=+*/%&|^<>?.`@-]|:(?=\s*[\w$]+\s*:)|\b(?:if|else|for|while|with|do|new|typeof|void|delete|await|yield|async|class|function|as|satisfies|in|of|instanceof|extends|keyof|unique|infer|readonly)\b/;
const TOKEN = new RegExp([SKIPPED, OPENING, CLOSING, LINK].map(({ source }) => source).join('|'), 'g');
/** Shorter texts are not looked at: they cannot nest deeper than this. */
const SHORT = 1000;

/**
 * How deeply the parts of a program may lie within each other at most: an estimate from its brackets and operators, never
 * much below the truth. Native parsers call themselves for each level, and end the process that runs out of stack.
 *
 * @example nestingOf('('.repeat(5000)); // 5000
 */
export function nestingOf(code: string): number {
  if (code.length <= SHORT) return code.length;
  const outer: number[] = [];
  let depth = 0;
  let deepest = 0;
  for (const [token] of code.matchAll(TOKEN)) {
    if (token === ';' || token === ',') depth = (outer.at(-1) ?? -1) + 1;
    else if (SKIPPED.test(token)) continue;
    else if (CLOSING.test(token)) depth = (outer.pop() ?? depth) + 1;
    else if (OPENING.test(token)) {
      outer.push(depth);
      depth += 1;
    } else depth += 1;
    deepest = Math.max(deepest, depth);
  }
  return deepest;
}

/** Whether a text may nest deeper than the parser can follow in a process that must live on. */
export function isTooDeep(code: string): boolean {
  return nestingOf(code) > DEEPEST;
}

/** A level takes up to one and a half kilobytes of a stack of eight megabytes. */
const DEEPEST = 3000;
