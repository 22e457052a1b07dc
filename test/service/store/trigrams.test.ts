import { expect, it } from 'vitest';
import {
  inBoth,
  type Places,
  TrigramCollector,
  trigramsOf,
  unpackPlaces,
} from '../../../src/service/store/trigrams.js';
import fc from '../../support/fast-check.js';

/** Ascending places of a segment: few or many, near each other or far apart. */
const placeLists = fc
  .tuple(fc.constantFrom(200, 5000, 65_535), fc.constantFrom(3, 60, 3000))
  .chain(([most, maxLength]) => fc.uniqueArray(fc.nat(most), { maxLength, size: 'max' }))
  .map((places) => Uint16Array.from(places).sort());

function placesOf(numbers: Uint16Array): Places {
  return { numbers, length: numbers.length };
}

it('what two lists share is what two sets share, whichever is the longer', () => {
  fc.assert(
    fc.property(placeLists, placeLists, (some, others) => {
      const known = new Set(others);
      const into = new Uint16Array(Math.min(some.length, others.length) + 1);
      const { numbers, length } = inBoth(placesOf(some), placesOf(others), into);
      expect([...numbers.subarray(0, length)]).toEqual([...some].filter((place) => known.has(place)));
    }),
    { numRuns: 300 },
  );
});

it('a list reads back to the places that it was made of', () => {
  const collector = new TrigramCollector();
  fc.assert(
    fc.property(placeLists, (places) => {
      for (const place of places) collector.add(place, Buffer.from('abc'));
      const { trigrams, lists } = collector.take();
      expect(trigrams).toEqual(places.length === 0 ? [] : trigramsOf(Buffer.from('abc')));
      expect(lists.map((list) => unpackPlaces(list))).toEqual(places.length === 0 ? [] : [places]);
    }),
    { numRuns: 100 },
  );
});
