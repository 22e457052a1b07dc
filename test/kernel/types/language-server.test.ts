import { expect, it } from 'vitest';
import { frameMessage, MessageFrames } from '../../../src/kernel/types/language-server.js';
import fc from '../../support/fast-check.js';

it('gives the messages of a stream, however it is cut', () => {
  const message = fc.record({ id: fc.nat(), text: fc.string({ unit: 'grapheme' }) });
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.array(fc.nat(60), { minLength: 1 }), (messages, cuts) => {
      const bytes = Buffer.from(messages.map(frameMessage).join(''));
      const frames = new MessageFrames();
      const read: unknown[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn++) {
        const size = 1 + (cuts[turn % cuts.length] ?? 0);
        read.push(...frames.add(bytes.subarray(at, at + size)));
        at += size;
      }
      expect(read).toEqual(messages.map((each) => ({ jsonrpc: '2.0', ...each })));
    }),
  );
});
