import { createRequire } from 'node:module';
import { isMainThread } from 'node:worker_threads';
import { loadNative } from '../../load-native.js';

// The same file is the process's entry and that of its watching thread, so that a build needs one entry for both.
if (isMainThread) {
  start().catch((error: Error) => {
    process.stderr.write(error.message);
    process.exitCode = 1;
  });
} else void import('./watch-lifeline.js').then(({ watchLifeline }) => watchLifeline());

/** What has native code is loaded first, so that it is known which of it cannot be loaded. */
async function start(): Promise<void> {
  const require = createRequire(import.meta.url);
  for (const name of ['oxc-parser', 'oxc-transform']) await loadNative(name, async () => require(name));
  const { serve } = await import('./serve.js');
  serve(new URL(import.meta.url));
}
