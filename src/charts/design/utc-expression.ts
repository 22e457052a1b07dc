/** Functions of Vega's expressions that follow the machine's time zone, and those that follow UTC. */
const IN_UTC: ReadonlyMap<string, string> = new Map([
  ...[
    'year',
    'quarter',
    'month',
    'week',
    'date',
    'day',
    'dayofyear',
    'hours',
    'minutes',
    'seconds',
    'milliseconds',
  ].map((name) => [name, `utc${name}`] as const),
  ['datetime', 'utc'],
  ['timeFormat', 'utcFormat'],
  ['timeParse', 'utcParse'],
  ['timeOffset', 'utcOffset'],
  ['timeSequence', 'utcSequence'],
  // Minutes between UTC and the machine's zone.
  ['timezoneoffset', '0*time'],
]);

/** The places of the arguments that are times, of functions that take some. */
const TIMES: ReadonlyMap<string, readonly number[]> = new Map<string, readonly number[]>([
  ...[...IN_UTC.values()].filter((name) => !/Parse|^utc$/.test(name)).map((name): [string, number[]] => [name, [0]]),
  ['time', [0]],
  ['toDate', [0]],
  ['utcOffset', [1]],
  ['utcSequence', [1, 2]],
]);

/** A date with a time of day that names no zone, and what else is a time in UTC or names its zone. */
export const NO_ZONE = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/;
export const ISO_DAY = /^[+-]?\d{4,6}(?:-\d\d(?:-\d\d)?)?$/;
export const ZONE = /(?:\d\s*Z|\b(?:UTC?|GMT)|[\d\s](?:GMT|UTC)?[+-]\d\d:?\d\d)(?:\s*\([^()]*\))?$/i;

/** A text in an expression, which stays, or the beginning of a call. */
const TEXT_OR_CALL = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|(?<![\w$.])([a-zA-Z]+)\s*\(/g;

/** What Vega is told, instead of the text of a time that only the machine's zone could place. */
export const UNPLACED = 'A time names no zone';

/** Functions that give a time or a number, and numbers: never a text. */
const [OF_TIMES, NUMBER] = [
  new Set(['utc', 'now', 'toDate', 'time', 'datetime', 'utcOffset', 'timeOffset', 'utcParse', 'timeParse']),
  /^(?:[\d.]+|datum(?:\.\w+|\[[^\]]*\])\s*[-*/]\s*[\d.]+)$/,
];

/**
 * An expression that follows UTC on every machine: its functions are those of UTC, and texts that name no zone count as
 * UTC where they become times.
 */
export function utcExpression(text: string): string {
  // It is one already.
  if (text.includes(UNPLACED)) return text;
  const calls = new RegExp(TEXT_OR_CALL);
  let [result, at] = ['', 0];
  for (let found = calls.exec(text); found !== null; found = calls.exec(text)) {
    const [whole, name] = found;
    const given = name === undefined ? undefined : argumentsAt(text, calls.lastIndex);
    const own = name === undefined ? '' : (IN_UTC.get(name) ?? name);
    if (given === undefined || (own === name && !TIMES.has(own))) continue;
    // A single argument of a datetime may be a text.
    const isRead = own === 'toDate' || (name === 'datetime' && given.parts.length === 1);
    const places = TIMES.get(own) ?? [];
    const parts = given.parts.map((part, place) => {
      return isRead || places.includes(place) ? placed(part) : utcExpression(part);
    });
    const call = isRead ? (parts[0] ?? '') : `${own}(${parts.join(',')})`;
    result += text.slice(at, calls.lastIndex - whole.length) + call;
    at = given.end;
    calls.lastIndex = at;
  }
  return result + text.slice(at);
}

/** An argument that is a time, in UTC. */
function placed(argument: string): string {
  const own = argument.trim();
  const [call, name = ''] = /^([a-zA-Z]+)\s*\(/.exec(own) ?? [];
  const isCall = call !== undefined && OF_TIMES.has(name) && argumentsAt(own, call.length)?.end === own.length;
  return isCall || NUMBER.test(own) ? utcExpression(argument) : zonedTime(utcExpression(own));
}

/** The arguments of a call, and where it ends; undefined if its bracket stays open. */
function argumentsAt(text: string, start: number): { parts: string[]; end: number } | undefined {
  const signs = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[([{}\]),]/g;
  signs.lastIndex = start;
  const parts: string[] = [];
  let [depth, from] = [0, start];
  for (let found = signs.exec(text); found !== null; found = signs.exec(text)) {
    const [sign] = found;
    if ('([{'.includes(sign)) depth += 1;
    else if (depth === 0 && (sign === ')' || sign === ',')) {
      parts.push(text.slice(from, found.index));
      from = signs.lastIndex;
      if (sign === ')') return { parts, end: from };
    } else if (')]}'.includes(sign)) depth -= 1;
  }
  return undefined;
}

/**
 * The time of a value, as an expression: a text that names no zone counts as UTC. Of a text that only the machine's zone
 * could place, Vega gives the warning {@link UNPLACED}, and the time is none.
 *
 * @param own An expression.
 */
export function zonedTime(own: string): string {
  const read =
    `test(${NO_ZONE},${own})?toDate(replace(${own},' ','T')+'Z'):` +
    `test(${ISO_DAY},${own})||test(${ZONE},${own})||!isValid(toDate(${own}))?toDate(${own}):warn('${UNPLACED}',${own},NaN)`;
  return `(isString(${own})?(${read}):toDate(${own}))`;
}
