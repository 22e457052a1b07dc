const FENCE = /^\s*```/;
const PARAMETER = /^\*@(?:param|template|typeParam|property)\* `([^`]+)`(?:\s+[—-])?\s*/;
const TAG = /^\*@(\w+)\*(?:\s+[—-])?\s*/;
const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;
const STAND_IN = '\u0000';

/**
 * Turns a language server's Markdown documentation into text that reads well unrendered: removes marks, keeps code as
 * it is, and begins the lines of a doc comment's tags with a name.
 *
 * @example plainDocumentation('Adds **two**.\n\n*@param* `a` — The `first`.') // 'Adds two.\n\na: The first.'
 */
export function plainDocumentation(markdown: string): string {
  let isCode = false;
  const lines = markdown.split('\n').flatMap((line) => {
    if (FENCE.test(line)) {
      isCode = !isCode;
      return [];
    }
    return [isCode ? `  ${line}`.trimEnd() : plainLine(line)];
  });
  return lines.join('\n').trim();
}

function plainLine(line: string): string {
  const [parameter, name = ''] = PARAMETER.exec(line) ?? [];
  if (parameter !== undefined) return labelled(name, line.slice(parameter.length));
  const [tag, what = ''] = TAG.exec(line) ?? [];
  if (tag !== undefined) return labelled(what.charAt(0).toUpperCase() + what.slice(1), line.slice(tag.length), ':');
  return plainSpans(line.replace(/^#{1,6}\s+/, ''));
}

function labelled(label: string, text: string, alone = ''): string {
  return text === '' ? label + alone : `${label}: ${plainSpans(text)}`;
}

/** Removes the marks within a line; text in backticks is code and stays. */
function plainSpans(line: string): string {
  const codes: string[] = [];
  // Marks may surround code, so code is replaced by a stand-in while marks are removed.
  const text = line.replace(CODE_SPAN, (_span, _ticks, code: string) => {
    codes.push(code.replace(/^ (.*\S.*) $/, '$1'));
    return STAND_IN;
  });
  return withoutMarks(text).replaceAll(STAND_IN, () => codes.shift() ?? '');
}

function withoutMarks(text: string): string {
  return text
    .replace(/(?<!\w)!?\[([^\]]*)\]\((\S+?)\)/g, (_, label: string, url: string) =>
      label === url ? url : `${label} (${url})`,
    )
    .replace(/\*\*(\S|\S.*?\S)\*\*/g, '$1')
    .replace(/(?<![\w*])\*(\S|\S[^*]*?\S)\*(?![\w*])/g, '$1')
    .replace(/\\([\\`*_{}[\]()#+.!<>|~-])/g, '$1');
}
