import { describe, expect, it } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../src/kernel/wire/event-frames.js';
import fc from '../../support/fast-check.js';

describe('FrameDecoder', () => {
  it('reads what was encoded, however the bytes are cut', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(fc.nat(40)), (messages, cuts) => {
        const bytes = Buffer.concat(messages.map(encodeFrame));
        const decoder = new FrameDecoder<string>();
        const read: string[] = [];
        let position = 0;
        for (const cut of [...cuts, bytes.length]) {
          read.push(...decoder.push(bytes.subarray(position, position + cut)));
          position += cut;
        }
        expect(read).toEqual(messages);
      }),
    );
  });
});
