import { describe, expect, it } from 'vitest';
import { DataError } from '../../../src/base/errors.js';
import { struckOut } from '../../../src/service/http/problems.js';

const wallets = ['0xABCDEF0000000000000000000000000000000001', '0x0000000000000000000000000000000000000002'];

describe('an error that is logged', () => {
  it('holds nothing of what the request said, nor do its causes', () => {
    const cause = new Error(`Conversion of '${wallets[0]?.toLowerCase()}'`);
    const error = new DataError(`No rows for ${wallets.join(',')} in slug-x`, { cause });
    const body = { agent_id: 569, params: { wallet: wallets.join(','), market_slug: 'slug-x', granularity: '1d' } };
    const told = struckOut(error, body) as Error;
    expect(told.name).toBe('DataError');
    expect(told.message).toBe('No rows for … in …');
    expect((told.cause as Error).message).toBe("Conversion of '…'");
    expect(`${told.stack} ${(told.cause as Error).stack}`).not.toMatch(/abcdef|slug-x/i);
    expect(told.stack).toContain('struck-out.test.ts');
  });

  it('is itself where the request said nothing', () => {
    const error = new DataError('No disk');
    for (const body of [undefined, null, 7, 'text', {}, { params: null }, { params: { a: 1 } }]) {
      expect(struckOut(error, body)).toBe(error);
    }
  });
});
