import { UsageError } from '../../base/errors.js';
import { ISO_DAY, NO_ZONE, ZONE, zonedTime } from './utc-expression.js';

/**
 * A time of a chart in UTC: a text that names no zone counts as UTC. What is no text stays as it is, and so does a text
 * that is no time.
 *
 * @param where What holds it, for the message.
 * @throws {UsageError} If a text is a time whose zone would be that of the machine.
 */
export function utcTime(value: unknown, where: string): unknown {
  if (typeof value !== 'string' || ISO_DAY.test(value)) return value;
  if (NO_ZONE.test(value)) return `${value.replace(' ', 'T')}Z`;
  if (ZONE.test(value) || Number.isNaN(Date.parse(value))) return value;
  throw unplacedTime(value, where);
}

/** The error of a text that only the machine's zone could place. */
export function unplacedTime(value: unknown, where: string): UsageError {
  return new UsageError(
    `${where} holds the time ${JSON.stringify(value)}, which names no time zone and would follow that of the machine. Write it as 2025-05-01 or 2025-05-01T00:00:00Z, or say how it is written: data: { values, format: { parse: { date: "utc:'%Y/%m/%d'" } } }.`,
  );
}

/** A copy of a specification in which the times of rows that name no zone name UTC. */
export function withZones<Part>(part: Part, times: ReadonlySet<string>): Part {
  if (typeof part !== 'object' || part === null || part instanceof Date) return part;
  if (Array.isArray(part)) return part.map((each) => withZones(each, times)) as Part;
  const parsed = Object.entries(Object(Reflect.get(Object(Reflect.get(part, 'format')), 'parse')));
  const others = parsed.filter(([, how]) => how !== 'date').map(([name]) => name);
  const own = others.length === 0 ? times : new Set([...times].filter((name) => !others.includes(name)));
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) => {
    const isRows = (key === 'values' || key === 'datasets') && typeof value === 'object';
    return [key, isRows ? zonedRows(value, own) : withZones(value, own)];
  });
  const changed = Object.fromEntries(entries);
  return (isReadLater(changed.data) ? placedAsRead(changed, own) : changed) as Part;
}

/** Whether data are rows that only Vega reads: those at an address, and those in a text. */
function isReadLater(data: unknown): data is Def {
  if (typeof data !== 'object' || data === null) return false;
  return typeof Reflect.get(data, 'url') === 'string' || typeof Reflect.get(data, 'values') === 'string';
}

type Def = Record<string, unknown>;

/**
 * A view whose rows are read later: their times are placed by an expression, since Vega would read those without a zone
 * by the machine's.
 */
function placedAsRead(view: Def, times: ReadonlySet<string>): Def {
  const { format, ...data } = view.data as Def;
  const parse: unknown = Reflect.get(Object(format), 'parse');
  const names = [...times].filter((name) => !String(Reflect.get(Object(parse), name)).startsWith('utc:'));
  if (names.length === 0) return view;
  // Rows to look up have no expressions of their own.
  const unplaced = 'key' in view ? names.filter((name) => [view.fields].flat().includes(name)) : [];
  const path = [...unplaced, ...names.filter((name) => /[.[\]\\]/.test(name))][0];
  if (path !== undefined) {
    throw new UsageError(
      `The times ${JSON.stringify(path)} of rows that a chart reads from elsewhere would follow the time zone of the machine. Say how they are written, as in format: { parse: { date: "utc:'%Y-%m-%d'" } }, or give the rows: data: { values }.`,
    );
  }
  if ('key' in view) return view;
  const plain = names.map((name) => [name, null]);
  const read = parse === null ? null : { ...Object(parse), ...Object.fromEntries(plain) };
  const placed = names.map((name) => ({ calculate: zonedTime(`datum[${JSON.stringify(name)}]`), as: name }));
  const others = Array.isArray(view.transform) ? view.transform : [];
  const isDone = JSON.stringify(others[0]) === JSON.stringify(placed[0]);
  return {
    ...view,
    data: { ...data, format: { ...Object(format), parse: read } },
    transform: isDone ? others : [...placed, ...others],
  };
}

function zonedRows(rows: unknown, times: ReadonlySet<string>): unknown {
  if (!Array.isArray(rows)) {
    if (typeof rows !== 'object' || rows === null) return rows;
    return Object.fromEntries(Object.entries(rows).map(([name, inner]) => [name, zonedRows(inner, times)]));
  }
  return rows.map((row: unknown) => {
    if (typeof row !== 'object' || row === null) return row;
    const changed = [...times].flatMap((name) => {
      const value: unknown = Reflect.get(row, name);
      const utc = utcTime(value, `The field ${JSON.stringify(name)} of a chart`);
      return utc === value ? [] : [[name, utc]];
    });
    return changed.length === 0 ? row : { ...row, ...Object.fromEntries(changed) };
  });
}
