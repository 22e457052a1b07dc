import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { secondTries } from './test/support/second-tries.js';

/**
 * Folders of tests that leave nothing behind in their process: few processes run them, file after file. Starting one and
 * loading the modules into it takes a second of processor time a file, more than most of them test for.
 */
const SHARING = {
  frames: ['analysis', 'base', 'charts', 'contract', 'frame'],
  cells: ['client', 'kernel', 'notebook/*'],
  service: ['service/*', 'cli'],
};

function inFolders(folders: readonly string[]): string[] {
  return folders.map((folder) => `test/${folder}/**/*.test.ts`);
}

/** Files among them that change what others would see, or look at what others would change. */
const APART = [
  'test/analysis/misuse.test.ts',
  'test/base/{json-copy,load-native,lock-file}.test.ts',
  'test/charts/{browser,charts}.test.ts',
  'test/client/{connect,progress}.test.ts',
  'test/client/snapshot/connect.test.ts',
  'test/client/transport/*.test.ts',
  'test/client/paging/{page-decoder,shared-signal}.test.ts',
  'test/frame/danfo/danfo-faults.test.ts',
  'test/frame/{files,sql}/*.test.ts',
  'test/frame/{misuse,types}.test.ts',
  'test/kernel/display/mime-bundle.test.ts',
  'test/kernel/transform/reserved-names.test.ts',
  'test/notebook/export/*.test.ts',
];

/** Tests that a run leaves out, as globs: vitest's own --exclude does not reach projects. */
const LEFT_OUT = [...configDefaults.exclude, ...(process.env.TESTS_LEFT_OUT?.split(/,(?![^{]*\})/) ?? [])];

export default defineConfig({
  test: {
    projects: [
      ...Object.entries(SHARING).map(([name, folders]) => ({
        extends: true as const,
        test: { name, include: inFolders(folders), exclude: [...LEFT_OUT, ...APART], isolate: false },
      })),
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.ts'],
          exclude: [...LEFT_OUT, ...inFolders(Object.values(SHARING).flat())],
        },
      },
      { extends: true, test: { name: 'apart from their folder', include: APART, exclude: LEFT_OUT } },
    ],
    // A process a file, but for those that share: the database and the kernel's children are native, and a crash of one
    // names its file.
    pool: 'forks',
    // Most of what takes long waits for other processes, or for a time limit to pass.
    maxWorkers: Math.max(4, availableParallelism()),
    // What a test waits for comes within seconds; these only end one that would wait forever, on a busy machine, too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
    // Of thousands of tests with real processes, a crowded machine may stop one at a bad moment; the report says which.
    retry: process.env.CI ? 1 : 0,
    reporters: ['default', secondTries],
  },
});
