import { resolve } from 'node:path';
import { formatUsd } from '../analysis/shown-result.js';
import { refuseConfidence } from '../analysis/statistics/wilson-interval.js';
import { UsageError } from '../base/errors.js';
import { knownOptions } from '../base/nearest.js';
import { shownValue } from '../base/option-types.js';
import { readAsset } from '../base/packages.js';
import { isObject } from '../base/texts.js';
import { writeWhole } from '../base/whole-file.js';
import { CHART_SCRIPT, CHART_SCRIPT_SOURCE, CHART_STYLES } from '../charts/drawing/figure-script.js';
import type { Client } from '../client/connect.js';
import { shortId } from '../frame/display/cell-formatter.js';
import { anyColumn } from '../frame/tabular/column-values.js';
import { provenanceOf } from '../frame/tabular/provenance.js';
import { mistakeOf, rowCount, type Tabular } from '../frame/tabular/tabular.js';
import { type Compared, comparison, rankingOf } from './comparison.js';
import { hasNoSoundRoi } from './drawn-interval.js';
import { EARLIER_STAKES, finePercent, intervalText, type Judgement, judgementOf, unstatedText } from './findings.js';
import { keyFigures } from './key-figures.js';
import { categoryFigures, fieldFigures, marketsFigures, positionsFigures } from './market-figures.js';
import { html, type Markup } from './markup.js';
import { positionsSection } from './positions-section.js';
import * as sections from './sections.js';
import { type SheetData, type SheetFrames, type SheetPeriod, sheetDataOf, sheetDataOfFrames } from './sheet-data.js';
import { isUndecided, walletFigures } from './wallet-figures.js';

/** Options of {@link tearSheet}. */
export interface TearSheetOptions extends SheetPeriod {
  /** The heading. Default: the question that the sheet answers. */
  readonly title?: string;
  /** Confidence of all intervals, in (0, 1). Default 0.95. */
  readonly confidence?: number;
  /** The first day. Default: that of the first event. Only for a lab; cut frames yourself with `filterRows`. */
  readonly startTime?: Date | string;
  /** The last day, itself included. Default: that of the last event. Only for a lab. */
  readonly endTime?: Date | string;
}

/** The most wallets that are compared: more lines cannot be told apart. */
export const MOST_WALLETS = 6;

/**
 * A wallet's record on one page, with findings first; or up to six wallets beside each other. As the last value of a
 * notebook cell it is displayed, as HTML or as text; {@link TearSheet.save} writes a page of one file.
 */
export class TearSheet {
  /** The wallets, in lower case, in the order asked for. */
  readonly wallets: readonly string[];
  /** The answer in one sentence: whether a record holds water, or what can be said of the order of several. */
  readonly verdict: string;
  /** What it rests on, in plain words: what speaks for a record and against it, or which wallet returned more. */
  readonly findings: readonly string[];
  /** The wallets that no record mentions. */
  readonly unseen: readonly string[];
  readonly #title: string;
  readonly #body: Markup;
  readonly #text: string;

  /** @internal Use {@link tearSheet}. */
  constructor({ title, body, text, wallets, verdict, findings, unseen }: MadeSheet) {
    this.#title = title;
    this.#body = body;
    this.#text = text;
    this.wallets = wallets;
    this.verdict = verdict;
    this.findings = findings;
    this.unseen = unseen;
  }

  /**
   * The parts from which a page of one's own is made: a title, a style sheet, the markup of the sheet, and the script
   * that tells what its charts hold where one points. Without the script, the sheet stays as it is.
   */
  get parts(): { readonly title: string; readonly style: string; readonly script: string; readonly body: string } {
    return { title: this.#title, style: styleSheet(), script: CHART_SCRIPT, body: this.#body.text };
  }

  /**
   * A whole page: one file that asks for nothing, light or dark as the reader's system is. Its one script shows what
   * charts hold where one points; its policy lets no other in.
   */
  toHtml(): string {
    const { title, style, script, body } = this.parts;
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src ${CHART_SCRIPT_SOURCE}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${html`<title>${title}</title>`.text}
<style>
${style}</style>
<script>${script}</script>
</head>
<body class="ts-page">
<main>
${body}</main>
</body>
</html>
`;
  }

  /**
   * Writes {@link toHtml} to a file, completely or not at all.
   *
   * @param path The file, which must end in `.html`; its folder has to exist.
   * @throws {UsageError} If the name ends otherwise.
   * @throws {DataError} If the file cannot be written.
   * @example await (await tearSheet(lab, wallet)).save('wallet.html');
   */
  async save(path: string): Promise<void> {
    if (typeof path !== 'string' || !/\.html?$/i.test(path)) {
      throw new UsageError(`A tear sheet is saved as .html; got ${shownValue(path)}.`);
    }
    await writeWhole(resolve(path), this.toHtml());
  }

  /** The findings and the main figures as text. */
  toString(): string {
    return this.#text;
  }

  /** The sheet by MIME type, as notebook kernels ask for it. */
  [Symbol.for('Jupyter.display')](): { 'text/html': string; 'text/plain': string } {
    const { style, script, body } = this.parts;
    // Jupyter would take what stands between two amounts in dollars for mathematics.
    const sheet = `<div class="mathjax_ignore tex2jax_ignore">${body}</div>`;
    return { 'text/html': `<style>${style}</style>\n${sheet}<script>${script}</script>`, 'text/plain': this.#text };
  }

  /** The same in the console. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.#text;
  }
}

interface MadeSheet {
  readonly title: string;
  readonly body: Markup;
  readonly text: string;
  readonly wallets: readonly string[];
  readonly verdict: string;
  readonly findings: readonly string[];
  readonly unseen: readonly string[];
}

let style: string | undefined;

function styleSheet(): string {
  style ??= `${CHART_STYLES}${readAsset('report/tear-sheet.css')}`;
  return style;
}

/**
 * Answers for a wallet: does its record hold water? Findings come first, in plain words with their uncertainty, then how
 * complete the record is, and what they rest on: the curve with its deepest fall, profit by period and by day, win rate
 * and ROI with intervals, halves, categories, best and worst markets, open positions, and the place in the field. Of
 * several wallets, it compares.
 *
 * Figures are those of `roi`, `winRate`, `drawdown` and `bootstrapInterval` over the same rows. What the source does not
 * have is left out, and the sheet says so. A wallet that nobody has seen gets a sheet that says that.
 *
 * @param source A lab, which is asked for all that is needed; or frames: daily PnL records alone, or an object that
 * names several, see {@link SheetFrames}.
 * @param wallets The address, or a list of up to six. May be left out for frames: then those of the frame.
 * @throws {UsageError} If a wallet is no address, there are none or more than six, an option is unknown, wrong or not
 * the third argument, or a frame lacks a column.
 * @throws {ColumnError} If a column has values that cannot be used, or the records are coarser than days.
 * @throws {ServiceError} If the service fails.
 * @example
 * const sheet = await tearSheet(lab, '0xc3779611438639d8d588962b1681dd49fcb35ee9');
 * await sheet.save('wallet.html');
 */
export async function tearSheet(
  source: Client | SheetFrames | Tabular,
  wallets?: string | readonly string[],
  options: TearSheetOptions = {},
): Promise<TearSheet> {
  knownOptions('tearSheet', options, ['title', 'confidence', 'startTime', 'endTime']);
  const { confidence = 0.95, title, startTime, endTime } = options;
  refuseConfidence(confidence);
  if (title !== undefined && typeof title !== 'string') {
    throw new UsageError(`title of tearSheet must be text; got ${shownValue(title)}.`);
  }
  if (isLab(source)) {
    const asked = checkedWallets(wallets);
    return sheetOf(await sheetDataOf(source, asked, { startTime, endTime }), asked, { confidence, title });
  }
  if (startTime !== undefined || endTime !== undefined) {
    throw new UsageError('startTime and endTime are for a lab: cut a frame by filterRows before tearSheet.');
  }
  const frames = framesOf(source);
  const data = sheetDataOfFrames(frames);
  return sheetOf(data, checkedWallets(wallets ?? walletsIn(frames.pnl)), { confidence, title });
}

/** Whether a value has the query that a sheet cannot do without. Another copy of the package may have made it. */
function isLab(source: unknown): source is Client {
  return typeof source === 'object' && source !== null && typeof Reflect.get(source, 'pnl') === 'function';
}

function isTabular(value: unknown): value is Tabular {
  return isObject(value) && Array.isArray(value.columns) && Array.isArray(value.shape);
}

function framesOf(source: unknown): SheetFrames {
  if (isTabular(source)) return { pnl: source };
  const names = ['pnl', 'markets', 'categories', 'positions', 'leaderboard'] as const;
  if (typeof source !== 'object' || source === null || !('pnl' in source)) {
    throw new UsageError(
      `This needs a frame, but ${mistakeOf(source)} tearSheet takes a lab and frames as { pnl, markets, … }, too.`,
    );
  }
  knownOptions('the frames of tearSheet', source, names);
  if (source.pnl === undefined) throw new UsageError('pnl of the frames of tearSheet must be a frame; got nothing.');
  return source as SheetFrames;
}

function walletsIn(pnl: Tabular): string[] {
  if (rowCount(pnl) === 0) {
    throw new UsageError(
      'The frame of tearSheet has no records, so it names no wallet: for a sheet that says so, name the wallet, as in ' +
        'tearSheet(frame, wallet).',
    );
  }
  return [...new Set(Array.from<unknown, string>(anyColumn(pnl, 'proxy_wallet'), (wallet) => String(wallet)))];
}

const WALLET = /^0x[0-9a-f]{40}$/;

function checkedWallets(given: unknown): string[] {
  if (isObject(given)) {
    throw new UsageError(
      'tearSheet takes its options third, behind the wallets: tearSheet(lab, wallet, { title }), or ' +
        'tearSheet(frame, undefined, { title }) for the wallets of a frame.',
    );
  }
  const list: readonly unknown[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const wallets = [
    ...new Set(list.map((wallet) => (typeof wallet === 'string' ? wallet.trim().toLowerCase() : wallet))),
  ];
  const wrong = wallets.find((wallet) => typeof wallet !== 'string' || !WALLET.test(wallet));
  if (wrong !== undefined) {
    throw new UsageError(`A wallet is 0x and 40 hexadecimal digits; got ${shownValue(wrong)}.`);
  }
  if (wallets.length === 0) throw new UsageError('tearSheet needs the address of a wallet, or up to six of them.');
  if (wallets.length > MOST_WALLETS) {
    throw new UsageError(`tearSheet compares up to ${MOST_WALLETS} wallets; got ${wallets.length}.`);
  }
  return wallets as string[];
}

interface Heading {
  readonly confidence: number;
  readonly title: string | undefined;
}

function sheetOf(data: SheetData, wallets: readonly string[], { confidence, title }: Heading): TearSheet {
  const compared = wallets.map((wallet) => {
    const figures = walletFigures(data.pnl, wallet, confidence);
    const found = {
      figures,
      markets: data.markets && marketsFigures(data.markets, wallet, confidence),
      positions: data.positions && positionsFigures(data.positions, wallet),
      field: data.leaderboard && fieldFigures(data.leaderboard, wallet),
    };
    return { ...found, judgement: judgementOf(found) };
  });
  const [only] = compared;
  const isOne = compared.length === 1 && only !== undefined;
  const question = isOne ? 'Does this record hold water?' : 'Which of these records holds water?';
  const heading = title ?? question;
  const { verdict, findings } = isOne ? only.judgement : rankingOf(compared);
  const body = isOne ? single(data, only, confidence) : comparison(compared);
  const who = isOne
    ? html`<p class="ts-wallet">Wallet <code>${only.figures.wallet}</code></p>`
    : html`<p>${compared.length} wallets beside each other.</p>`;
  const simulated = simulatedText(compared);
  return new TearSheet({
    title: isOne ? `${heading} ${only.figures.wallet}` : heading,
    body: html`<article class="ts-sheet"><header><h1>${heading}</h1>${who}${periodLine(data)}${simulated && html`<p><strong>Simulated:</strong> ${simulated}</p>`}</header>
${body}${about(data, isOne && only.figures.days > 0)}</article>
`,
    text: [
      heading,
      ...(simulated ? [`Simulated: ${simulated}`] : []),
      ...compared.flatMap((each) => textOf(each)),
      ...(isOne ? [] : ['', ...lines({ verdict, findings })]),
    ].join('\n'),
    wallets,
    verdict: verdict.text,
    findings: findings.map(({ text }) => text),
    unseen: compared.filter(({ figures }) => figures.isSeen === false).map(({ figures }) => figures.wallet),
  });
}

/** What must be known before all else of wallets of a sample market; undefined if none is. */
function simulatedText(compared: readonly Compared[]): string | undefined {
  const made = compared.filter(({ figures }) => figures.isSimulated);
  if (made.length === 0) return undefined;
  const whose =
    compared.length === 1
      ? 'this wallet'
      : made.length === compared.length
        ? 'these wallets'
        : new Intl.ListFormat('en').format(made.map(({ figures }) => shortId(figures.wallet)));
  return `the records of ${whose} are of a sample market, made by oddslab simulate. Nobody made these trades.`;
}

function isPeriod({ period: { from, to } }: SheetData): boolean {
  return Boolean(from || to);
}

function periodLine({ period: { from, to } }: SheetData): Markup | undefined {
  if (!from && !to) return undefined;
  return html`<p>Only ${from ? `from ${from}` : 'from the start'} ${to ? `to ${to}` : 'to the end'}.</p>`;
}

interface Single extends Compared {
  readonly markets: ReturnType<typeof marketsFigures> | undefined;
  readonly positions: ReturnType<typeof positionsFigures> | undefined;
  readonly field: ReturnType<typeof fieldFigures> | undefined;
}

/**
 * The sheet of one wallet. Without a day of its own, it ends after what is known of the record; without a result, after
 * what the wallet holds.
 */
function single(
  data: SheetData,
  { figures, judgement, markets, positions, field }: Single,
  confidence: number,
): Markup {
  const head = html`${sections.section('Findings', sections.judgement(judgement))}${sections.section(
    'How complete the record is',
    sections.completeness(figures),
  )}`;
  if (figures.days === 0)
    return html`${head}${positions && positions.count + positions.undecided.count > 0 && positionsSection(positions, figures)}`;
  const { faults } = figures;
  const key = sections.section('In figures', keyFigures(figures, isPeriod(data)), faults);
  const held = positions && positionsSection(positions, figures);
  if (isUndecided(figures)) return html`${head}${key}${held}`;
  const categories = data.categories && categoryFigures(data.categories, figures.wallet, confidence);
  return html`${head}${key}${sections.overTime(figures)}${sections.luck(figures)}${
    categories && categories.length > 0 && sections.categories(categories, faults)
  }${markets && markets.count > 0 && sections.markets(markets, faults)}${held}${field && sections.field(field, faults)}`;
}

/** How to read the sheet, what is left out, and where its data come from. */
function about({ absent, pnl }: SheetData, tellsAbsent: boolean): Markup {
  const queries = provenanceOf(pnl);
  const last = queries.at(-1);
  const source =
    last &&
    html`<p>Data: ${placeOf(last.service)}${last.dataVersion && `, version ${last.dataVersion}`}, asked ${last.queriedAt.slice(0, 16).replace('T', ' ')} UTC.</p>`;
  const missing = tellsAbsent ? Object.values(absent) : [];
  return html`<footer>${missing.length > 0 && html`<h2>Left out</h2><ul>${missing.map((sentence) => html`<li>${sentence}</li>`)}</ul>`}
<h2>How to read it</h2>
<p>Profit is realized profit: what sales, merges and settlements brought over their average cost. ROI is profit over all dollars paid in, so the same dollar counts each time that it is invested: a margin on turnover, not a yearly yield. A closing is a sale, merge or settlement with a profit or a loss. Days and weeks are UTC; weeks begin on Monday. The sheet describes the past and promises nothing.</p>
${source}</footer>`;
}

/** A service by its address; one of this machine has one that nobody else can use. */
function placeOf(service: string): string {
  if (/^https?:\/\/(127\.|localhost\b|\[::1\])/.test(service)) return 'a service on this machine';
  return service || 'a snapshot';
}

const MARKS = { for: '+', against: '-', open: '?' } as const;

function lines({ verdict, findings }: Judgement): string[] {
  return [verdict.text, ...findings.map(({ bearing, text }) => `${MARKS[bearing]} ${text}`)];
}

function textOf({ figures, judgement }: Compared): string[] {
  const { wallet, isSeen, faults, days, roi, roiInterval, winRate, drawdown, unstated } = figures;
  const lack = faults.length > 0 ? `; ${sections.INCOMPLETE}` : '';
  const told =
    isSeen === undefined ? 'not told' : faults.length === 0 ? 'nothing known to be missing' : faults.join('; ');
  const numbers =
    days === 0 || isUndecided(figures)
      ? []
      : [
          `  Realized PnL  ${formatUsd(roi.pnl)} on ${formatUsd(roi.invested)}${lack}`,
          `  ROI           ${finePercent(roi.roi)}${unstatedText(unstated)}${hasNoSoundRoi(roi) ? `, ${EARLIER_STAKES}` : Number.isNaN(roiInterval.low) ? '' : `, ${intervalText(roiInterval)}`}${lack}`,
          `  Win rate      ${finePercent(winRate.rate)}${winRate.decided === 0 ? '' : `, ${intervalText(winRate)}`}${lack}`,
          `  Deepest fall  ${drawdown.depth > 0 ? `${formatUsd(-drawdown.depth)}${lack}` : faults.length > 0 ? 'none known' : 'none'}`,
        ];
  return ['', `Wallet ${wallet}`, ...lines(judgement), ...numbers, `  Record        ${told}`];
}
