import { isMainThread } from 'node:worker_threads';

// The same file is the process's entry and that of its watching thread, so that a build needs one entry for both.
if (isMainThread) {
  const { serve } = await import('./serve.js');
  serve(new URL(import.meta.url));
} else {
  const { watchLifeline } = await import('./watch-lifeline.js');
  watchLifeline();
}
