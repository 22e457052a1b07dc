import { formatPercent, formatUsd } from '../analysis/shown-result.js';
import { counted } from '../base/texts.js';
import { hasNoSoundRoi, LEAST_WEEKS } from './drawn-interval.js';
import { BEST, type FieldFigures, type MarketsFigures, type PositionsFigures } from './market-figures.js';
import { isUndecided, type WalletFigures } from './wallet-figures.js';

/** What a finding says of the question whether the record holds water. */
export type Bearing = 'for' | 'against' | 'open';

/** One finding in plain words. */
export interface Finding {
  readonly bearing: Bearing;
  readonly text: string;
}

/** The answer to a sheet's question, and what it rests on. */
export interface Judgement {
  readonly verdict: Finding;
  readonly findings: readonly Finding[];
}

/** What the findings are drawn from. */
export interface Found {
  readonly figures: WalletFigures;
  readonly markets?: MarketsFigures | undefined;
  readonly positions?: PositionsFigures | undefined;
  readonly field?: FieldFigures | undefined;
}

/** The fewest closings from which a win rate is judged. */
const LEAST_DECIDED = 30;

/**
 * What a record supports: the verdict, then in order of weight what speaks for and against it. A sentence claims that
 * something is above or below only where the whole interval is, and that money was made or lost beyond chance only where
 * the verdict does, so that no finding contradicts it. Nothing speaks for a record that is incomplete.
 *
 * @returns No findings for a wallet of which nothing can be judged.
 */
export function judgementOf(found: Found): Judgement {
  const { figures } = found;
  const nothing = nothingToJudge(figures);
  if (nothing !== undefined) return { verdict: { bearing: 'open', text: nothing }, findings: [] };
  const verdict = verdictOf(found);
  const findings = [
    answer(found, verdict),
    ofMarkets(found),
    ofHalves(figures, verdict),
    ofWins(figures),
    ofFall(figures),
    ofField(found),
    ofPositions(found),
  ].filter((finding) => finding !== undefined);
  if (figures.faults.length === 0) return { verdict, findings };
  const marked = findings.map(({ bearing, text }, at) => ({
    bearing: bearing === 'for' ? 'open' : bearing,
    // The first says at its end what every figure depends on.
    text: at === 0 ? text : text.replace(/\.$/, ' (incomplete record).'),
  }));
  return { verdict, findings: marked };
}

/** Why a wallet cannot be judged at all; undefined if it can. */
function nothingToJudge(figures: WalletFigures): string | undefined {
  const { isSeen, incomeOnly, days, roi, faults } = figures;
  if (isSeen === false) return 'No record mentions this wallet: nothing can be said of it.';
  if (incomeOnly) return `There is no trade to judge: ${faults[0] ?? 'only rewards are known of this wallet'}.`;
  if (days === 0) return 'There is no day with an event in the period: nothing can be said of it.';
  if (isUndecided(figures)) {
    const invested = roi.invested > 0 ? ` ${formatUsd(roi.invested)} were invested, and` : '';
    return `Nothing is decided yet:${invested} no position was closed with a profit or a loss.`;
  }
  return undefined;
}

/** `95% interval 1.2% to 8.0%`. */
export function intervalText({ low, high, confidence }: { low: number; high: number; confidence: number }): string {
  return `${formatPercent(confidence, 0)} interval ${finePercent(low)} to ${finePercent(high)}`;
}

/** A percentage that is not shown as 0 where it is not, but for what adding doubles leaves. */
export function finePercent(fraction: number): string {
  const size = Math.abs(fraction);
  return formatPercent(fraction, size >= 5e-7 && size < 0.0005 ? 4 : 1);
}

/** Whether the record holds water: the answer that the sheet is for. */
function verdictOf({ figures, markets }: Found): Finding {
  const { claim, faults } = figures;
  const rest = markets?.rest;
  const without =
    rest && !Number.isNaN(rest.estimate)
      ? `without ${bestText(markets)}, the ROI is ${finePercent(rest.estimate)}${
          Number.isNaN(rest.low)
            ? ', of too few markets for an interval'
            : ` (${intervalText(rest)}, by drawing markets)`
        }`
      : undefined;
  if (claim.is === 'loss' && faults.length === 0) {
    return {
      bearing: 'against',
      text: `No: it lost money, and more than chance explains${without ? `; ${without}` : ''}.`,
    };
  }
  const because = [
    ...(claim.is === 'gain' ? [] : [lackOf(figures)]),
    ...(faults.length > 0 ? ['the record is incomplete'] : []),
    ...(claim.is === 'gain' && mayBeCarried(markets) ? ['a few markets may carry it'] : []),
  ];
  if (because.length > 0) {
    return { bearing: 'open', text: `Not shown: ${because.join(', and ')}${without ? `; ${without}` : ''}.` };
  }
  const also = without ?? 'by which markets, is not known here';
  return { bearing: 'for', text: `Yes, so far: it made money, and more than chance explains; ${also}.` };
}

/** Why a record shows no profit. */
function lackOf({ claim, roi }: WalletFigures): string {
  if (roi.pnl > 0) return 'the profit can be chance';
  if (roi.pnl === 0) return 'it made no profit';
  const lost = `it lost ${formatUsd(-roi.pnl)}`;
  if (hasNoSoundRoi(roi)) return `${lost}, more than it invested in this time`;
  return claim.is === 'loss' ? lost : `${lost}, which can be chance`;
}

/** Why there is no ROI where more was lost than invested. */
export const EARLIER_STAKES = 'some stakes were paid before this time';

/** Whether a record's markets, where they are known, leave open that the best of them alone made its return. */
function mayBeCarried(markets: MarketsFigures | undefined): boolean {
  return markets !== undefined && !(markets.rest && markets.rest.low > 0);
}

/** What the ROI leaves out, although the profit beside it counts it; empty where that is nothing. */
export function unstatedText(unstated: number): string {
  if (unstated === 0) return '';
  return ` (without ${counted(unstated, 'record')} that ${unstated === 1 ? 'does' : 'do'} not say what was invested)`;
}

/** Whether the profit is more than chance. */
function answer({ figures, markets }: Found, verdict: Finding): Finding {
  const { roi, roiInterval, claim, weeks, faults, unstated } = figures;
  const made =
    roi.invested > 0 && !hasNoSoundRoi(roi)
      ? `${formatUsd(roi.pnl)} on ${formatUsd(roi.invested)} invested, an ROI of ${finePercent(roi.roi)}${unstatedText(unstated)}`
      : `${formatUsd(roi.pnl)} with ${roi.invested > 0 ? `${formatUsd(roi.invested)} invested` : 'nothing invested'}`;
  const lack = faults.length > 0 ? ' The record is incomplete, though, and every figure depends on that.' : '';
  const { low, high } = roiInterval;
  if (Number.isNaN(low) || Number.isNaN(high)) {
    const why = hasNoSoundRoi(roi)
      ? `${EARLIER_STAKES}, so that there is no ROI to judge`
      : weeks < LEAST_WEEKS
        ? `events in ${counted(weeks, 'week')} are too few to tell profit from chance; it takes ${LEAST_WEEKS}`
        : 'too little was invested to tell profit from chance';
    return { bearing: 'open', text: `It cannot be told yet: ${made}, but ${why}.${lack}` };
  }
  const interval = intervalText(roiInterval);
  if (claim.doubt !== undefined) {
    const did = low > 0 ? 'made' : 'lost';
    return {
      bearing: 'open',
      text: `It ${did} money, but that can be chance: ${made}; the ${interval} does not settle it: ${claim.doubt}.${lack}`,
    };
  }
  if (claim.is === 'gain' && verdict.bearing === 'for') {
    const text = `It made money, and more than the chance of its weeks explains: ${made}, ${interval}, all above zero.`;
    return { bearing: 'for', text };
  }
  if (claim.is === 'loss' && verdict.bearing === 'against') {
    return { bearing: 'against', text: `It lost money, beyond chance: ${made}, ${interval}, all below zero.` };
  }
  if (claim.is !== 'none') {
    const [did, side] = claim.is === 'gain' ? ['made', 'above'] : ['lost', 'below'];
    const carried =
      claim.is === 'gain' && mayBeCarried(markets) ? ' How much a few markets brought, its weeks do not tell.' : '';
    return {
      bearing: 'open',
      text: `It ${did} money; its weeks alone would settle that: ${made}, ${interval}, all ${side} zero.${carried}${lack}`,
    };
  }
  const did = roi.pnl > 0 ? 'It made money, but' : roi.pnl < 0 ? 'It lost money, but' : 'It made nothing, and';
  const what = `${did} that can be chance`;
  return { bearing: 'open', text: `${what}: ${made}, ${interval}, which includes zero.${lack}` };
}

/** What is left of the profit without its best markets, or else without its best day. */
function ofMarkets({ figures, markets }: Found): Finding | undefined {
  const { pnl } = figures.roi;
  if (pnl <= 0) return undefined;
  if (markets && markets.top.length > 0 && markets.count > BEST && markets.pnl > 0) {
    const top = markets.top.reduce((sum, market) => sum + market.pnl, 0);
    const which = bestText(markets);
    const found = concentrated(markets.pnl, top, markets.top.length === 1 ? 'one bet' : 'a few bets', which);
    if (found.bearing === 'against' || !mayBeCarried(markets)) return found;
    const left = `${formatUsd(markets.pnl - top)} of ${formatUsd(markets.pnl)} are left`;
    return { bearing: 'open', text: `Without ${which}, ${left}; that can be chance, drawing its markets.` };
  }
  const day = figures.curve.reduce((most, row) => (row.pnl > most.pnl ? row : most));
  if (figures.days < 2) return undefined;
  return concentrated(pnl, day.pnl, 'one day', `its best day (${day.date.slice(0, 10)}, ${formatUsd(day.pnl)})`);
}

function bestText({ top, count }: MarketsFigures): string {
  return `its ${top.length === 1 ? 'best market' : `${top.length} best markets`} of ${count.toLocaleString('en-US')}`;
}

/** How much of a profit hangs on a part of it. */
function concentrated(pnl: number, top: number, on: string, which: string): Finding {
  const rest = pnl - top;
  if (rest <= 0)
    return { bearing: 'against', text: `It hangs on ${on}: without ${which}, it would be ${formatUsd(rest)}.` };
  const left = `without ${which}, ${formatUsd(rest)} of ${formatUsd(pnl)} are left`;
  return rest < pnl / 2
    ? { bearing: 'against', text: `Most of it came from ${on}: ${left}.` }
    : { bearing: 'for', text: `It does not hang on ${on}: ${left}.` };
}

function ofHalves({ halves }: WalletFigures, verdict: Finding): Finding | undefined {
  if (!halves) return undefined;
  const { first, second, change } = halves;
  const both = `ROI ${finePercent(first.roi.roi)} in the first half of its weeks, ${finePercent(second.roi.roi)} in the second`;
  const by = `change ${finePercent(change.estimate)}, ${intervalText(change)}`;
  const isGain = second.claim.is === 'gain';
  const earned = isGain && verdict.bearing === 'for';
  if (change.low > 0) return { bearing: earned ? 'for' : 'open', text: `It got better: ${both} (${by}).` };
  if (change.high < 0) return { bearing: 'against', text: `It got worse, beyond chance: ${both} (${by}).` };
  const last = earned
    ? 'The second half alone earned more than chance explains'
    : isGain
      ? 'The weeks of the second half alone would settle it, but not for the whole record'
      : 'The second half alone does not settle it';
  return {
    bearing: earned ? 'for' : 'open',
    text: `${last}: ${both}; the difference can be chance (${by}).`,
  };
}

function ofWins({ winRate, winRateInterval }: WalletFigures): Finding | undefined {
  const { rate, low, high, decided } = winRate;
  if (decided === 0) return undefined;
  const counts = `${finePercent(rate)} of ${counted(decided, 'closing')} won, ${intervalText(winRate)}`;
  if (decided < LEAST_DECIDED) return { bearing: 'open', text: `Too few closings to judge the win rate: ${counts}.` };
  const weekly = winRateInterval;
  const isKnown = !Number.isNaN(weekly.low);
  const least = isKnown ? Math.min(low, weekly.low) : low;
  const most = isKnown ? Math.max(high, weekly.high) : high;
  const where = least > 0.5 ? 'above one half' : most < 0.5 ? 'below one half' : 'not to be told from one half';
  const note = 'who bets on favourites wins often and need not earn';
  return { bearing: 'open', text: `The win rate is ${where}: ${counts}; ${note}.` };
}

function ofFall({ drawdown, roi }: WalletFigures): Finding | undefined {
  const { depth, from, to, recovered } = drawdown;
  if (!(depth > 0) || to === null) return undefined;
  const start = from === null ? 'from the start' : `from ${from.slice(0, 10)}`;
  const over = recovered === null ? 'not made good so far' : `made good by ${recovered.slice(0, 10)}`;
  const text = `The deepest fall of realized profit was ${formatUsd(depth)}, ${start} to ${to.slice(0, 10)}, ${over}`;
  const isLarge = depth > Math.max(roi.pnl, 0);
  return {
    bearing: isLarge ? 'against' : 'open',
    text: isLarge && roi.pnl > 0 ? `${text}: more than the whole profit.` : `${text}.`,
  };
}

function ofField({ field, figures }: Found): Finding | undefined {
  const pnl = field?.standings?.find(({ name }) => name === 'Realized PnL');
  if (!field || !pnl || field.isCut || field.wallets === 1) return undefined;
  const rank = `rank ${field.rank.toLocaleString('en-US')} of ${field.wallets.toLocaleString('en-US')} by profit`;
  const caution =
    field.wallets >= 20 && pnl.below > 0.9
      ? ` Somebody always leads. The leaderboard tells no intervals, so how many have one above zero is not known; of ${field.wallets.toLocaleString('en-US')} wallets that only toss coins, about ${Math.round((field.wallets * (1 - figures.roiInterval.confidence)) / 2).toLocaleString('en-US')} would.`
      : '';
  return { bearing: 'open', text: `Against the field it has ${rank}.${caution}` };
}

function ofPositions({ positions, figures }: Found): Finding | undefined {
  if (!positions || positions.count === 0 || !(positions.unrealized < 0)) return undefined;
  const { pnl } = figures.roi;
  const total = pnl + positions.unrealized;
  if (pnl <= 0 || positions.unrealized > -0.1 * pnl) return undefined;
  return {
    bearing: 'against',
    text: `What it still holds stands ${formatUsd(-positions.unrealized)} below its cost at the last prices: of ${formatUsd(pnl)} realized, ${formatUsd(total)} are left.`,
  };
}
