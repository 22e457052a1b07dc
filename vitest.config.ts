import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { secondTries } from './test/support/second-tries.js';

/**
 * Folders of tests that leave nothing behind in their process: few processes run them, file after file. Starting one and
 * loading the modules into it takes a second of processor time a file, more than most of them test for.
 */
const SHARING = 'analysis|base|charts|contract|frame';

/** Files among them that change what others would see, or look at what others would change. */
const APART = [
  'test/analysis/misuse.test.ts',
  'test/base/{json-copy,load-native,lock-file}.test.ts',
  'test/charts/{browser,charts}.test.ts',
  'test/frame/danfo/danfo-faults.test.ts',
  'test/frame/{files,sql}/*.test.ts',
  'test/frame/{misuse,types}.test.ts',
];

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'sharing',
          include: [`test/@(${SHARING})/**/*.test.ts`],
          exclude: [...configDefaults.exclude, ...APART],
          isolate: false,
        },
      },
      {
        extends: true,
        test: { name: 'apart', include: ['test/*.test.ts', `test/!(${SHARING})/**/*.test.ts`, ...APART] },
      },
    ],
    // A process a file, but for those that share: the database and the kernel's children are native, and a crash of one
    // names its file.
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
