import { itemAt } from '../../base/item-at.js';
import { extentOf, greatestOf, leastOf } from '../../base/many.js';
import type { Dataset } from '../../contract/dataset.js';
import type { Column } from '../../contract/definition.js';
import { type Html, html } from './html-template.js';
import { isNumber, type SentRecord, sentText, valueFormatter, withSeparators } from './result-values.js';

/** A bar: what it is of, and how long it is. */
interface Bar {
  readonly label: string;
  readonly value: number;
}

/** A bar that stands at a time, in milliseconds since 1970. */
interface TimedBar extends Bar {
  readonly time: number;
}

/** The most bars that are named one by one. */
const MOST_NAMED = 15;

/**
 * A chart of an answer's records, made of marks whose places are shares of the width, so that its letters have their size
 * on every screen: sums over time where the records have a time first, sums of days or hours where they are trades, the
 * groups of profit that is told by one, else the largest records. Nothing where there are fewer than two of them or no
 * number.
 */
export function resultChart(
  dataset: Dataset,
  records: readonly SentRecord[],
  { by }: Readonly<Record<string, string>> = {},
): Html | undefined {
  const [first] = dataset.columns;
  const isTrades = first?.name === 'id' && dataset.columns.some(({ name }) => name === 'timestamp');
  const dated = isTrades
    ? dataset.columns.find(({ name }) => name === 'timestamp')
    : first?.dtype === 'datetime'
      ? first
      : undefined;
  const time = by === undefined ? dated : undefined;
  const measure = measureOf(dataset);
  if (measure === undefined) return undefined;
  if (time) {
    const bars = barsOverTime(isTrades ? inSpans(records, time) : records, time, measure);
    return bars.length < 2 ? undefined : timeChart(bars, measure);
  }
  const bars = largest(dataset, records, measure, by);
  return bars.length < 2 ? undefined : nameChart(bars, measure, records.length);
}

/** The number that a chart is of: profit, a price or else dollars, else the first number. */
function measureOf({ columns }: Dataset): Column | undefined {
  const numbers = columns.filter(({ dtype }) => isNumber(dtype));
  const named = ['pnl', 'total_pnl', 'close', 'usd', 'volume_total'].flatMap((name) =>
    numbers.filter((each) => each.name === name),
  );
  return named[0] ?? numbers.find(({ unit }) => unit === 'USD') ?? numbers[0];
}

/** Trades with the first moment of their day for a time, or of their hour if all are within three days. */
function inSpans(records: readonly SentRecord[], { name }: Column): SentRecord[] {
  const days = new Set(records.map((record) => sentText(record[name]).slice(0, 10)));
  const [length, end] = days.size > 3 ? [10, 'T00:00:00Z'] : [13, ':00:00Z'];
  return records.map((record) => {
    const moment = sentText(record[name]);
    return moment === '' ? record : { ...record, [name]: `${moment.slice(0, length)}${end}` };
  });
}

function barsOverTime(records: readonly SentRecord[], time: Column, { name, unit }: Column): TimedBar[] {
  const show = valueFormatter(time, records);
  const sums = new Map<string, number>();
  for (const record of records) {
    const moment = sentText(record[time.name]);
    const value = Number(record[name] ?? Number.NaN);
    if (moment === '' || !Number.isFinite(value)) continue;
    // Dollars of several wallets add up; of prices the last one counts.
    sums.set(moment, unit === 'USD' ? (sums.get(moment) ?? 0) + value : value);
  }
  return [...sums]
    .map(([moment, value]) => ({ label: show(moment), value, time: Date.parse(moment) }))
    .sort((a, b) => a.time - b.time);
}

/** @param by What profit is told by: the group's own name comes first, and its bars are sums over dates and wallets. */
function largest({ columns }: Dataset, records: readonly SentRecord[], measure: Column, by?: string): Bar[] {
  if (by !== undefined) return groups(records, measure, by).slice(0, MOST_NAMED);
  const texts = ['question', 'slug', 'address', 'proxy_wallet'];
  const label = texts.find((name) => columns.some((column) => column.name === name)) ?? columns[0]?.name ?? '';
  const bars = records.flatMap((record) => {
    const value = Number(record[measure.name] ?? Number.NaN);
    const text = sentText(record[label]);
    return Number.isFinite(value)
      ? [{ label: /^0x\w{12,}$/.test(text) ? `${text.slice(0, 6)}…${text.slice(-4)}` : text, value }]
      : [];
  });
  return bars.sort((a, b) => Math.abs(b.value) - Math.abs(a.value)).slice(0, MOST_NAMED);
}

function groups(records: readonly SentRecord[], measure: Column, by: string): Bar[] {
  const fields = by === 'market' ? ['question', 'condition_id'] : [by === 'event' ? 'event_slug' : 'category'];
  const sums = new Map<string, Bar>();
  for (const record of records) {
    const [name = `no ${by}`] = fields.map((field) => sentText(record[field])).filter(Boolean);
    // Two markets can ask the same question.
    const key = by === 'market' ? sentText(record.condition_id) : name;
    const value = (sums.get(key)?.value ?? 0) + Number(record[measure.name] ?? 0);
    sums.set(key, { label: name, value });
  }
  return [...sums.values()].sort((a, b) => Math.abs(b.value) - Math.abs(a.value));
}

const HEIGHT = 180;

/** The least share of the width that a bar takes, in percent: about a pixel on a phone. */
const LEAST_WIDTH = 0.3;

/** Bars at their times, each as wide as the shortest time between two: where records are missing there is a gap. */
function timeChart(bars: readonly TimedBar[], measure: Column): Html {
  const [least, most] = extentOf(bars.map(({ value }) => value));
  const [bottom, top] = [Math.min(0, least), Math.max(0, most)];
  const y = (value: number) => (top === bottom ? HEIGHT : ((top - value) / (top - bottom)) * HEIGHT);
  const first = bars[0] as TimedBar;
  const last = bars.at(-1) as TimedBar;
  const gap = leastOf(bars.slice(1).map(({ time }, before) => time - itemAt(bars, before).time));
  const share = 100 / (last.time - first.time + gap);
  const width = Math.max(LEAST_WIDTH, 0.8 * gap * share);
  const title = `${measure.name}, ${first.label} to ${last.label}`;
  const range = `from ${amount(least, measure)} to ${amount(most, measure)}`;
  return html`<figure class="chart"><figcaption>${measure.name}${unitOf(measure)}, ${first.label} to ${last.label}</figcaption>
<p class="edge">${amount(top, measure)}</p>
<svg role="img" aria-label="Chart: ${title}, ${range}" width="100%" height="${HEIGHT + 2}">
${bars.map(({ label, value, time }) => {
  const from = Math.min(y(value), y(0));
  return html`<rect x="${round((time - first.time + gap / 2) * share - width / 2)}%" width="${round(width)}%" y="${round(from)}" height="${round(Math.max(1, Math.abs(y(value) - y(0))))}"${value < 0 && html` class="loss"`}><title>${label}: ${amount(value, measure)}</title></rect>
`;
})}<line x1="0" x2="100%" y1="${round(y(0))}" y2="${round(y(0))}"/></svg>
<p class="edge">${bottom < 0 && amount(bottom, measure)}</p>
<p class="ends"><span>${first.label}</span> <span>${last.label}</span></p></figure>`;
}

function nameChart(bars: readonly Bar[], measure: Column, records: number): Html {
  const most = greatestOf([Number.MIN_VALUE, ...bars.map(({ value }) => Math.abs(value))]);
  const part = bars.length < records ? `the ${bars.length} largest of these ${records} records` : 'the records';
  return html`<figure class="chart"><figcaption>${measure.name}${unitOf(measure)} of ${part}</figcaption><ol>${bars.map(
    ({
      label,
      value,
    }) => html`<li><span class="name">${label}</span> <span class="number">${amount(value, measure)}</span>
<svg aria-hidden="true" width="100%" height="10"><rect width="${round((100 * Math.abs(value)) / most)}%" height="10"${value < 0 && html` class="loss"`}/></svg></li>
`,
  )}</ol></figure>`;
}

function unitOf({ unit, fraction }: Column): Html | false {
  return unit !== undefined && !fraction && html` <span class="unit">${unit}</span>`;
}

function amount(value: number, { unit, fraction, dtype }: Column): string {
  if (fraction) return `${(100 * value).toFixed(1)}%`;
  if (dtype === 'int32') return withSeparators(String(value));
  const text = withSeparators(
    value.toFixed(unit === 'USD' && Math.abs(value) >= 1000 ? 0 : unit === undefined ? 3 : 2),
  );
  return text.replace(/^-(?=[0.]+$)/, '');
}

function round(value: number): string {
  return String(Number(value.toFixed(2)));
}
