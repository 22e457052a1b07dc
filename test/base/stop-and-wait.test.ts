import { expect, it, onTestFinished, vi } from 'vitest';
import { backOffMs } from '../../src/base/stop-and-wait.js';
import { readTransportOptions } from '../../src/client/transport/transport-options.js';

it('a service that restarts is outlasted by default, also where the pauses are short by chance', () => {
  vi.spyOn(Math, 'random').mockReturnValue(0.26);
  onTestFinished(() => void vi.restoreAllMocks());
  const limits = readTransportOptions({});
  const pauses = Array.from({ length: limits.retries }, (_, at) => backOffMs(at + 1, limits.backOffMs));
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeGreaterThanOrEqual(4000);
});
