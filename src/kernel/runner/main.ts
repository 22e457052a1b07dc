import { isMainThread } from 'node:worker_threads';

// The same file is the process's entry and that of its watching thread, so that a build needs one entry for both.
if (isMainThread) void import('./serve.js').then(({ serve }) => serve(new URL(import.meta.url)));
else void import('./watch-lifeline.js').then(({ watchLifeline }) => watchLifeline());
