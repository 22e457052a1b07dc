import { describe, expect, it } from 'vitest';
import { requestSchema } from '../../src/contract/envelope-schema.js';
import { plainEnvelope } from '../../src/contract/plain-envelope.js';
import fc from '../support/fast-check.js';

const number = fc.oneof(
  fc.constantFrom(0, 1, 200, 574, 1000, 1001, -1, 1.5, 2 ** 53 - 1, 2 ** 53, -(2 ** 53), 1e300, -0),
  fc.integer(),
);
const value = fc.oneof(number, fc.jsonValue({ maxDepth: 2 }), fc.constant(undefined));
const some = (members: Record<string, fc.Arbitrary<unknown>>) => fc.record(members, { requiredKeys: [] });
const odd = fc.dictionary(fc.constantFrom('limit', 'agent_id', 'x', '__proto__', 'constructor', '1'), value);
const mixed = (plain: fc.Arbitrary<unknown>) => fc.oneof({ weight: 6, arbitrary: plain }, odd, value);

const bodies = mixed(
  some({
    agent_id: mixed(number),
    params: mixed(odd),
    pagination: mixed(
      some({ limit: fc.oneof(fc.integer({ min: 1, max: 1000 }), value), offset: fc.oneof(fc.nat(), value) }),
    ),
    formatter_config: fc.constantFrom({}, { format_type: 'raw' }, { format_type: 'csv' }),
  }),
);

/** As it comes from a request, in which `__proto__` is a member like others. */
const asSent = (body: unknown): unknown => (body === undefined ? undefined : JSON.parse(JSON.stringify(body)));

describe('plainEnvelope', () => {
  it('reads what the schema reads, to the same, and nothing that the schema refuses', () => {
    let read = 0;
    fc.assert(
      fc.property(bodies, (made) => {
        const body = asSent(made);
        const envelope = plainEnvelope(body);
        if (!envelope) return;
        read++;
        expect(requestSchema.safeParse(body)).toEqual({ success: true, data: envelope });
      }),
      { numRuns: 5000 },
    );
    expect(read).toBeGreaterThan(100);
  });

  it.each<[object, object]>([
    [{ agent_id: 586 }, { limit: 200, offset: 0 }],
    [
      { agent_id: 586, params: { wallet_address: '0x' } },
      { limit: 200, offset: 0 },
    ],
    [
      { agent_id: 586, pagination: { limit: 10 } },
      { limit: 10, offset: 0 },
    ],
    [
      { agent_id: 586, params: {}, pagination: { limit: 1000, offset: 2 ** 53 - 1 } },
      { limit: 1000, offset: 2 ** 53 - 1 },
    ],
  ])('reads %j, as most clients send it', (body, pagination) => {
    expect(plainEnvelope(body)).toEqual({ ...body, pagination });
  });
});
