import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../base/packages.js';
import { parsePercent, withKernel } from '../notebook/format/percent.js';
import type { Starter } from '../page/data-routes.js';
import { currentVersion } from '../service/folder/current-version.js';

/** Most wallets that a new notebook names. */
const MOST_WALLETS = 8;

/** What the starters are about. */
interface AtHand {
  /** The folder that the page shows. */
  readonly folder: string;
  /** The data folder; undefined if a service elsewhere has the data, whose wallets nobody lists. */
  readonly data: string | undefined;
  /** Wallets that the user named, which go before those of the data. */
  readonly wallets: readonly string[];
}

/**
 * What the page's launcher offers: new notebooks on the data at hand, whose cells run as they are, and the example
 * notebooks that lie in the folder. Without a known wallet those that are about one are left out.
 */
export async function labStarters({ folder, data, wallets: named }: AtHand): Promise<Starter[]> {
  const wallets = (named.length > 0 ? named : await knownWallets(data)).slice(0, MOST_WALLETS);
  const [wallet] = wallets;
  return [
    ...(wallet === undefined ? [] : [tearSheet(wallet), walletPnl(wallet)]),
    ...(wallets.length > 1 ? [comparison(wallets)] : []),
    markets(),
    ...examples(folder),
  ];
}

/** The wallets of a data folder: those that were fetched, else the busiest. */
async function knownWallets(data: string | undefined): Promise<readonly string[]> {
  // What is wrong with the data is said by the service; the launcher then offers less.
  const version = data === undefined ? undefined : await currentVersion(data).catch(() => undefined);
  const { fetched, busiest = [] } = version?.manifest ?? {};
  return fetched ?? busiest;
}

function tearSheet(wallet: string): Starter {
  return made(
    'Wallet tear sheet',
    'does the record hold water? findings, charts and open positions',
    'wallet-tear-sheet',
    [
      '# Does this record hold water?\n\nAnother address in the next cell, and Run > Run All Cells, show another wallet.',
      `import { cumulativePnlChart, drawdown, openLab, roi, tearSheet, trackRecord, winRate } from 'oddslab';

const wallet = ${JSON.stringify(wallet)};
const lab = await openLab();
await tearSheet(lab, wallet)`,
      "const daily = await lab.pnl({ wallet, granularity: '1d' }).frame();\ntrackRecord(daily)",
      'winRate(daily) // wins of all that was decided, with the interval of its uncertainty',
      'roi(daily) // profit of what was invested',
      'cumulativePnlChart(daily)',
      'drawdown(daily) // the deepest fall, in dollars',
    ],
  );
}

function walletPnl(wallet: string): Starter {
  return made("A wallet's PnL", 'realized profit and loss, week by week', 'wallet-pnl', [
    "# A wallet's profit and loss",
    `import { cumulativePnlChart, openLab, pnlByPeriodChart } from 'oddslab';

const wallet = ${JSON.stringify(wallet)};
const lab = await openLab();
const weekly = await lab.pnl({ wallet, granularity: '1w' }).frame();
weekly.tail(10)`,
    'cumulativePnlChart(weekly)',
    "pnlByPeriodChart(weekly, { by: 'month' })",
  ]);
}

function comparison(wallets: readonly string[]): Starter {
  return made('Compare wallets', 'the wallets at hand, side by side', 'wallets', [
    '# Wallets side by side',
    `import { cumulativePnlChart, openLab, sortBy, trackRecord, winRateChart } from 'oddslab';

const wallets = [
${wallets.map((each) => `  ${JSON.stringify(each)},`).join('\n')}
];
const lab = await openLab();
const lifetimes = await lab.lifetime({ wallet: wallets }).frame();
sortBy(lifetimes, { column: 'roi_pct', descending: true })`,
    `const daily = await lab.pnl({ wallet: wallets, granularity: '1d' }).frame();
trackRecord(daily)`,
    "winRateChart(daily, { by: 'proxy_wallet' })",
    'cumulativePnlChart(daily)',
  ]);
}

function markets(): Starter {
  return made('Markets', 'the largest markets, and where the volume is', 'markets', [
    '# Markets',
    `import { openLab, topN, volumeByEventChart, volumeDistributionChart, volumeOverTimeChart } from 'oddslab';

const lab = await openLab();
const markets = await lab.markets().frame();
topN(markets, 10, 'volume_total').loc({ columns: ['question', 'volume_total', 'closed', 'close_date'] })`,
    'volumeByEventChart(markets, { top: 12 })',
    "volumeOverTimeChart(markets, { by: 'month' })",
    'volumeDistributionChart(markets)',
  ]);
}

/** A starter of a new notebook; cells that begin with `#` are Markdown. */
function made(title: string, caption: string, name: string, cells: readonly string[]): Starter {
  const texts = cells.map((text) => {
    if (!text.startsWith('#')) return `// %%\n${text}`;
    return `// %% [markdown]\n${text.replaceAll(/^/gm, '// ')}`;
  });
  const notebook = withKernel(parsePercent(`${texts.join('\n\n')}\n`, name));
  return { title, caption, name, notebook };
}

/** The example notebooks in the folder, or in `examples` below it, with the questions that they answer. */
function examples(folder: string): Starter[] {
  const names = readdirSync(join(packageRoot(), 'notebooks')).filter((name) => name.endsWith('.ipynb'));
  return names.sort().flatMap((name) => {
    const path = [`examples/${name}`, name].find((each) => existsSync(join(folder, each)));
    return path === undefined ? [] : [{ title: titleOf(join(folder, path), name), caption: name, path }];
  });
}

/** The first heading of a notebook, else its name: it may have been changed in any way. */
function titleOf(file: string, name: string): string {
  try {
    const [first] = JSON.parse(readFileSync(file, 'utf8')).cells;
    const [, heading] = /^# (.+)/.exec([first.source].flat().join('')) ?? [];
    return heading ?? name;
  } catch {
    return name;
  }
}
