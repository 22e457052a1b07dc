import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { itemAt } from '../../base/item-at.js';
import { marketRecord } from './market-record.js';
import { Random } from './random.js';
import {
  makeSampleManifest,
  SAMPLE_FILES,
  SAMPLE_MANIFEST,
  type SampleManifest,
  type SampleParameters,
} from './sample-manifest.js';
import { ActivityRows, ByteFile, TradeRows } from './sample-rows.js';
import { planEvents, tellEvent } from './tell-event.js';
import { MarketTrading } from './trade-market.js';
import { Debuts, Positions, Rebates, type TradingFloor } from './trading-floor.js';
import { Wallets } from './wallets.js';

const TRADING_STREAM = 5;
const ACTIVITY_STREAM = 6;
const REBATE_STREAM = 7;

/**
 * Writes a sample's files and manifest into an existing folder, market by market.
 *
 * @param tick Called with the number of fills so far after every few megabytes; it may throw to stop.
 */
export async function writeSample(
  folder: string,
  parameters: SampleParameters,
  tick: (fills: number) => void,
): Promise<SampleManifest> {
  const files: ByteFile[] = [];
  const create = async (name: (typeof SAMPLE_FILES)[number]) => {
    const file = await ByteFile.create(join(folder, name));
    files.push(file);
    return file;
  };
  try {
    const markets = await create('markets.json');
    const trades = await create('trades.json');
    const activity = await create('activity.json');
    const counts = await fillFiles({ markets, trades, activity }, parameters, tick);
    const described: SampleManifest['files'] = [];
    for (const [i, name] of SAMPLE_FILES.entries()) described.push({ name, ...(await itemAt(files, i).close()) });
    const manifest = makeSampleManifest({ parameters, counts, files: described });
    await writeFile(join(folder, SAMPLE_MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    return manifest;
  } catch (error) {
    await Promise.all(files.map((file) => file.abandon()));
    throw error;
  }
}

type Files = Record<'markets' | 'trades' | 'activity', ByteFile>;

async function fillFiles(
  files: Files,
  parameters: SampleParameters,
  tick: (fills: number) => void,
): Promise<SampleManifest['counts']> {
  const { seed } = parameters;
  const floor = openFloor(files, parameters);
  const flush = async () => {
    await files.trades.flush();
    if (files.activity.full) await files.activity.flush();
    tick(floor.trades.count);
  };
  for (const planned of planEvents(parameters)) {
    const event = tellEvent(seed, planned);
    for (const market of event.markets) {
      const random = new Random(seed, TRADING_STREAM, files.markets.count);
      const trading = new MarketTrading(floor, event, market, random).run();
      let step = trading.next();
      for (; step.done !== true; step = trading.next()) await flush();
      files.markets.item(marketRecord(event, market, step.value));
      if (files.markets.full) await files.markets.flush();
    }
  }
  for (const _ of floor.rebates.pay(floor.activity, new Random(seed, REBATE_STREAM, 0))) await flush();
  return { markets: files.markets.count, fills: files.trades.count, activity: files.activity.count };
}

function openFloor(files: Files, parameters: SampleParameters): TradingFloor {
  const { seed, fills } = parameters;
  const wallets = new Wallets(seed, parameters.wallets);
  return {
    wallets,
    positions: new Positions(wallets.count),
    trades: new TradeRows(files.trades, wallets),
    activity: new ActivityRows(files.activity, wallets, new Random(seed, ACTIVITY_STREAM, 0)),
    debuts: new Debuts(wallets.count, fills),
    rebates: new Rebates(wallets.makers),
    meanRows: fills / parameters.markets,
  };
}
