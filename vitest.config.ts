import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { LongestFirst } from './test/support/longest-first.js';
import { secondTries } from './test/support/second-tries.js';

/**
 * Folders of tests that leave nothing behind in their process: few processes run them, file after file. Starting one and
 * loading the modules into it takes a second of processor time a file, more than most of them test for.
 */
const SHARING = [
  ...['analysis', 'base', 'charts', 'cli', 'client', 'contract', 'fetch', 'frame', 'kernel', 'report', 'service'],
  ...['check', 'format', 'parameters'].map((folder) => `notebook/${folder}`),
];

/** Those among them that change what others would see, or look at what others would change: how their paths begin. */
const APART = [
  'analysis/misuse',
  'base/json-copy',
  'base/load-native',
  'base/lock-file',
  'charts/browser',
  'charts/charts',
  'client/connect',
  'client/paging/page-decoder',
  'client/paging/shared-signal',
  'client/progress',
  'client/snapshot/connect',
  'client/transport/',
  'fetch/kills',
  'fetch/sources',
  'fetch/wallet-faults',
  'frame/danfo/danfo-faults',
  'frame/files/',
  'frame/misuse',
  'frame/sql/',
  'frame/types',
  'kernel/display/mime-bundle',
  'kernel/transform/reserved-names',
  'kernel/types/runtime-members',
  'report/tear-sheet-page',
];

const ALL = readdirSync(new URL('test', import.meta.url), { recursive: true, encoding: 'utf8' })
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => path.endsWith('.test.ts') && !path.includes('node_modules'));

const isSharing = (path: string) =>
  SHARING.some((folder) => path.startsWith(`${folder}/`)) && !APART.some((start) => path.startsWith(start));

/** The tests that share processes, or those that do not. There are two projects, as each transforms all modules anew. */
const filesOf = (shares: boolean) => ALL.filter((path) => isSharing(path) === shares).map((path) => `test/${path}`);

export default defineConfig({
  test: {
    projects: [
      { extends: true, test: { name: 'sharing', include: filesOf(true), isolate: false } },
      { extends: true, test: { name: 'apart', include: filesOf(false) } },
    ],
    globalSetup: './test/support/run-folder.ts',
    // A process a file, but for those that share: the database and the kernel's children are native, and a crash of one
    // names its file.
    pool: 'forks',
    // Most of what takes long waits for other processes, or for a time limit to pass.
    maxWorkers: Math.max(4, availableParallelism()),
    sequence: { sequencer: LongestFirst },
    // What a test waits for comes within seconds; these only end one that would wait forever, on a busy machine, too.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Of thousands of tests with real processes, a crowded machine may stop one at a bad moment; the report says which.
    retry: process.env.CI ? 2 : 0,
    // The log names the tests that take this long.
    slowTestThreshold: 10_000,
    reporters: ['default', secondTries],
  },
});
