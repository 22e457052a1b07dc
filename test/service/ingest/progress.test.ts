import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Progress } from '../../../src/service/ingest/progress.js';

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
