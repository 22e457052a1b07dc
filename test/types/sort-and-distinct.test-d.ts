import { distinct } from '../../src/frame/verbs/group-by.js';
import { sortBy, topN } from '../../src/frame/verbs/sort-by.js';
import { profits, same, unknown } from './frames.js';

const sorted = sortBy(profits, ['date', { column: 'pnl', descending: true }]);
same<typeof sorted, typeof profits>(true);
same<ReturnType<typeof topN<{ a: number }>>, ReturnType<typeof sortBy<{ a: number }>>>(true);
topN(profits, 3, 'pnl');
distinct(profits);
distinct(profits, 'wallet');
distinct(profits, ['wallet', 'date']);
sortBy(unknown, 'anything');
distinct(unknown, ['any', 'thing']);

// @ts-expect-error A misspelt column.
sortBy(profits, 'pln');
// @ts-expect-error A misspelt column in a key with its direction.
sortBy(profits, { column: 'pln' });
// @ts-expect-error A misspelt column among others.
sortBy(profits, ['date', 'pln']);
// @ts-expect-error A misspelt column.
topN(profits, 3, 'pln');
// @ts-expect-error A misspelt column.
distinct(profits, 'walet');
// @ts-expect-error A misspelt column among others.
distinct(profits, ['wallet', 'dat']);
