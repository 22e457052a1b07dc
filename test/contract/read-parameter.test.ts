import { describe, expect, it } from 'vitest';
import type { ParameterKind } from '../../src/contract/definition.js';
import { readParameter, Unreadable } from '../../src/contract/filters.js';

const wallet = `0x${'aB'.repeat(20)}`;
const other = `0x${'1'.repeat(40)}`;
const condition = `0x${'cD'.repeat(32)}`;
const short = `0x${'ef'.repeat(31)}`;
const hundred = Array.from({ length: 100 }, (_, n) => `0x${n.toString(16).padStart(40, '0')}`);

const VALID: [ParameterKind, unknown, unknown][] = [
  ['boolean', 'True', true],
  ['boolean', 'true', true],
  ['boolean', true, true],
  ['boolean', 'TRUE', true],
  ['boolean', 1, true],
  ['boolean', '0', false],
  ['boolean', 'False', false],
  ['boolean', 'false', false],
  ['boolean', false, false],
  ['boolean', ' True ', true],
  ['amount', '0', 0n],
  ['amount', '12.5', 12_500_000n],
  ['amount', 100_000, 100_000_000_000n],
  ['amount', '0.0000005', 1n],
  ['amount', '100.00000000000000000000000001', 100_000_001n],
  ['amount', '99.9999994', 100_000_000n],
  ['amount', '100.00000000', 100_000_000n],
  ['amount', '1000000000000', 10n ** 18n],
  ['signedAmount', '-12.5', -12_500_000n],
  ['signedAmount', -0.000001, -1n],
  ['signedAmount', '1000000000000.000000', 10n ** 18n],
  ['signedAmount', '-1000000000000', -(10n ** 18n)],
  ['count', '0', 0],
  ['count', 100, 100],
  ['count', ' 2147483647 ', 2_147_483_647],
  ['conditionIds', condition, [condition.toLowerCase()]],
  ['conditionIds', `${condition} ,${short},${condition}`, [condition.toLowerCase(), `${short}00`]],
  ['conditionIds', `${short},${short}00`, [`${short}00`]],
  ['tokenId', ` ${'7'.repeat(78)} `, '7'.repeat(78)],
  ['text', ' Election ', ' Election '],
  ['text', 50, '50'],
  ['text', '50%_', '50%_'],
  ['text', 'x'.repeat(500), 'x'.repeat(500)],
  ['text', '😀'.repeat(500), '😀'.repeat(500)],
  ['conditionId', condition, condition.toLowerCase()],
  ['conditionId', 'all', 'ALL'],
  ['conditionId', 'ALL', 'ALL'],
  ['wallet', wallet, [wallet.toLowerCase()]],
  ['wallet', `${wallet} , ${other},${wallet}`, [wallet.toLowerCase(), other]],
  ['wallet', hundred.join(','), hundred],
  ['unixSeconds', '1767225600', 1_767_225_600],
  ['unixSeconds', 1_767_225_600, 1_767_225_600],
  ['unixSeconds', '-1', -1],
  ['unixSeconds', '253402300799', 253_402_300_799],
  ['date', '1970-01-02', 1],
  ['date', '2024-02-29', 19_782],
  ['granularity', '1d', '1d'],
  ['granularity', '3d', '3d'],
  ['granularity', '1w', '1w'],
  ['granularity', '1m', '1m'],
  ['granularity', 'all', 'all'],
];

const INVALID: [ParameterKind, unknown][] = [
  ['boolean', 'T'],
  ['boolean', 'yes'],
  ['boolean', 2],
  ['boolean', {}],
  ['amount', '-1'],
  ['amount', '1e5'],
  ['amount', '0x10'],
  ['amount', 'NaN'],
  ['amount', '1,000'],
  ['amount', '1000000000000.000001'],
  ['amount', '1000000000000.0000001'],
  ['amount', 1e300],
  ['signedAmount', '1.0000001'],
  ['signedAmount', '--1'],
  ['signedAmount', '-1000000000000.000001'],
  ['signedAmount', '-1e5'],
  ['count', '-1'],
  ['count', '1.0'],
  ['count', '2147483648'],
  ['conditionIds', `${condition},`],
  ['conditionIds', `${condition},ALL`],
  ['conditionIds', `${hundred.map((id) => id.padEnd(66, 'a')).join(',')},${condition}`],
  ['conditionIds', [condition]],
  ['tokenId', 2 ** 60],
  ['tokenId', '7 7'],
  ['tokenId', '7'.repeat(101)],
  ['tokenId', 'a\0b'],
  ['choice', 'buy'],
  ['choice', ''],
  ['text', 'x'.repeat(501)],
  ['text', 'a\0b'],
  ['text', '\ud83d'],
  ['text', -(2 ** 53)],
  ['text', ['election']],
  ['text', { $ne: null }],
  ['conditionId', condition.slice(0, -1)],
  ['conditionId', condition.slice(2)],
  ['conditionId', 'none'],
  ['wallet', wallet.slice(0, -1)],
  ['wallet', `${wallet},`],
  ['wallet', `${wallet};${other}`],
  ['wallet', [wallet]],
  ['wallet', 'me'],
  ['wallet', [...hundred, other].join(',')],
  ['unixSeconds', '1767225600.5'],
  ['unixSeconds', '2026-01-01'],
  ['unixSeconds', '253402300800'],
  ['unixSeconds', '9999999999999'],
  ['unixSeconds', '1e9'],
  ['date', '2026-02-30'],
  ['date', '2026-01-01T00:00:00Z'],
  ['date', '1767225600'],
  ['date', '01/02/2026'],
  ['granularity', '1D'],
  ['granularity', '2d'],
  ['granularity', 'day'],
];

describe('a parameter', () => {
  it.each(VALID)('of kind %s reads %j', (kind, sent, value) => {
    expect(readParameter(kind, sent)).toEqual(value);
  });

  it.each(INVALID)('of kind %s refuses %j and says what would be right', (kind, sent) => {
    const read = readParameter(kind, sent);
    expect(read).toBeInstanceOf(Unreadable);
    expect(read).toEqual({ detail: expect.stringMatching(/^must /) });
  });

  it('of the kind choice reads its own words alone, in any case but for lengths of time', () => {
    for (const text of [' SELL ', 'sell', 'Sell']) expect(readParameter('choice', text, ['BUY', 'SELL'])).toBe('SELL');
    expect(readParameter('choice', 'sells', ['BUY', 'SELL'])).toEqual({ detail: 'must be one of BUY, SELL' });
    expect(readParameter('choice', '1M', ['1m', '1h'])).toEqual({ detail: 'must be one of 1m, 1h' });
  });

  it.each<[unknown, string]>([
    [null, 'must be a string'],
    [{}, 'must be a string'],
    [Number.POSITIVE_INFINITY, 'must be a string'],
    [Number.NaN, 'must be a string'],
    [2 ** 53, 'must be sent as a string: a JSON number of this size loses digits'],
  ])('of any kind refuses %j, which stands for no text', (sent, detail) => {
    for (const kind of ['amount', 'text', 'wallet'] as const) expect(readParameter(kind, sent)).toEqual({ detail });
  });

  it.each<[ParameterKind, string, string]>([
    ['amount', '9999999999999999999999', 'from 0 to 1000000000000,'],
    ['amount', '1000000000001', 'from 0 to 1000000000000,'],
    ['amount', `0.${'1'.repeat(27)}`, 'at most 26 decimal places'],
    ['unixSeconds', '-99999999999', 'from -62135596800 to 253402300799,'],
  ])('of kind %s that is out of range, such as %j, is told the range', (kind, sent, range) => {
    expect(readParameter(kind, sent)).toEqual({ detail: expect.stringContaining(range) });
  });
});
