import { setTimeout as sleep } from 'node:timers/promises';
import { pagedResults } from './paged-queries.js';

/** Few records a page, so that each query takes many pages. */
const PAGE = 10;

// Asks a service page by page until its stdin ends; prints a line of JSON for each query.
const [url = '', key = '', names = ''] = process.argv.slice(2);
let isOver = false;
process.stdin.resume().once('end', () => {
  isOver = true;
});
for await (const result of pagedResults({ url, key }, JSON.parse(names), Number.POSITIVE_INFINITY, PAGE)) {
  process.stdout.write(`${JSON.stringify(result)}\n`);
  if (isOver) break;
  await sleep(20);
}
// A kept connection would keep the process.
process.exit(0);
