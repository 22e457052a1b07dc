import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { loadNative } from '../../base/packages.js';

// One file serves as the entry of the process and of its watching thread, so that the build needs only one.
if (isMainThread) {
  start().catch((error: Error) => {
    process.stderr.write(error.message);
    process.exitCode = 1;
  });
} else void import('./watch-lifeline.js').then(({ watchLifeline }) => watchLifeline());

/** Starts the runner. Loads the native packages first, to name the one that cannot be loaded. */
async function start(): Promise<void> {
  const require = createRequire(import.meta.url);
  for (const name of ['oxc-parser', 'oxc-transform']) await loadNative(name, async () => require(name));
  const { serve } = await import('./serve-cells.js');
  serve(new URL(import.meta.url));
}
