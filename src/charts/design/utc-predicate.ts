import { UsageError } from '../../base/errors.js';

type Def = Record<string, unknown>;

/** Units of Vega-Lite's times, in the order in which they stand in a `timeUnit`. */
const UNITS = ['year', 'quarter', 'month', 'day', 'date', 'hours', 'minutes', 'seconds', 'milliseconds'] as const;
type Unit = (typeof UNITS)[number];

const COMPARED = { equal: '===', lt: '<', lte: '<=', gt: '>', gte: '>=' } as const;
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const DAYS = 'sun mon tue wed thu fri sat'.split(' ');

/** Whether a value is one of Vega-Lite's times, such as `{ year: 2025, month: 5 }`. */
export function isDateTime(value: unknown): value is Def {
  if (typeof value !== 'object' || value === null) return false;
  const { utc, ...parts } = value as Def;
  const entries = Object.entries(parts);
  return (
    (utc === undefined || typeof utc === 'boolean') &&
    entries.length > 0 &&
    entries.every(([name, part]) => {
      const isName = (name === 'month' || name === 'day') && typeof part === 'string';
      return (UNITS as readonly string[]).includes(name) && (typeof part === 'number' || isName);
    })
  );
}

/** Whether a part of a specification tests a field by a unit of time. */
export function isUnitTest(part: object): boolean {
  return (
    'field' in part && 'timeUnit' in part && [...Object.keys(COMPARED), 'oneOf', 'range'].some((key) => key in part)
  );
}

/**
 * A test of a field by a unit of time as an expression in UTC: Vega-Lite tests by the zone of the machine, also where
 * the unit is one of UTC.
 *
 * @throws {UsageError} If the unit has steps, weeks or days of the year, or a value is none of the unit.
 */
export function unitTest(test: Def): string {
  const { field, timeUnit } = test;
  const named: unknown = typeof timeUnit === 'object' ? Reflect.get(Object(timeUnit), 'unit') : timeUnit;
  const hasSteps =
    typeof timeUnit === 'object' && Object.keys(Object(timeUnit)).some((key) => key === 'step' || key === 'maxbins');
  const name = String(named)
    .replace(/^binned/, '')
    .replace(/^utc/, '');
  const units = UNITS.filter((unit) => name.includes(unit));
  if (hasSteps || typeof field !== 'string' || units.join('') !== name) {
    throw new UsageError(
      `A filter by the time unit ${JSON.stringify(timeUnit)} would follow the time zone of the machine. Write an expression, such as filter: "utcweek(toDate(datum.date)) == 20".`,
    );
  }
  const value = `datum${field
    .split(/(?<!\\)\.|[[\]]+/)
    .filter((part) => part !== '')
    .map((part) => `[${JSON.stringify(part.replaceAll('\\', '').replace(/^(['"])(.*)\1$/, '$2'))}]`)
    .join('')}`;
  const isBinned = String(named).startsWith('binned') || Reflect.get(Object(timeUnit), 'binned') === true;
  const time = isBinned ? `time(toDate(${value}))` : startOf(units, `toDate(${value})`);
  const moment = (wanted: unknown): string => momentOf(wanted, units, field);
  const tests = Object.entries(COMPARED).flatMap(([key, sign]) =>
    key in test ? [`${time}${sign}${moment(test[key])}`] : [],
  );
  if (Array.isArray(test.oneOf)) tests.push(`indexof([${test.oneOf.map(moment).join(',')}],${time})!==-1`);
  if (Array.isArray(test.range)) {
    const [from, to] = test.range as unknown[];
    if (from != null) tests.push(`${time}>=${moment(from)}`);
    if (to != null) tests.push(`${time}<=${moment(to)}`);
  }
  return ['isValid', 'isFinite']
    .map((check) => `${check}(toDate(${value}))`)
    .concat(tests)
    .join(' && ');
}

/** The start of the units in which a time lies, as an expression; what they lack is that of 2012, as in Vega-Lite. */
function startOf(units: readonly Unit[], time: string): string {
  const has = (unit: Unit): boolean => units.includes(unit);
  const part = (unit: Unit, otherwise: string): string => (has(unit) ? `utc${unit}(${time})` : otherwise);
  const month = has('month') ? part('month', '0') : has('quarter') ? `(utcquarter(${time})-1)*3` : '0';
  const date = has('date') ? part('date', '1') : has('day') ? `utcday(${time})+1` : '1';
  const rest = (['hours', 'minutes', 'seconds', 'milliseconds'] as const).map((unit) => part(unit, '0'));
  // 1 January 2006 was a Sunday.
  return `utc(${part('year', has('day') && !has('date') ? '2006' : '2012')},${[month, date, ...rest].join(',')})`;
}

/** The moment of a value that a test names, in milliseconds, or the expression that gives it. */
function momentOf(value: unknown, units: readonly Unit[], field: string): string {
  const signal: unknown = Reflect.get(Object(value), 'expr') ?? Reflect.get(Object(value), 'signal');
  if (typeof signal === 'string') return `time(${signal})`;
  const [unit] = units;
  const isPart =
    typeof value === 'number' ? value < 10_000 : typeof value === 'string' && Number.isNaN(Date.parse(value));
  const parts = isDateTime(value) ? value : units.length === 1 && isPart ? { [String(unit)]: value } : undefined;
  const at = parts === undefined ? (typeof value === 'number' ? value : isoMoment(value)) : partsMoment(parts, units);
  if (Number.isFinite(at)) return String(at);
  throw new UsageError(
    `The filter of ${JSON.stringify(field)} compares it with ${JSON.stringify(value)}. Write a time in UTC as { year: 2025, month: 5, date: 1 }, or as "2025-05-01".`,
  );
}

function isoMoment(value: unknown): number {
  const isIso = typeof value === 'string' && /^\d{4}-\d\d(?:-\d\d(?:T\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z)?)?$/.test(value);
  return isIso ? Date.parse(value) : Number.NaN;
}

function partsMoment(parts: Def, units: readonly Unit[]): number {
  const number = (name: Unit, otherwise: number): number =>
    parts[name] === undefined ? otherwise : Number(parts[name]);
  const monthOf = (month: unknown): number =>
    typeof month === 'string' && Number.isNaN(Number(month)) ? named(month, MONTHS) : Number(month) - 1;
  const dayOf = (day: unknown): number =>
    typeof day === 'string' && Number.isNaN(Number(day)) ? named(day, DAYS) : Number(day) % 7;
  const isDay = parts.day !== undefined && parts.date === undefined;
  const month = parts.month !== undefined ? monthOf(parts.month) : (number('quarter', 1) - 1) * 3;
  const date = isDay ? dayOf(parts.day) + 1 : number('date', 1);
  const year = number('year', isDay || (units.includes('day') && !units.includes('date')) ? 2006 : 2012);
  return Date.UTC(
    year,
    month,
    date,
    number('hours', 0),
    number('minutes', 0),
    number('seconds', 0),
    number('milliseconds', 0),
  );
}

function named(name: string, names: readonly string[]): number {
  const at = names.indexOf(name.slice(0, 3).toLowerCase());
  return at < 0 ? Number.NaN : at;
}
