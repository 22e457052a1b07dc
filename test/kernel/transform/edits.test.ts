import { describe, expect, it } from 'vitest';
import { Edits } from '../../../src/kernel/transform/edits.js';
import fc from '../../support/fast-check.js';
import { processorMs } from '../../support/processor-time.js';

describe('Edits', () => {
  it('replaces, moves and remembers where each character came from', () => {
    const edits = new Edits('one two three');
    edits.replace(0, 3, '1');
    edits.replace(13, 13, '!');
    edits.hoist(4, 8);
    edits.prepend('>');
    const { text, origin } = edits.apply();
    expect(text).toBe('>two \n1 three!');
    expect([0, 1, 3, 6, 7, 8, 13].map(origin)).toEqual([0, 4, 6, 0, 3, 8, 13]);
  });

  it('nests what it wraps, the earlier around the later of one range', () => {
    const edits = new Edits('a+b');
    edits.wrap(0, 3, '<1 ', ' 1>');
    edits.wrap(2, 3, '<3 ', ' 3>');
    edits.wrap(0, 3, '<2 ', ' 2>');
    edits.wrap(0, 1, '<4 ', ' 4>');
    expect(edits.apply().text).toBe('<1 <2 <4 a 4>+<3 b 3> 2> 1>');
  });

  it('moves what ends a range along with it, and leaves what begins behind it', () => {
    const edits = new Edits('abc');
    edits.wrap(0, 1, '', '1');
    edits.wrap(1, 2, '', '2');
    edits.wrap(2, 3, '(', ')');
    edits.hoist(1, 2);
    expect(edits.apply().text).toBe('b2\na1(c)');
  });

  it('moves many ranges with what is edited in them in time that grows with the text alone', () => {
    const count = 5000;
    const edits = new Edits('ab'.repeat(count));
    for (let at = 0; at < 2 * count; at += 2) {
      edits.replace(at, at + 1, 'c');
      edits.hoist(at, at + 1);
    }
    const start = processorMs();
    expect(edits.apply().text).toBe('c\n'.repeat(count) + 'b'.repeat(count));
    expect(processorMs() - start).toBeLessThan(1000);
  });

  it('keeps the origin of every character that it copies', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 6 }), fc.string(), (source, put) => {
        const edits = new Edits(source);
        edits.replace(1, 2, put);
        edits.hoist(3, 5);
        const { text, origin } = edits.apply();
        const tail = [...source.slice(5)].join('');
        for (let back = 1; back <= tail.length; back++) {
          const at = text.length - back;
          expect(text[at]).toBe(source[origin(at)]);
        }
      }),
    );
  });
});
