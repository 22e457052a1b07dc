import { expect, it } from 'vitest';
import { LoneSurrogates } from '../../../src/service/ingest/even-out.js';
import fc from '../../support/fast-check.js';

const pieces = fc.array(
  fc.constantFrom('\\ud83d', '\\uD83D', '\\ude00', '\\uDE00', '\\u00e9', '\\\\', '\\"', ',', 'u', 'ud83d', 'é', '😀'),
  { maxLength: 8 },
);

it('is whole characters as they were and U+FFFD for halves, wherever blocks end, and holds back no more than a pair', () => {
  const property = fc.property(fc.array(pieces), fc.array(fc.nat(200)), (texts, cuts) => {
    const json = `[${texts.map((each) => `"${each.join('')}"`).join()}]`;
    const bytes = Buffer.from(json);
    const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
    const surrogates = new LoneSurrogates();
    let held = 0;
    const blocks = places.map((place, i) => {
      const block = bytes.subarray(places[i - 1] ?? 0, place);
      const mended = surrogates.add(block);
      held += block.length - mended.length;
      expect(held).toBeLessThanOrEqual('\\ud83d\\ude00'.length);
      return mended;
    });
    const mended = Buffer.concat([...blocks, surrogates.end()]).toString();
    const values: string[] = JSON.parse(json);
    // Text that is encoded has U+FFFD for halves.
    const whole = values.map((each) => Buffer.from(each).toString());
    expect(JSON.parse(mended)).toEqual(whole);
    expect(surrogates.areThere).toBe(whole.join() !== values.join());
    if (!surrogates.areThere) expect(mended).toBe(json);
  });
  fc.assert(property, { numRuns: 1000 });
});
