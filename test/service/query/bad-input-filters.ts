import type { Parameter, ParameterKind } from '../../../src/contract/definition.js';
import { conditionOf, walletOf } from '../../support/raw-records.js';

/** Filter values that are accepted, and those that are refused with the filter's pointer. */
export interface Values {
  taken: readonly unknown[];
  refused: readonly unknown[];
}

const NOTHING = [null, '', '  ', '\t\n'];
const WRONG_TYPES: readonly unknown[] = [[], {}, [1], ['True'], { $ne: null }, { toString: 'x' }, [[[]]]];
const QUOTES = [
  "' OR '1'='1",
  '"; --',
  '1; DROP TABLE market_rows',
  "')) UNION SELECT 1 --",
  '$p0',
  '#{7*7}',
  '%',
  '_',
];
const NUMBERS_IN_WORDS = [
  'NaN',
  'nan',
  'Infinity',
  '-Infinity',
  'inf',
  '1e5',
  '1E5',
  '0x10',
  '0b1',
  '1n',
  '1_000',
  '1/2',
];
const FOREIGN_DIGITS = ['１００', '١٠٠', '½', '²', '1\u200b', '1\0', '１'];

const amount: Values = {
  taken: [
    ...NOTHING,
    ...['0', '0.0', '100000', '0.000001', '0.0000001', '007', ' 5 ', '1000000000000', '\ufeff1'],
    ...[0, 5, 2.5, 1e5, 1e12, 1e-7, 5e-324],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...NUMBERS_IN_WORDS,
    ...FOREIGN_DIGITS,
    ...['-1', '-0', '+1', '.5', '5.', '1.2.3', '1,000', '1 000', '$100', '100%', '--1', '1-', '1000000000000.0000001'],
    ...['1000000000001', '9223372036854775807', '9223372036854775808', '18446744073709551616', '1'.repeat(400)],
    ...['1'.repeat(100_000), `0.${'0'.repeat(400)}1`],
    ...[-1, -0.5, 1e13, 2 ** 53, 2 ** 63, 1e21, 1e308, true, false],
  ],
};

const text: Values = {
  taken: [
    ...NOTHING,
    ...QUOTES,
    ...['*', '.*', '\\', '\\%', "'", '"', '`', '/* */', '--', ';', '../../etc/passwd', '<script>alert(1)</script>'],
    ...['{{7*7}}', ':name', '$1', '@@version', '%00', '\r\nX-Injected: 1', 'null', 'undefined', 'NaN', '__proto__'],
    ...[
      'constructor',
      'toString',
      '\u0001',
      '\u007f',
      '\u202e',
      'a\u200bb',
      '😀',
      'é',
      'e\u0301',
      'İ',
      'ß',
      'ﬃ',
      '\ufffd',
      '\uffff',
    ],
    ...['x'.repeat(500), '😀'.repeat(500), ` ${'x'.repeat(498)} `, 0, 5, -1.5, true, false, Number.MAX_SAFE_INTEGER],
  ],
  refused: [
    ...WRONG_TYPES,
    ...['\0', 'a\0b', '\ud800', 'a\udc00', '\udc00\ud800', 'x'.repeat(501), '😀'.repeat(501), 'x'.repeat(100_000)],
    ...[2 ** 53, -(2 ** 53), 1e21, 1e300],
  ],
};

const unixSeconds: Values = {
  taken: [
    ...NOTHING,
    ...['0', '-0', '-1', '0000000001', '1767225600', ' 5 ', '253402300799', '-62135596800'],
    ...[0, -1, 1e9, 1_767_225_600, 253_402_300_799],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...NUMBERS_IN_WORDS,
    ...FOREIGN_DIGITS,
    ...['253402300800', '-62135596801', '1767225600000', '1.5', '1.0', '+5', '--1', '-', '1,2', '1 2', 'now', 'today'],
    ...['2026-01-01', '2026-01-01T00:00:00Z', '9223372036854775807', '9223372036854775808', '-9223372036854775809'],
    ...[5e-324, 1e-7, 1.5, 253_402_300_800, 1_767_225_600_000, 2 ** 53, 2 ** 63, 1e300, true, false],
  ],
};

const date: Values = {
  taken: [
    ...NOTHING,
    ...['2026-01-01', ' 2026-01-01 ', '2024-02-29', '2000-02-29', '1900-02-28', '0001-01-01', '9999-12-31'],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...['2026-02-29', '2026-02-30', '2026-04-31', '1900-02-29', '2100-02-29', '2026-13-01', '2026-00-10', '2026-01-00'],
    ...['2026-01-32', '2026-1-1', '26-01-01', '20260101', '2026/01/01', '01-01-2026', '2026-01-01T00:00:00Z'],
    ...[
      '2026-01-01 00:00',
      '+2026-01-01',
      '-2026-01-01',
      '12026-01-01',
      '2026-W01-1',
      '2026-001',
      'today',
      'Jan 1 2026',
    ],
    ...[
      '２０２６-01-01',
      '2026‐01‐01',
      '2026–01–01',
      '2026-01-01\0',
      '2026-01-01;--',
      '2026-0a-01',
      '1767225600',
      'NaN',
    ],
    ...[1_767_225_600, 20_260_101, 2026, true],
  ],
};

const granularity: Values = {
  taken: [...NOTHING, '1d', '3d', '1w', '1m', 'all', ' 1d '],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...[
      '1D',
      '1M',
      '1W',
      'ALL',
      'All',
      '2d',
      '7d',
      '1h',
      '1y',
      '1',
      'd',
      'daily',
      'month',
      '1 d',
      '１d',
      '1d,1w',
      '0d',
      '-1d',
    ],
    ...['1.0d', '1d;', '1d\0', 'аll', 'null', 1, 0, true],
  ],
};

const boolean: Values = {
  taken: [
    ...NOTHING,
    ...['True', 'true', 'TRUE', 'tRUE', '1', 'False', 'false', 'FALSE', '0', ' True ', '\ufeffTrue', ' 1 '],
    ...[true, false, 1, 0],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...['yes', 'no', 'on', 't', '2', '-1', '01', '00', '1.0', 'null', 'None', 'undefined', 'True,False', 'True;'],
    ...['Тrue', 'Ｔrue', 'True\0', 'True\u200b', 'Truе', '１', -1, 1.5, 2],
  ],
};

const condition = conditionOf(1);
const conditionId: Values = {
  taken: [
    ...NOTHING,
    ...[
      condition,
      condition.toUpperCase(),
      `0x${'AB'.repeat(32)}`,
      ` ${condition} `,
      conditionOf(999),
      'ALL',
      'all',
      'All',
    ],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...['0x', '0x12', condition.slice(2), condition.slice(0, -1), `${condition}0`, condition.replace('0x', 'x')],
    ...[
      `${condition.slice(0, -1)}g`,
      `${condition},${condition}`,
      `${condition}\0`,
      `${condition}'--`,
      `${condition}%`,
    ],
    ...[
      'ALL,ALL',
      'ANY',
      '*',
      'АLL',
      'A LL',
      walletOf(1),
      condition.replace('0x', '0х'),
      condition.replace('0x', '０x'),
    ],
    ...[0, 1, 1e63, true],
  ],
};

const one = walletOf(1);
const many = (count: number) => Array.from({ length: count }, (_, n) => walletOf(n)).join();
const wallet: Values = {
  taken: [
    ...[
      one,
      one.toUpperCase(),
      `0x${'aB'.repeat(20)}`,
      ` ${one} `,
      `${one},${walletOf(2)}`,
      `${one} ,\n${walletOf(2)}`,
    ],
    ...[`${one},${one}`, Array(5000).fill(one).join(), many(100), walletOf(999)],
  ],
  refused: [
    ...NOTHING,
    ...WRONG_TYPES,
    ...QUOTES,
    ...['0x', '0x12', one.slice(2), one.slice(0, -1), `${one}0`, `${one.slice(0, -1)}g`, ',', `${one},`, `,${one}`],
    ...[`${one},,${one}`, `${one};${one}`, `${one} ${one}`, `${one}' OR '1'='1`, `${one}\0`, `${one}%`, many(101)],
    ...[
      'ALL',
      'me',
      'vitalik.eth',
      condition,
      one.replace('0x', '0х'),
      one.replace('0x', '０x'),
      `${one}\u200b`,
      '1'.repeat(100_000),
    ],
    ...[0, 1, 1e39, true, false],
  ],
};

const signedAmount: Values = {
  taken: [...NOTHING, '0', '-0', '-12.5', '12.500000', '-0.000001', ' -5 ', '-1000000000000', 0, -2.5, 1e12, -1e12],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...NUMBERS_IN_WORDS,
    ...FOREIGN_DIGITS,
    ...['+1', '.5', '5.', '--1', '1-', '- 1', '-1,000', '1.0000001', '1000000000001', '-1000000000000.000001'],
    ...['1'.repeat(100_000), 1e13, -1e13, 2 ** 63, 1e-7, true, false],
  ],
};

const count: Values = {
  taken: [...NOTHING, '0', '007', '2147483647', ' 5 ', 0, 5, 2_147_483_647],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...NUMBERS_IN_WORDS,
    ...FOREIGN_DIGITS,
    ...['-1', '+1', '1.0', '1,000', '2147483648', '9'.repeat(400), -1, 1.5, 2_147_483_648, 2 ** 53, true, false],
  ],
};

const conditionIds: Values = {
  taken: [
    ...NOTHING,
    ...[condition, condition.toUpperCase(), ` ${condition} `, condition.slice(0, -2), `${condition},${conditionOf(2)}`],
    ...[`${condition} ,\n${conditionOf(2)}`, Array.from({ length: 100 }, (_, n) => conditionOf(n)).join()],
  ],
  refused: [
    ...WRONG_TYPES,
    ...QUOTES,
    ...['0x', '0x12', condition.slice(2), condition.slice(0, -1), `${condition},`, `,${condition}`, `${condition},ALL`],
    ...[`${condition};${condition}`, `${condition}\0`, walletOf(1), 'ANY', '*', 0, 1e63, true],
    Array.from({ length: 101 }, (_, n) => conditionOf(n)).join(),
  ],
};

/** Any text: its choices, which the kind alone does not tell, are tested with the contract. */
const choice: Values = { taken: NOTHING, refused: [...WRONG_TYPES, ...QUOTES, 'аll', 'null', '0', 5, true] };

const tokenId: Values = {
  taken: [...NOTHING, '7', '7'.repeat(78), ' 7 ', 'YES-2026', "';--", '%', '*', 'null', '__proto__', 7, 0, true],
  refused: [
    ...WRONG_TYPES,
    ...["' OR '1'='1", '7 7', '7\n7', '7'.repeat(101), '7'.repeat(100_000), '\uff17', 'é', '7\0', '7\u200b', '\ud800'],
    ...[2 ** 53, 1e76, -(2 ** 60)],
  ],
};

/** The values that a filter accepts and refuses: its kind's, nothing only if it may be left out, and its wildcard. */
export function valuesOf({ kind, required, wildcard }: Parameter): Values {
  const { taken, refused } = FILTER_VALUES[kind];
  const isAny = (value: unknown) => NOTHING.includes(value as string) || (wildcard && value === wildcard);
  const any = [...NOTHING, ...(wildcard ? [wildcard] : [])];
  const plain = { taken: taken.filter((value) => !isAny(value)), refused: refused.filter((value) => !isAny(value)) };
  return required
    ? { taken: plain.taken, refused: [...plain.refused, ...any] }
    : { taken: [...plain.taken, ...any], refused: plain.refused };
}

/** The values that each kind of filter accepts and refuses. */
export const FILTER_VALUES: Readonly<Record<ParameterKind, Values>> = {
  boolean,
  amount,
  signedAmount,
  count,
  text,
  tokenId,
  choice,
  conditionIds,
  conditionId,
  wallet,
  unixSeconds,
  date,
  granularity,
};
