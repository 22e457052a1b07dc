import { UsageError } from '../../base/errors.js';
import { utcExpression } from './utc-expression.js';
import { isDateTime, isUnitTest, unitTest } from './utc-predicate.js';
import { utcTime, withZones } from './utc-rows.js';

/** Members that hold expressions. */
const EXPRESSIONS = ['calculate', 'filter', 'test', 'expr', 'labelExpr', 'update', 'signal'];

/** Channels with a scale along which times are drawn. */
const SCALED = [
  ...['x', 'y', 'xOffset', 'yOffset', 'theta', 'radius', 'color', 'fill', 'stroke', 'opacity', 'fillOpacity'],
  ...['strokeOpacity', 'strokeWidth', 'size', 'angle'],
];

/** How a time reads whose format is not given, and the units that a format may need. */
const [DATE_FORMAT, TO_THE_DAY, TO_THE_SECOND] = [
  '%b %-d, %Y',
  'utcyearmonthdate',
  'utcyearmonthdatehoursminutesseconds',
];

/** Members that join tests. */
const OF_TESTS = ['and', 'or', 'not'];

/** Channels whose times are told in words, and those that have one value for each time. */
const [OF_WORDS, OF_FACETS] = [
  ['text', 'tooltip', 'href', 'url', 'description', 'shape', 'strokeDash'],
  ['row', 'column', 'facet'],
];

type Def = Record<string, unknown>;

/**
 * A specification whose times are all in UTC, so that it draws the same wherever it is drawn: time units, scales, the
 * words of times, times such as `{ year: 2025, month: 5 }`, tests by a unit of time, and the functions in expressions.
 * ISO texts without a zone in the rows count as UTC, too. What already is in UTC stays as it is.
 *
 * @throws {UsageError} If a time is written so that only the zone of the machine says when it is.
 */
export function utcSpec<Spec extends object>(spec: Spec): Spec {
  const units = new Map<string, unknown>();
  findUnits(spec, units);
  const format: unknown = Reflect.get(Object(Reflect.get(spec, 'config')), 'timeFormat');
  const told = typeof format === 'string' ? withTimeFormat(spec, format, undefined) : spec;
  const changed = utcPart(units.size === 0 ? told : withUnits(told, units), undefined) as Spec;
  const times = new Set<string>();
  findTimes(spec, times);
  return times.size === 0 ? changed : withZones(changed, times);
}

function utcPart(part: unknown, key: string | undefined): unknown {
  if (typeof part === 'string') return key !== undefined && EXPRESSIONS.includes(key) ? utcExpression(part) : part;
  if (typeof part !== 'object' || part === null || part instanceof Date) return part;
  if (Array.isArray(part)) return part.map((each) => utcPart(each, key));
  if (isDateTime(part)) return { ...part, utc: true };
  if (isUnitTest(part)) return unitTest(part as Def);
  refuseZoneOfMachine(part as Def);
  const entries = Object.entries(part).map(([name, value]: [string, unknown]): [string, unknown] => {
    const isRows = name === 'values' && !/^(?:axis|legend|header)/.test(key ?? '');
    if (isRows || name === 'datasets' || name === 'usermeta') return [name, value];
    // One without a time stays the same object.
    if (name === 'config') return [name, unlessSame(value, utcPart(value, name))];
    // Tests that are joined are expressions, too.
    if (OF_TESTS.includes(name) && (key === 'filter' || key === 'test')) return [name, utcPart(value, key)];
    if (name === 'parse') return [name, utcParse(value)];
    if (name === 'timeUnit') return [name, utcUnit(value)];
    // A facet is a field, or one for its rows and one for its columns.
    if (name === 'facet' && typeof Reflect.get(Object(value), 'field') === 'string')
      return [name, headed(utcPart(value, name))];
    if ((name === 'encoding' || name === 'facet') && typeof value === 'object' && value !== null)
      return [name, utcEncoding(value)];
    return [name, utcPart(value, name)];
  });
  return Object.fromEntries(entries);
}

/** How texts are read, in UTC where a pattern says it. */
function utcParse(parse: unknown): unknown {
  if (typeof parse !== 'object' || parse === null) return parse;
  const entries = Object.entries(parse).map(([name, how]: [string, unknown]) => {
    return [name, typeof how === 'string' && how.startsWith('date:') ? how.replace('date', 'utc') : how];
  });
  return Object.fromEntries(entries);
}

function utcUnit(unit: unknown): unknown {
  if (typeof unit === 'object' && unit !== null) {
    const { unit: own } = unit as Def;
    return typeof own === 'string' ? { ...unit, unit: utcUnit(own) } : { ...unit, utc: true };
  }
  if (typeof unit !== 'string' || unit.startsWith('utc')) return unit;
  return unit.startsWith('binned') ? `binnedutc${unit.slice('binned'.length).replace(/^utc/, '')}` : `utc${unit}`;
}

function utcEncoding(encoding: object): Def {
  const changed = Object.entries(encoding).map(([channel, def]: [string, unknown]) => {
    const utc = utcPart(def, channel);
    if (SCALED.includes(channel)) return [channel, scaled(timed(utc))];
    // The other end of a time has the type of the first.
    if (isTime(Reflect.get(encoding, channel.replace(/2$/, ''))) && channel.endsWith('2')) {
      return [channel, scaled(timed({ ...Object(utc), type: 'temporal' }))];
    }
    if (OF_FACETS.includes(channel)) return [channel, headed(utc)];
    const isWords = OF_WORDS.includes(channel);
    return [channel, isWords ? (Array.isArray(utc) ? utc.map(worded) : worded(utc)) : utc];
  });
  return Object.fromEntries(changed);
}

function isTime(def: unknown): def is Def {
  return typeof def === 'object' && def !== null && Reflect.get(def, 'type') === 'temporal';
}

/** A time in which the texts that name no zone name UTC: those of its own value, of the scale's ends and of the ticks. */
function timed(def: unknown): unknown {
  if (!isTime(def)) return def;
  const changed = { ...def };
  if ('datum' in def) changed.datum = utcTime(def.datum, 'datum');
  for (const [part, name] of [
    ['scale', 'domain'],
    ['scale', 'domainMin'],
    ['scale', 'domainMax'],
    ['axis', 'values'],
    ['legend', 'values'],
  ] as const) {
    const look: unknown = changed[part];
    const value: unknown = Reflect.get(Object(look), name);
    if (value === undefined) continue;
    const times: unknown = Array.isArray(value)
      ? value.map((each) => utcTime(each, `${part}.${name}`))
      : utcTime(value, `${part}.${name}`);
    changed[part] = { ...Object(look), [name]: times };
  }
  return changed;
}

/** A time along a scale of UTC. */
function scaled(def: unknown): unknown {
  if (!isTime(def) || def.scale === null) return def;
  const { scale } = def as { scale?: Def };
  const type = scale?.type;
  return type === undefined || type === 'time' ? { ...def, scale: { ...scale, type: 'utc' } } : def;
}

/** A time in words of UTC, which Vega-Lite writes only where the time has a unit. */
function worded(def: unknown): unknown {
  const conditions: unknown = Reflect.get(Object(def), 'condition');
  if (typeof conditions === 'object' && conditions !== null) {
    const condition = Array.isArray(conditions) ? conditions.map(worded) : worded(conditions);
    const { condition: _, ...rest } = def as Def;
    return { ...Object(worded(rest)), condition };
  }
  if (!isTime(def) || def.timeUnit !== undefined || def.field === undefined) return def;
  const format = typeof def.format === 'string' ? def.format : DATE_FORMAT;
  const ofLegend: unknown = Reflect.get(Object(def.legend), 'format');
  const hasClock = [format, ofLegend].some((each) => typeof each === 'string' && /%[HIMSLfpXc]/.test(each));
  const title = def.title === undefined ? { title: def.field } : {};
  return { ...def, ...title, timeUnit: hasClock ? TO_THE_SECOND : TO_THE_DAY, format };
}

/** A time that heads a part of the picture, in words of UTC. */
function headed(def: unknown): unknown {
  if (!isTime(def) || def.timeUnit !== undefined || def.field === undefined) return def;
  const header =
    def.header === null ? {} : { header: { title: def.field, format: DATE_FORMAT, ...Object(def.header) } };
  return { ...def, timeUnit: TO_THE_SECOND, ...header };
}

/** A copy in which the words of times have the format of the configuration, where they have none of their own. */
function withTimeFormat<Part>(part: Part, format: string, key: string | undefined): Part {
  if (typeof part !== 'object' || part === null || part instanceof Date) return part;
  if (Array.isArray(part)) return part.map((each) => withTimeFormat(each, format, key)) as Part;
  const isField = isTime(part) && part.timeUnit === undefined && part.field !== undefined;
  if (isField && key !== undefined && OF_LEGENDS.includes(key))
    return part.legend === null ? part : { ...part, legend: { format, ...Object(part.legend) } };
  if (isField && key !== undefined && OF_WORDS.includes(key)) return { format, ...part };
  if (isField && key !== undefined && OF_FACETS.includes(key) && part.header !== null)
    return { ...part, header: { format, ...Object(part.header) } };
  const entries = Object.entries(part).map(([name, value]: [string, unknown]): [string, unknown] => {
    if (['values', 'datasets', 'transform', 'config', 'usermeta'].includes(name)) return [name, value];
    return [name, withTimeFormat(value, format, name === 'condition' ? key : name)];
  });
  return Object.fromEntries(entries) as Part;
}

/** Channels whose times are told in words by a legend alone. */
const OF_LEGENDS = ['shape', 'strokeDash'];

/** What writes times in words beside the field itself. */
const LOOKS = ['axis', 'legend', 'header'] as const;

/** Refuses what Vega-Lite writes or sorts by the zone of the machine, whatever else is said. */
function refuseZoneOfMachine(part: Def): void {
  const look = LOOKS.find((name) => isByMachine(part[name]));
  if (look !== undefined || isByMachine(part)) {
    const { format } = Object(look === undefined ? part : part[look]) as Def;
    const words = (value: string) =>
      `utcFormat(toDate(${value}), '${typeof format === 'string' ? format : '%b %-d, %Y'}')`;
    const field = typeof part.field === 'string' ? part.field : 'date';
    const instead =
      look === undefined
        ? `transform: [{ calculate: "${words(`datum[${JSON.stringify(field).replaceAll('"', "'")}]`)}", as: 'words' }], and here field: 'words', type: 'nominal'`
        : `${look}: { labelExpr: "${words('datum.value')}" }`;
    throw new UsageError(
      `formatType: 'time' would follow the time zone of the machine. Leave it out and give the field type: 'temporal'; or, of a field that is none, write the words in UTC: ${instead}.`,
    );
  }
  if (part.timeUnit !== undefined && Array.isArray(part.sort)) {
    throw new UsageError(
      `A sort of the time unit ${JSON.stringify(part.timeUnit)} by a list would follow the time zone of the machine. Sort a field of your own: transform: [{ calculate: "utcFormat(toDate(datum.date), '%a')", as: 'day' }].`,
    );
  }
}

function isByMachine(look: unknown): boolean {
  return Reflect.get(Object(look), 'formatType') === 'time';
}

function unlessSame(value: unknown, changed: unknown): unknown {
  return JSON.stringify(value) === JSON.stringify(changed) ? value : changed;
}

/** Finds the times that transforms make by a unit. */
function findUnits(part: unknown, into: Map<string, unknown>): void {
  if (typeof part !== 'object' || part === null) return;
  const { field, timeUnit, as } = part as Def;
  if (typeof field === 'string' && typeof as === 'string' && timeUnit !== undefined) into.set(as, timeUnit);
  for (const [key, value] of Object.entries(part)) if (key !== 'values' && key !== 'datasets') findUnits(value, into);
}

/** A copy in which such times, where they are no axis of time, have their unit: else they read as the machine's. */
function withUnits<Part>(part: Part, units: ReadonlyMap<string, unknown>): Part {
  if (typeof part !== 'object' || part === null || part instanceof Date) return part;
  if (Array.isArray(part)) return part.map((each) => withUnits(each, units)) as Part;
  const entries = Object.entries(part).map(([key, value]: [string, unknown]): [string, unknown] => {
    return [key, ['values', 'datasets', 'transform'].includes(key) ? value : withUnits(value, units)];
  });
  const { field, type, timeUnit, aggregate } = part as Def;
  const unit = typeof field === 'string' ? units.get(field) : undefined;
  const isOwn = unit !== undefined && timeUnit === undefined && aggregate === undefined;
  if (isOwn && type !== 'temporal' && type !== 'quantitative') entries.push(['timeUnit', unit]);
  return Object.fromEntries(entries) as Part;
}

/** Finds the fields of times. */
function findTimes(part: unknown, into: Set<string>): void {
  if (typeof part !== 'object' || part === null) return;
  const { field, timeUnit, parse } = part as Def;
  const isTested = ['equal', 'lt', 'lte', 'gt', 'gte', 'oneOf', 'range'].some((key) =>
    [Reflect.get(part, key)].flat().some(isDateTime),
  );
  if (typeof field === 'string' && (isTime(part) || timeUnit !== undefined || isTested)) into.add(field);
  for (const [name, how] of Object.entries(Object(parse))) if (how === 'date') into.add(name);
  for (const [key, value] of Object.entries(part)) if (key !== 'values' && key !== 'datasets') findTimes(value, into);
}
