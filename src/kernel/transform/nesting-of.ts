/**
 * Text that neither hides a bracket nor nests: comments, escapes, quoted strings, numbers. Repeated alternatives would
 * be simpler but use stack for each character.
 */
export const SKIPPED =
  /\/\*[\s\S]*?\*\/|\/\/.*|\\[\s\S]|'[^\n]*?(?<!\\)(?:\\\\)*'|"[^\n]*?(?<!\\)(?:\\\\)*"|-?\b\d[\w.]*/;
const OPENING = /[([{]/;
const CLOSING = /[)\]}]/;
/** Tokens whose operation may nest in that of the token before, until the statement ends or a comma follows. */
const LINK =
  /[;,]|=>|[!~=+*/%&|^<>?.`@-]|:(?=\s*[\w$]+\s*:)|\b(?:if|else|for|while|with|do|new|typeof|void|delete|await|yield|async|class|function|as|satisfies|in|of|instanceof|extends|keyof|unique|infer|readonly)\b/;
const TOKEN = new RegExp([SKIPPED, OPENING, CLOSING, LINK].map(({ source }) => source).join('|'), 'g');
/** Shorter texts are not examined: they cannot nest deeper than this. */
const SHORT = 1000;

/**
 * An upper estimate of how deeply a program nests, from its brackets and operators; never much below the truth. Native
 * parsers recurse for each level and crash the process if they run out of stack.
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

/** Whether a text may nest too deeply to parse in a process that must not crash. */
export function isTooDeep(code: string): boolean {
  return nestingOf(code) > DEEPEST;
}

/** One level takes up to 1.5 KB of an 8 MB stack. */
const DEEPEST = 3000;
