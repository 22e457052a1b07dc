import { describe, expect, it } from 'vitest';
import { narrowSpec } from '../../../src/charts/design/narrow-spec.js';
import type { Chart } from '../../../src/charts/drawing/chart.js';
import { renderSvg } from '../../../src/charts/drawing/render-svg.js';
import { volumeByEventChart } from '../../../src/charts/volume-by-event-chart.js';
import { DataFrame } from '../../../src/frame/danfo/danfo.js';

function valuesOf({ spec }: Chart): Record<string, unknown>[] {
  return Reflect.get(Object(spec.data), 'values');
}

describe('an event', () => {
  const slug = 'nairobi-sparks-vs-oslo-comets-163';
  const namesOf = (questions: (string | null)[]) =>
    valuesOf(
      volumeByEventChart(
        new DataFrame({
          event_slug: questions.map(() => slug),
          question: questions,
          volume_total: questions.map(() => 9),
        }),
      ),
    ).map(({ name }) => name);
  it.each<[string, (string | null)[]]>([
    ['Will it rain?', ['Will it rain?']],
    ['Oslo vs. Lima (May 3) (2 markets)', ['Oslo vs. Lima (May 3)', 'Oslo vs. Lima (May 3): O/U 2.5']],
    [
      'Will the … win the Cup in May? (2 markets)',
      ['Will the Foxes win the Cup in May?', 'Will the Old Crows win the Cup in May?'],
    ],
    [
      'Will the Bitcoin gain be … (2 markets)',
      ['Will the Bitcoin gain be -5 to 0%?', ' Will the Bitcoin gain be 0 to 5%?'],
    ],
    ['Will it snow? (2 markets)', ['Will it snow?', 'Will it snow?']],
    ['Will it snow? (2 markets)', ['Will it snow?', null]],
    ['Nairobi sparks vs oslo comets 163 (2 markets)', ['Foxes to win 1 maps?', 'Old Crows to lose 2 maps?']],
    ['Nairobi sparks vs oslo comets 163 (2 markets)', [null, null]],
  ])('is called %s by its questions', (name, questions) => {
    expect(namesOf(questions)).toEqual([name]);
  });
});

it('names events in two lines on a phone, told apart where they would be cut alike', async () => {
  const long = 'Will the return of a rather long index in the whole of the month that goes to the end';
  const questions = [
    'Nairobi Sparks vs. Oslo Comets (Coastal Cup, the final of December 3)',
    `${long} of May?`,
    `${long} of June, as told?`,
  ];
  const frame = new DataFrame({ event_slug: ['a', 'b', 'c'], question: questions, volume_total: [3, 2, 1] });
  const chart = volumeByEventChart(frame);
  const narrow = valuesOf(chart).map((row) => String(row.narrow));
  expect(new Set(narrow).size).toBe(3);
  expect(narrow[0]).toBe('Nairobi Sparks vs. Oslo Comets (Coastal Cup, the final of\nDecember 3)');
  const phone = await renderSvg(narrowSpec(chart.spec, 340), { theme: 'light' }, () => {});
  const whole = await chart.toSvg();
  expect([phone, whole].map((svg) => svg.includes('>December 3)</tspan>'))).toEqual([true, false]);
  expect(whole).toContain(`>${questions[0]}</text>`);
});

it('falls back to the slugs where two events would have one name', () => {
  const frame = new DataFrame({
    event_slug: ['cup-1', 'cup-1', 'cup-2', 'cup-2'],
    question: ['A', 'B', 'C', 'D'].map((team) => `Will ${team} win the Cup?`),
    volume_total: [4, 3, 2, 1],
  });
  expect(valuesOf(volumeByEventChart(frame)).map(({ name }) => name)).toEqual([
    'Cup 1 (2 markets)',
    'Cup 2 (2 markets)',
  ]);
});
