import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { secondTries } from './test/support/second-tries.js';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // A process a file: the database and the kernel's children are native, and a crash of one names its file.
    pool: 'forks',
    // Most of what takes long waits: by default two processors would run one file at a time.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What a test waits for comes within seconds; these only end one that would wait forever, on a busy machine, too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Of thousands of tests with real processes, a crowded machine may stop one at a bad moment; the report says which.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', secondTries],
  },
});
