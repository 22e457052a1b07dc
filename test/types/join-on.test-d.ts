import { column } from '../../src/frame/tabular/column-values.js';
import { joinOn } from '../../src/frame/verbs/join-on.js';
import { profits, same, unknown, wallets } from './frames.js';

const inner = joinOn(profits, wallets, 'wallet');
const theirs = column(inner, 'pnl_right');
same<typeof theirs, Float64Array>(true);
const labels = column(inner, 'label');
same<typeof labels, string[]>(true);
const left = joinOn(profits, wallets, ['wallet'], { kind: 'left', suffix: '_of_wallet' });
const missing = column(left, 'label');
same<typeof missing, (string | null)[]>(true);
column(left, 'pnl_of_wallet');
const anti = joinOn(profits, wallets, 'wallet', { kind: 'anti' });
same<typeof anti, typeof profits>(true);
const semi = joinOn(profits, wallets, 'wallet', { kind: 'semi', validate: 'm:1' });
same<typeof semi, typeof profits>(true);
const outer = joinOn(profits, wallets, 'wallet', { kind: 'outer' });
const someLabels = column(outer, 'label');
same<typeof someLabels, (string | null)[]>(true);
const someDates = column(outer, 'date');
same<typeof someDates, (string | null)[]>(true);
const allKeys = column(outer, 'wallet');
same<typeof allKeys, string[]>(true);
const right = joinOn(profits, wallets, { date: 'label' }, { kind: 'right' });
const rightDates = column(right, 'date');
same<typeof rightDates, string[]>(true);
const rightWallets = column(right, 'wallet');
same<typeof rightWallets, (string | null)[]>(true);
const theirWallets = column(right, 'wallet_right');
same<typeof theirWallets, string[]>(true);
const byOtherName = joinOn(profits, wallets, { wallet: 'label' });
column(byOtherName, 'wallet_right');
column(joinOn(profits, unknown, 'wallet'), 'anything');
column(joinOn(unknown, profits, 'wallet'), 'anything');

// @ts-expect-error A key that neither has.
joinOn(profits, wallets, 'walet');
// @ts-expect-error A key that the right frame lacks.
joinOn(profits, wallets, 'date');
// @ts-expect-error One among several keys that the right frame lacks.
joinOn(profits, wallets, ['wallet', 'date']);
// @ts-expect-error A name that the right frame lacks.
joinOn(profits, wallets, { wallet: 'adress' });
// @ts-expect-error A name that the left frame lacks.
joinOn(profits, wallets, { walet: 'wallet' });
// @ts-expect-error No such kind of join.
joinOn(profits, wallets, 'wallet', { kind: 'full' });
// @ts-expect-error No such validation.
joinOn(profits, wallets, 'wallet', { validate: '1:n' });
// @ts-expect-error The right frame's key is not in the result.
column(byOtherName, 'label');
// @ts-expect-error An anti join has the left columns alone.
column(anti, 'label');
// @ts-expect-error The clashing column got the suffix that was given.
column(left, 'pnl_right');
