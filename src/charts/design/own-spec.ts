import { UsageError } from '../../base/errors.js';
import { nearest } from '../../base/nearest.js';
import { counted, isObject } from '../../base/texts.js';
import type { Column, Dtype } from '../../contract/definition.js';
import { shortId } from '../../frame/display/cell-formatter.js';
import { recordsOf } from '../../frame/tabular/column-values.js';
import { columnsOf } from '../../frame/tabular/columns-of.js';
import type { Tabular } from '../../frame/tabular/tabular.js';
import { LABELS } from './axes.js';
import type { ChartSpec } from './chart-spec.js';
import { labelExprOf } from './chart-text.js';
import { THEME } from './theme.js';

/**
 * A specification with the toolkit's look and size where it does not set its own, and with tips on its marks if it
 * says nothing of tips.
 */
export function withTheme(spec: object): ChartSpec {
  const own: unknown = Reflect.get(spec, 'config');
  if (own === THEME) return spec as ChartSpec;
  const config = merged(THEME, isObject(own) ? own : {});
  if (!mentions(spec, 'tooltip')) config.mark = { tooltip: true, ...Object(config.mark) };
  return { ...spec, config, usermeta: { embedOptions: { renderer: 'svg' }, ...Object(Reflect.get(spec, 'usermeta')) } };
}

function merged(under: object, over: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...under };
  for (const [key, value] of Object.entries(over)) {
    const below = result[key];
    result[key] = isObject(below) && isObject(value) ? merged(below, value) : value;
  }
  return result;
}

/** Whether any part of a specification, but its rows, has a member of a name. */
function mentions(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, value]) => key === name || (key !== 'values' && mentions(value, name)));
}

/** The most rows of a frame that a chart takes. */
const MOST_ROWS = 50_000;

/**
 * A specification with the rows of a frame as its data: the columns that it names. Where it gives a field no type, the
 * type is that of the column.
 *
 * @throws {UsageError} If the data are no frame, have too many rows, or lack a column that the specification names.
 */
export function withFrame(spec: object, frame: unknown): object {
  if (!isFrame(frame)) {
    throw new UsageError(
      `data must be a frame, as in new Chart({ mark, encoding }, { data: pnl }); got ${kindOf(frame)}. Rows go into the specification: data: { values: rows }.`,
    );
  }
  const rows = frame.shape[0] ?? 0;
  if (rows > MOST_ROWS) {
    throw new UsageError(
      `A chart takes up to ${counted(MOST_ROWS, 'row')}; the frame has ${rows.toLocaleString('en-US')}: pool them first, such as with rollup or topN.`,
    );
  }
  const columns = columnsOf(frame);
  const names = columns.map(({ name }) => name);
  if (!mentions(spec, 'transform')) checkFields(spec, names);
  const text = JSON.stringify(spec) ?? '';
  const used = names.filter((name) => text.includes(JSON.stringify(name).slice(1, -1)));
  const kept = used.length === 0 ? names : used;
  const values = recordsOf(frame).map((row) => Object.fromEntries(kept.map((name) => [name, cell(row[name])])));
  const fields = new Map(columns.map((column) => [column.name, fieldOf(column, values)]));
  return { ...(typed(spec, fields) as object), data: { values } };
}

/**
 * A specification whose own `data` are a frame, as one with its rows: see {@link withFrame}. Any other is as it was.
 *
 * @throws {UsageError} If data in it are neither those of Vega-Lite nor a frame, or a frame stands in one of its parts,
 * such as a layer: Vega-Lite would draw nothing.
 */
export function withOwnData(spec: object): object {
  const { data, ...view } = spec as { readonly data?: unknown };
  if (!isFrame(data)) {
    refuseData(spec);
    return spec;
  }
  refuseData(view);
  return withFrame(view, data);
}

function refuseData(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'data') refuseNoData(value);
    else if (!OF_NO_DATA.includes(key)) refuseData(value);
  }
}

/** Members of a specification in which there is no `data`, or rows alone. */
const OF_NO_DATA = ['values', 'datasets', 'config', 'usermeta', 'encoding'];

function refuseNoData(data: unknown): void {
  const values = isObject(data) ? data.values : undefined;
  const wrong = isFrame(values) || isPromise(values) ? values : data;
  const isOfVega = isObject(data) && !NOT_OF_VEGA.some((name) => name in data);
  if ((isOfVega && wrong === data) || data === null || data === undefined) return;
  throw new UsageError(
    `The data in a specification are { values: rows }, a list of objects; got ${kindOf(wrong)}. A frame goes beside it: new Chart(spec, { data: frame }).`,
  );
}

/** What tells a promise, a query, a Series and a frame from the data of Vega-Lite. */
const NOT_OF_VEGA = ['then', 'frame', '$isSeries', 'shape'];

function isPromise(value: unknown): boolean {
  return isObject(value) && 'then' in value;
}

/** What a chart knows of a column: the type of its values, and how they read. */
interface Field {
  readonly type: string;
  readonly look: Look | undefined;
}

/** How values read: at an axis, if another way than in a tip, and numbers in a tip. */
interface Look {
  readonly labelExpr?: string;
  readonly format?: string;
}

/** The most ids that a legend or an axis has short names of; more of them are no legend that anyone reads. */
const MOST_IDS = 100;

/** Ids, such as wallets, read short in a legend and at an axis; a tip has them whole. */
function lookOfText(name: string, rows: readonly Record<string, unknown>[]): Look | undefined {
  const texts = new Set<string>();
  for (const row of rows) if (typeof row[name] === 'string' && texts.size <= MOST_IDS) texts.add(row[name]);
  const names = [...texts];
  const isOfIds = names.length <= MOST_IDS && names.some((text) => shortId(text) !== text);
  return isOfIds ? { labelExpr: labelExprOf(names) } : undefined;
}

function fieldOf({ name, dtype, unit, fraction }: Column, rows: readonly Record<string, unknown>[]): Field {
  const type = TYPES[dtype];
  if (type !== 'quantitative') return { type, look: type === 'nominal' ? lookOfText(name, rows) : undefined };
  if (unit === 'USD') return { type, look: { labelExpr: LABELS.usd, format: LABELS.usdTip } };
  if (fraction) return { type, look: { format: LABELS.percentTip } };
  const most = rows.reduce((largest, row) => Math.max(largest, Math.abs(Number(row[name]))), 0);
  return { type, look: { format: most >= 100 ? ',.2~f' : most >= 1 ? ',.4~f' : ',.3~g' } };
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (isFrame(value)) return 'a frame';
  if (isPromise(value)) return 'a promise: await it, as in await lab.pnl({ wallet }).frame()';
  if (isObject(value) && 'frame' in value)
    return 'a query: ask it for .frame(), as in await lab.pnl({ wallet }).frame()';
  return Array.isArray(value) ? 'a list' : `a value of type ${typeof value}`;
}

function isFrame(value: unknown): value is Tabular {
  return isObject(value) && Array.isArray(value.columns) && Array.isArray(value.shape) && value.$isSeries !== true;
}

function cell(value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? null : (value ?? null);
}

const TYPES: Readonly<Record<Dtype, string>> = {
  string: 'nominal',
  boolean: 'nominal',
  datetime: 'temporal',
  int32: 'quantitative',
  float64: 'quantitative',
};

/** What a guide knows of each of its labels and ticks. */
const OF_GUIDES = ['value', 'label', 'index'];

/** Refuses fields of encodings that are no columns: Vega-Lite would draw nothing. */
function checkFields(part: unknown, names: readonly string[], isOfGuide = false): void {
  if (typeof part !== 'object' || part === null) return;
  for (const [key, value] of Object.entries(part)) {
    if (key === 'data' || key === 'config') continue;
    const isKnown = typeof value !== 'string' || names.includes(value) || names.includes(columnIn(value));
    // The tests of a guide are about its own labels and ticks.
    if (key === 'field' && !isKnown && !(isOfGuide && OF_GUIDES.includes(value))) {
      const near = nearest(value, names);
      const hint = near === undefined ? ` Its columns are ${names.join(', ')}.` : ` Did you mean "${near}"?`;
      throw new UsageError(`The frame has no column "${value}", which the chart names.${hint}`);
    }
    checkFields(value, names, isOfGuide || key === 'axis' || key === 'legend');
  }
}

/** The column of a field, in which Vega-Lite reads dots and brackets as a path unless they are escaped. */
function columnIn(field: string): string {
  const [head = ''] = /^(?:\\.|[^\\.[])+/.exec(field) ?? [];
  return head.replace(/\\(.)/g, '$1');
}

/** A copy in which the fields of encodings have types, and their numbers read as their unit does. */
function typed(part: unknown, fields: ReadonlyMap<string, Field>): unknown {
  if (typeof part !== 'object' || part === null || part instanceof Date) return part;
  if (Array.isArray(part)) return part.map((each) => typed(each, fields));
  const entries = Object.entries(part).map(([key, value]: [string, unknown]) => {
    if (key !== 'encoding' || !isObject(value))
      return [key, key === 'data' || key === 'config' ? value : typed(value, fields)];
    const encoding = Object.entries(value).map(([channel, def]) => {
      return [
        channel,
        Array.isArray(def) ? def.map((each) => told(each, channel, fields)) : told(def, channel, fields),
      ];
    });
    return [key, Object.fromEntries(encoding)];
  });
  return Object.fromEntries(entries);
}

/** Channels whose fields have no type of their own. */
const UNTYPED = ['x2', 'y2', 'theta2', 'radius2', 'xError', 'yError', 'xError2', 'yError2'];

function told(def: unknown, channel: string, fields: ReadonlyMap<string, Field>): unknown {
  if (!isObject(def) || typeof def.field !== 'string' || UNTYPED.includes(channel)) return def;
  // A part of a time, such as its weekday, is one of a few.
  if (def.type === undefined && typeof def.timeUnit === 'string' && !def.timeUnit.includes('year'))
    return { ...def, type: 'ordinal' };
  const field = fields.get(def.field) ?? fields.get(columnIn(def.field));
  if (field === undefined) return def;
  const isTold = ['type', 'aggregate', 'bin', 'timeUnit'].some((key) => def[key] !== undefined && def[key] !== false);
  return withLook(isTold ? def : { ...def, type: field.type }, channel, field.look);
}

/** What counts rows, or has another unit than they. */
const OTHER_UNITS: readonly unknown[] = ['count', 'distinct', 'valid', 'missing', 'product', 'variance', 'variancep'];

/** The channels whose guide is an axis, those whose guide is a legend, and those of words. */
const [AXES, LEGENDS, OF_WORDS] = [
  ['x', 'y'],
  [
    ...['color', 'fill', 'stroke', 'size', 'opacity', 'fillOpacity', 'strokeOpacity', 'strokeWidth', 'angle'],
    ...['shape', 'strokeDash'],
  ],
  ['text', 'tooltip'],
];

/** A field whose numbers read as their unit does and whose ids are short, where its user says nothing of that. */
function withLook(def: Record<string, unknown>, channel: string, look: Look | undefined): object {
  if (!look || !readsBy(def, look)) return def;
  if (look.format === undefined && OF_WORDS.includes(channel)) return def;
  if (OF_WORDS.includes(channel)) return 'format' in def ? def : { ...def, format: look.format };
  const guide = AXES.includes(channel) ? 'axis' : LEGENDS.includes(channel) ? 'legend' : undefined;
  const own = guide === undefined ? null : (def[guide] ?? (guide in def ? null : {}));
  if (guide === undefined || !isObject(own) || 'format' in own || 'labelExpr' in own || 'formatType' in own) return def;
  return { ...def, [guide]: { ...own, ...look } };
}

function readsBy(def: Record<string, unknown>, { format }: Look): boolean {
  if (format === undefined) return def.aggregate === undefined && (def.type === 'nominal' || def.type === 'ordinal');
  const isNumber = def.type === undefined ? def.aggregate !== undefined : def.type === 'quantitative';
  return isNumber && def.stack !== 'normalize' && !OTHER_UNITS.includes(def.aggregate);
}
