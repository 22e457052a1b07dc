import { itemAt } from '../../base/item-at.js';
import { leastOf } from '../../base/many.js';
import { counted } from '../../base/texts.js';
import { anyColumn } from '../../frame/tabular/column-values.js';
import { columnNames, type Tabular } from '../../frame/tabular/tabular.js';
import { type Cell, isMissing } from '../../frame/vector/vector.js';
import { shortLabels } from './chart-text.js';
import { FONT_SIZES } from './theme.js';
import { wrappedText } from './title-text.js';

/**
 * What events are called: one of a single market by the market's question; one of several by what the questions have in
 * common, with the number of markets. Without questions, or if these share too little or are those of another event, it is the
 * slug in words.
 *
 * @param frame Market records with `event_slug`, and with `question` if there are questions.
 * @param events The events to name, with the number of their markets.
 * @returns The names by slug.
 * @example eventNames(markets, events).get('a-vs-b-october-6-235'); // 'A vs. B (October 6) (2 markets)'
 */
export function eventNames(
  frame: Tabular,
  events: readonly { event_slug: string | null; markets: number }[],
): Map<string, string> {
  const questionsOf = questionsByEvent(frame);
  const asked = events.map(({ event_slug }) => commonText(questionsOf.get(String(event_slug)) ?? []));
  return new Map(
    events.map(({ event_slug, markets }, at) => {
      const slug = String(event_slug);
      const own = asked[at];
      const name = own === undefined || asked.indexOf(own) !== asked.lastIndexOf(own) ? inWords(slug) : own;
      return [slug, markets === 1 ? name : `${name} (${counted(markets, 'market')})`];
    }),
  );
}

/**
 * Names in lines of a width. Those that would be cut alike are shortened to what tells them apart.
 *
 * @param width In pixels.
 * @param most The most lines of a name.
 */
export function namesInLines(names: readonly string[], width: number, most: number): string[] {
  const fitting = names.map((name) => wrappedText(name, width, FONT_SIZES.label, most).join('\n'));
  const short = shortLabels(names);
  return fitting.map((text, at) => {
    const isAlone = fitting.every((other, place) => place === at || other !== text);
    return isAlone ? text : itemAt(short, at);
  });
}

function questionsByEvent(frame: Tabular): Map<string, string[]> {
  const found = new Map<string, string[]>();
  if (!columnNames(frame).includes('question')) return found;
  const slugs = anyColumn(frame, 'event_slug') as ArrayLike<Cell>;
  for (const [row, question] of Array.from(anyColumn(frame, 'question') as ArrayLike<Cell>).entries()) {
    const text = isMissing(question) ? '' : String(question).trim();
    const slug = slugs[row] ?? null;
    if (text === '' || isMissing(slug)) continue;
    const list = found.get(String(slug));
    if (list) list.push(text);
    else found.set(String(slug), [text]);
  }
  return found;
}

/** The share of the shortest text's words of which texts must have more in common to be named by it. */
const LEAST_SHARED = 0.5;

/**
 * The words with which all of several texts begin and end, and an ellipsis where they differ; undefined if these are not
 * more than half of the shortest text.
 */
function commonText(texts: readonly string[]): string | undefined {
  // Each word keeps the space before it, and a mark such as the colon of "A vs. B: O/U 2.5" stands by itself.
  const [first = [], ...others] = texts.map((text) => text.split(/(?=[\s:;,])/));
  const shortest = leastOf([first, ...others].map(({ length }) => length));
  const sharedFrom = (wordAt: (words: readonly string[], step: number) => string | undefined, most: number) => {
    let count = 0;
    while (count < most && others.every((words) => wordAt(words, count) === wordAt(first, count))) count += 1;
    return count;
  };
  const head = sharedFrom((words, step) => words[step], shortest);
  const isWhole = [first, ...others].some(({ length }) => length === head);
  if (isWhole) return head === 0 ? undefined : first.slice(0, head).join('');
  const tail = sharedFrom((words, step) => words.at(-1 - step), shortest - head);
  if (head + tail <= LEAST_SHARED * shortest) return undefined;
  const end = tail === 0 ? '' : first.slice(-tail).join('');
  return `${first.slice(0, head).join('')} …${end}`.trim();
}

/** A slug in words: `fed-decision-in-october` as `Fed decision in october`. */
function inWords(slug: string): string {
  const words = slug.replace(/(?<=[\p{L}\p{N}])-(?=[\p{L}\p{N}])/gu, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
