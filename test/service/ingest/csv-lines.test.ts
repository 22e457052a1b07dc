import { expect, it } from 'vitest';
import { CsvLines } from '../../../src/service/ingest/even-out.js';
import fc from '../../support/fast-check.js';

function told(blocks: readonly string[]): Partial<CsvLines> {
  const lines = new CsvLines();
  for (const block of blocks) lines.add(Buffer.from(block));
  return { unclosedOn: lines.unclosedOn, haveMixedEnds: lines.haveMixedEnds };
}

it.each<[string, number | undefined]>([
  ['a,b\n1,"open\n2,"x",3\n4,5\n6,"y\n', 2],
  ['a,b\n1,"two\nlines"\n3,"x"\n', undefined],
  ['a,b\n1,"a ""b""\n"\n', undefined],
  ['a,b\n1,x\n2,"cut off\n', undefined],
  ['a,b\n1,"open\n2,x\n', 2],
])('%j has a quoted value without an end on line %j', (text, unclosedOn) => {
  expect(told([text])).toEqual({ unclosedOn, haveMixedEnds: false });
});

it('are told the same of, wherever blocks end', () => {
  const text = fc.array(fc.constantFrom('a', ',', '"', '\n', '\r\n')).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(text, fc.nat(40), (csv, cut) => {
      expect(told([...csv])).toEqual(told([csv]));
      expect(told([csv.slice(0, cut), csv.slice(cut)])).toEqual(told([csv]));
    }),
    { numRuns: 2000 },
  );
});
