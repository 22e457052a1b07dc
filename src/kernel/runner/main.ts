import { isMainThread } from 'node:worker_threads';
import { loadNative } from '../../load-native.js';

// The same file is the process's entry and that of its watching thread, so that a build needs one entry for both.
if (isMainThread) {
  loadNative('oxc-parser', () => import('./serve.js')).then(
    ({ serve }) => serve(new URL(import.meta.url)),
    (error: Error) => {
      process.stderr.write(error.message);
      process.exitCode = 1;
    },
  );
} else void import('./watch-lifeline.js').then(({ watchLifeline }) => watchLifeline());
