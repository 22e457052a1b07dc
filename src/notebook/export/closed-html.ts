/** HTML that leaves nothing open, for a page that other outputs follow in. */
export interface ClosedHtml {
  readonly text: string;
  /** Whether it has to stand in a tree of its own: it has style sheets, places itself, or its tags do not match. */
  readonly isApart: boolean;
}

/** Elements whose content is text, up to their end tag. */
const TEXTS = ['style', 'script', 'textarea', 'title', 'xmp', 'noembed', 'noframes', 'noscript'];

/** Elements without an end tag, and those that end where the next one begins. */
const NEED_NO_END = new Set(
  (
    'area br col embed hr img input param source track wbr ' +
    'p li dt dd tr td th thead tbody tfoot colgroup caption option optgroup rp rt html head body'
  ).split(' '),
);

/** What is left out: comments and declarations. */
const UNSEEN = /<!--[\s\S]*?--!?>|<[!?][^>]*>/y;
const [NAME, ATTRIBUTE, END] = [
  /<(\/?)([a-z][^\s/>"'=<]*)/iy,
  /[\s/]+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`][^\s"'<>`]*))?/y,
  /[\s/]*>/y,
];

/** Elements that would end the tree, or that never end. */
const ENDLESS = /(<\/?)(?=(?:template|plaintext)(?:[\s/>]|$))/gi;

/** What places an element relative to the page, or is placed so by itself. */
const PLACES = /position\s*:|\bstyle\s*=[^>]*(?:\/\*|\\|&)|<\/?(?:dialog|style|template|plaintext)(?![a-z])/i;

/**
 * HTML in which each comment, tag and text ends, so that it cannot swallow what follows it in a page. Where all do, it
 * stays as it is, save for comments, which are left out.
 *
 * @example closedHtml('<b>1</b><!--').text; // '<b>1</b>&lt;!--'
 */
export function closedHtml(html: string): ClosedHtml {
  const source = html.replace(ENDLESS, '$1inert-');
  const open = new Map<string, number>();
  let [text, at, isApart] = ['', 0, PLACES.test(html)];
  for (let next = source.indexOf('<'); next >= 0; next = source.indexOf('<', at)) {
    text += source.slice(at, next);
    at = endOf(UNSEEN, source, next) ?? next;
    if (at > next) continue;
    const end = endOfTag(source, next);
    at = end ?? next + 1;
    if (end === undefined) {
      text += '&lt;';
      continue;
    }
    const whole = source.slice(next, end);
    text += whole;
    NAME.lastIndex = 0;
    const [, slash, tag = ''] = NAME.exec(whole) ?? [];
    const name = tag.toLowerCase();
    if (slash === '' && TEXTS.includes(name)) {
      const length = source.slice(end).search(new RegExp(`</${name}[\\s/>]`, 'i'));
      at = length < 0 ? source.length : end + length;
      text += plainText(name, source.slice(end, at)) + (length < 0 ? `</${name}>` : '');
      if (length < 0) continue;
    }
    if (NEED_NO_END.has(name) || whole.endsWith('/>')) continue;
    const depth = (open.get(name) ?? 0) + (slash === '' ? 1 : -1);
    open.set(name, depth);
    isApart ||= depth < 0;
  }
  text += source.slice(at);
  return { text, isApart: isApart || [...open.values()].some((depth) => depth !== 0) };
}

/** Where a tag ends, whose attributes are as HTML wants them; undefined if it does not. */
function endOfTag(text: string, start: number): number | undefined {
  let at = endOf(NAME, text, start);
  for (let next = at; next !== undefined; next = endOf(ATTRIBUTE, text, next)) at = next;
  return at === undefined ? undefined : endOf(END, text, at);
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

/** The text of an element without the sign that begins tags: within an SVG, it would be read as one. */
function plainText(name: string, text: string): string {
  if (name === 'script') return '';
  return text.replaceAll('<', name === 'style' ? '\\3c ' : '&lt;');
}
