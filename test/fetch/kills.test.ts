import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Random } from '../../src/service/sample/random.js';
import { cases } from '../support/fast-check.js';
import { simulatedRecords } from '../support/public-source/simulated-records.js';
import { type PublicSource, startPublicSource } from '../support/public-source/start-public-source.js';
import { type Ended, endOf, startCommand } from '../support/run-command.js';

/** How often a fetch is killed: a tenth of a hundred, or as often as `ODDSLAB_KILLS` says. */
const KILLS = Number(process.env.ODDSLAB_KILLS ?? cases(100));
const SEED = 20_261_126;
/** Milliseconds that an answer takes, so that a fetch lasts longer than what it wrote waits to be flushed. */
const DELAY_MS = 55;

const folder = mkdtempSync(join(tmpdir(), 'oddslab-kills-'));
let source: PublicSource;
let wallet: string;

beforeAll(async () => {
  const records = await simulatedRecords(join(folder, 'sample'), { markets: 60, wallets: 12, fills: 4_000, seed: 2 });
  const quirks = { mostRecords: 25, shortPages: false };
  source = await startPublicSource({ records, quirks, delayMs: DELAY_MS });
  const rows = [...records.byWallet].sort((a, b) => b[1].length - a[1].length);
  wallet = rows.find(([, theirs]) => theirs.length < 900)?.[0] ?? '';
});
afterAll(async () => {
  await source.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Fetches the wallet into a folder.
 *
 * @param killAt The request at which the command is killed, and how many milliseconds later; undefined to let it end.
 */
async function run(out: string, killAt?: { request: number; laterMs: number }): Promise<Ended> {
  source.requests.clear();
  const child = startCommand(['fetch', 'wallet', wallet, '--no-ingest', '--out', out, '--rate', 'unlimited'], {
    ODDSLAB_GAMMA_URL: source.gammaUrl,
    ODDSLAB_DATA_API_URL: source.dataApiUrl,
    ODDSLAB_CLOB_URL: source.clobUrl,
  });
  const ended = endOf(child);
  if (killAt === undefined) return ended;
  while (source.requests.all.length < killAt.request && child.exitCode === null) await sleep(1);
  await sleep(killAt.laterMs);
  child.kill('SIGKILL');
  return ended;
}

/** What a folder holds: every byte of the records, and of the other files all but the times and the start of a walk. */
async function contentOf(out: string): Promise<Record<string, unknown>> {
  const path = join(out, `wallet-${wallet}`);
  const contents: Record<string, unknown> = {};
  for (const name of (await readdir(path)).sort()) {
    const text = await readFile(join(path, name), 'utf8');
    const ofTheRun = { 'fetch.json': ['started', 'ended', 'until'], 'activity.cursor.json': ['start'] }[name] ?? [];
    contents[name] = name.endsWith('.ndjson')
      ? text
      : Object.fromEntries(Object.entries(JSON.parse(text)).filter(([field]) => !ofTheRun.includes(field)));
  }
  return contents;
}

test(`${KILLS} kills at random moments, each resumed: the same files, byte for byte`, {
  timeout: 600_000,
}, async () => {
  const work = mkdtempSync(join(folder, 'try-'));
  const whole = await run(join(work, 'whole'));
  expect(whole).toMatchObject({ code: 0 });
  const wanted = await contentOf(join(work, 'whole'));
  const requests = source.requests.all.length;
  expect(requests).toBeGreaterThan(30);

  // A run that begins with a cursor goes on where one was killed.
  const wentOn = () => source.requests.of('/v2/activity')[0]?.query.has('cursor') === true;
  const random = new Random(SEED, 0, 0);
  let [kills, resumed] = [0, 0];
  for (let at = 0; kills < KILLS; at++) {
    const out = join(work, `killed-${at}`);
    for (let before = kills; ; before = kills) {
      const killAt = { request: 1 + random.below(requests), laterMs: random.below(DELAY_MS) };
      const { code, err } = await run(out, killAt);
      if (wentOn()) resumed++;
      // It had ended before the moment came.
      if (code === 0) break;
      expect(code, err).toBeNull();
      kills++;
      // Some are not killed again, so that many a folder is finished.
      if (kills > before && random.chance(0.4)) {
        expect(await run(out)).toMatchObject({ code: 0 });
        if (wentOn()) resumed++;
        break;
      }
    }
    expect(await contentOf(out), `the files of run ${at}, of seed ${SEED}`).toEqual(wanted);
    rmSync(out, { recursive: true });
  }
  // Else nothing was shown of cursors.
  expect(resumed).toBeGreaterThan(0);
});
