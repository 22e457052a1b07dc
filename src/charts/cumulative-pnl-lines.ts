import { type CumulativePnlRecord, cumulativePnl } from '../analysis/cumulative-pnl.js';
import { groupedSums } from '../analysis/records/grouped-sums.js';
import { formatUsd } from '../analysis/shown-result.js';
import { UsageError } from '../base/errors.js';
import { itemAt } from '../base/item-at.js';
import { nearest } from '../base/nearest.js';
import { shownValue } from '../base/option-types.js';
import { counted } from '../base/texts.js';
import { takeRows } from '../frame/danfo/frame-from-vectors.js';
import { recordsOf } from '../frame/tabular/column-values.js';
import type { DataFrame } from '../frame/tabular/data-frame.js';
import type { Tabular } from '../frame/tabular/tabular.js';
import { cellAt } from '../frame/vector/vector.js';
import { CUMULATIVE_USD, timeEncoding, ZERO_LINE } from './design/axes.js';
import type { ChartOptions } from './design/chart-options.js';
import { shareOfPoints } from './design/chart-spec.js';
import { groupName, shortLabels } from './design/chart-text.js';
import { atBucketEnds, thinned } from './design/curve-points.js';
import { BESIDE, INVISIBLE, TEXT } from './design/marks.js';
import { COLORS, INK, LINE_COLORS } from './design/theme.js';
import { type Chart, chartOf, emptyChart } from './drawing/chart.js';

/** The approximate maximum of points in all lines together. */
const MOST_POINTS = 1200;

/** Height between the axes in pixels, and the room that a line of words needs of it. */
const [HEIGHT, LINE] = [340, 14];

/**
 * Draws the cumulative PnL of several wallets, with one line each, named at its end.
 *
 * @throws {UsageError} If a wallet to highlight is not in the frame.
 */
export function cumulativePnlLines(
  frame: Tabular,
  highlight: string | readonly string[] | undefined,
  options: ChartOptions,
): Chart {
  const title = 'Cumulative realized PnL by wallet';
  const { part, wallets, chosen } = mostWonOrLost(frame, highlight);
  const records = recordsOf(cumulativePnl(part, { by: 'proxy_wallet' })) as CumulativePnlRecord<'proxy_wallet'>[];
  if (records.length === 0)
    return emptyChart(options.title ?? title, 'There is no row with a PnL to add up.', frame, options);
  const { rows: placed, tip } = atBucketEnds(frame, records);
  const rows = placed.map((row) => ({ ...row, proxy_wallet: groupName(row.proxy_wallet) }));
  const ends = [...new Map(rows.map((row) => [row.proxy_wallet, row.cumulative_pnl]))].sort(([, a], [, b]) => b - a);
  const strong = chosen.length > 0 ? chosen : ends.slice(0, 1).map(([wallet]) => wallet);
  const most = shareOfPoints(MOST_POINTS) / LINE_COLORS.length;
  // Those that stand out are drawn over the others.
  const order = [
    ...ends.map(([wallet]) => wallet).filter((wallet) => !strong.includes(wallet)),
    ...strong.toReversed(),
  ];
  const values = order.flatMap((wallet) => {
    const line = thinned(
      rows.filter((row) => row.proxy_wallet === wallet),
      most,
    );
    return line.map((row) => ({ ...row, strong: strong.indexOf(wallet) }));
  });
  const [best, worst] = [itemAt(ends, 0), itemAt(ends, ends.length - 1)];
  const all = counted(wallets, 'wallet');
  const shown = ends.length < wallets ? `The ${ends.length} of ${all} that won or lost most` : all;
  const subtitle = [
    `${shown}: from ${formatUsd(worst[1])} to ${formatUsd(best[1])} in the end`,
    values.length < rows.length
      ? `Drawn: ${counted(values.length, 'point')} of ${rows.length.toLocaleString('en-US')}, all peaks kept`
      : '',
  ];
  const x = timeEncoding(values);
  const point = values.length === ends.length;
  return chartOf({ of: frame, title, subtitle, width: 560, height: HEIGHT }, options, {
    data: { values },
    layer: [
      ZERO_LINE,
      {
        mark: { type: 'line', interpolate: 'step-after', aria: false, point },
        encoding: {
          x,
          y: CUMULATIVE_USD,
          detail: { field: 'proxy_wallet', type: 'nominal' },
          color: colorOf(strong.length, COLORS.rest),
          strokeWidth: { condition: { test: 'datum.strong >= 0', value: 2.5 }, value: 1.25 },
        },
      },
      namesAtEnds(ends, strong, rows, options.height ?? HEIGHT),
      {
        mark: INVISIBLE,
        encoding: {
          x,
          y: CUMULATIVE_USD,
          tooltip: [{ field: 'proxy_wallet', type: 'nominal', title: 'Wallet' }, ...tip],
        },
      },
    ],
  });
}

/** The colours of lines that stand out, in their order, and that of the others. */
function colorOf(strong: number, other: string) {
  const condition = Array.from({ length: strong }, (_, at) => ({
    test: `datum.strong === ${at}`,
    value: itemAt(LINE_COLORS, at % LINE_COLORS.length),
  }));
  return { condition, value: other };
}

/** The names and last amounts of lines, each as near to its line's end as the others let it be. */
function namesAtEnds(
  ends: readonly (readonly [string, number])[],
  strong: readonly string[],
  rows: readonly { cumulative_pnl: number }[],
  height: number,
) {
  const span = rows.reduce(
    ([least, most], { cumulative_pnl: at }) => [Math.min(least, at), Math.max(most, at)] as [number, number],
    [0, 0] as [number, number],
  );
  // The axis reaches to round amounts, up to about half as far again.
  const room = (1.5 * (span[1] - span[0] || 1) * LINE) / height;
  const places = spread(
    ends.map(([, end]) => end),
    room,
  );
  const labels = shortLabels(ends.map(([wallet]) => wallet));
  const values = ends.map(([wallet, end], at) => ({
    label_at: itemAt(places, at),
    text: `${itemAt(labels, at)} ${formatUsd(end)}`,
    strong: strong.indexOf(wallet),
  }));
  const weight = { expr: 'datum.strong >= 0 ? 600 : 400' };
  return {
    data: { values },
    mark: { ...BESIDE, opacity: 1, fontWeight: weight },
    encoding: {
      x: { value: 'width' },
      y: { ...CUMULATIVE_USD, field: 'label_at' },
      text: TEXT,
      color: colorOf(strong.length, INK),
    },
  };
}

/** Moves places, from the highest down, so far apart that each has its room, and as little as that needs. */
function spread(places: readonly number[], room: number): number[] {
  const groups: { places: number[]; top: number }[] = [];
  for (const place of places) {
    let group = { places: [place], top: place };
    for (
      let above = groups.at(-1);
      above && above.top - above.places.length * room < group.top;
      above = groups.at(-1)
    ) {
      groups.pop();
      const together = [...above.places, ...group.places];
      const middle = together.reduce((total, one) => total + one, 0) / together.length;
      group = { places: together, top: middle + ((together.length - 1) * room) / 2 };
    }
    groups.push(group);
  }
  return groups.flatMap((group) => group.places.map((_, at) => group.top - at * room));
}

/** The rows of the wallets that won or lost most, as many as can be told apart, and the number of all wallets. */
function mostWonOrLost(frame: Tabular, highlight: string | readonly string[] | undefined) {
  const { grouped, sums, present } = groupedSums(frame, 'proxy_wallet', ['pnl'], []);
  const { groupOf, keys } = grouped;
  const names = new Map(Array.from(present, (group) => [groupName(cellAt(keys, group)), group] as const));
  const chosen = highlight === undefined ? [] : refuseUnknown(highlight, [...names.keys()]);
  const [pnl = new Float64Array()] = sums;
  const stake = (group: number) => Math.abs(itemAt(pnl, group));
  const asked = chosen.flatMap((name) => names.get(name) ?? []);
  const others = [...present].filter((group) => !asked.includes(group)).sort((a, b) => stake(b) - stake(a));
  const drawn = new Set([...asked, ...others].slice(0, LINE_COLORS.length));
  const rows = Uint32Array.from(groupOf.keys()).filter((row) => drawn.has(groupOf[row] as number));
  return { part: takeRows(frame as DataFrame, rows), wallets: present.length, chosen };
}

/**
 * The wallets to highlight.
 *
 * @throws {UsageError} If they are no texts, too many, or not all in the frame.
 */
export function refuseUnknown(highlight: unknown, wallets: readonly string[]): string[] {
  const asked = [...new Set(Array.isArray(highlight) ? highlight : [highlight])] as unknown[];
  if (!asked.every((name) => typeof name === 'string'))
    throw new UsageError(`highlight must be a wallet or a list of wallets; got ${shownValue(highlight)}.`);
  if (asked.length > LINE_COLORS.length)
    throw new UsageError(`highlight takes at most ${LINE_COLORS.length} wallets; got ${asked.length}.`);
  return asked.map((name) => {
    const lower = name.toLowerCase();
    const found = wallets.find((wallet) => wallet === name || wallet.toLowerCase() === lower);
    if (found !== undefined) return found;
    const near = nearest(name, wallets);
    throw new UsageError(
      `The frame has no wallet ${shownValue(name)} to highlight.${near === undefined ? '' : ` Did you mean "${near}"?`}`,
    );
  });
}
