import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ingest } from '../../../src/service/ingest/ingest-inputs.js';
import { Progress } from '../../../src/service/ingest/ingest-progress.js';
import { smallRecords } from '../../support/small-market.js';
import { put, temporaryFolder } from '../../support/temporary-folder.js';

let told: (number | undefined)[];
let progress: Progress;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  told = [];
  progress = new Progress((_, secondsLeft) => told.push(secondsLeft));
});

afterEach(() => {
  progress.end();
  vi.useRealTimers();
});

it('tells less and less while the last step goes on, which does not say how far it is', () => {
  progress.expect(30);
  progress.begin('reading', 10);
  vi.advanceTimersByTime(10_000);
  told.length = 0;
  progress.begin('building', progress.rest);
  vi.advanceTimersByTime(18_000);
  const left = told.map((seconds) => seconds ?? Number.NaN);
  expect(left[0]).toBe(20);
  expect(left.at(-1)).toBe(2);
  expect(left).toEqual([...left].sort((a, b) => b - a));
});

it('does not take for its pace what was done before', () => {
  progress.expect(40);
  progress.begin('looking through', 10);
  vi.advanceTimersByTime(10_000);
  progress.begin('reading', 10);
  progress.spare(10);
  progress.begin('building', progress.rest);
  expect(told.at(-1)).toBe(10);
});

it('takes no pace from the first moments alone', () => {
  progress.expect(200.1);
  progress.begin('looking through', 0.1);
  vi.advanceTimersByTime(3000);
  progress.begin('building', progress.rest);
  expect(told.at(-1)).toBeLessThan(300);
});

it('expects no ledger to be built again where every input was read before', async () => {
  vi.useRealTimers();
  const folder = await temporaryFolder();
  const { markets, trades } = smallRecords();
  const inputs = [await put(folder, 'm.json', markets), await put(folder, 't.json', trades)];
  await ingest({ folder: join(folder, 'data'), inputs });
  const end = vi.spyOn(Progress.prototype, 'end');
  await ingest({ folder: join(folder, 'data'), inputs });
  const [known] = end.mock.contexts as Progress[];
  end.mockRestore();
  expect(known?.rest).toBeCloseTo(0, 9);
});
