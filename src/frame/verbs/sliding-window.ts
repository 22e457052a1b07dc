import type { RowLists } from './row-groups.js';

/** What is known of some values: how many, their sum or an extreme, and the squares of their deviations. */
interface Part {
  many: number;
  value: number;
  squares: number;
}

/** A measure of which two neighbouring parts of a window tell that of both. */
interface Sliding {
  /** Of one value. */
  readonly one: (value: number) => Part;
  readonly both: (a: Part, b: Part) => Part;
  /** Of a window; of one without a value, too. */
  readonly answer: (part: Part) => number;
}

const NONE: Part = { many: 0, value: 0, squares: 0 };

function summed(answer: Sliding['answer']): Sliding {
  return {
    one: (value) => ({ many: 1, value, squares: 0 }),
    both: (a, b) => ({ many: a.many + b.many, value: a.value + b.value, squares: 0 }),
    answer,
  };
}

function extreme(choose: (a: number, b: number) => number): Sliding {
  return {
    one: (value) => ({ many: 1, value, squares: 0 }),
    both: (a, b) => ({ many: a.many + b.many, value: choose(a.value, b.value), squares: 0 }),
    answer: ({ many, value }) => (many === 0 ? Number.NaN : value),
  };
}

/** Of each part its mean and the squares of deviations from it: Chan, Golub and LeVeque (1979). */
const STD: Sliding = {
  one: (value) => ({ many: 1, value, squares: 0 }),
  both: (a, b) => {
    const many = a.many + b.many;
    const apart = b.value - a.value;
    return {
      many,
      value: a.value + (apart * b.many) / many,
      squares: a.squares + b.squares + (apart * apart * a.many * b.many) / many,
    };
  },
  answer: ({ many, squares }) => (many < 2 ? Number.NaN : Math.sqrt(squares / (many - 1))),
};

/** The measures of `slide`. */
export const SLIDING = {
  count: summed(({ many }) => many),
  sum: summed(({ value }) => value),
  mean: summed(({ many, value }) => (many === 0 ? Number.NaN : value / many)),
  min: extreme(Math.min),
  max: extreme(Math.max),
  std: STD,
} as const;

/**
 * A measure of the window of each row, without missing values. Each window is put together from parts, none of which is
 * ever subtracted, in a time that grows with the rows alone: a window is a stack of parts that end at one place, and
 * what came behind it.
 *
 * @param starts For each place of the runs, the first place of its window, never before that of the place before.
 */
export function slide(
  given: Float64Array,
  { starts: runStarts, rows }: RowLists,
  starts: Uint32Array,
  how: Sliding,
): Float64Array {
  const values = new Float64Array(given.length);
  const partAt = (place: number): Part => {
    const value = given[rows[place] as number] as number;
    return Number.isNaN(value) ? NONE : how.one(value);
  };
  const joined = (a: Part, b: Part): Part => (a.many === 0 ? b : b.many === 0 ? a : how.both(a, b));
  /** At each place below `middle`, the part from there to `middle`. */
  const stack: Part[] = new Array(rows.length);
  for (let run = 0; run + 1 < runStarts.length; run += 1) {
    let middle = runStarts[run] as number;
    let behind = NONE;
    for (let at = middle; at < (runStarts[run + 1] as number); at += 1) {
      behind = joined(behind, partAt(at));
      const start = starts[at] as number;
      if (start >= middle) {
        let part = NONE;
        for (let place = at; place >= start; place -= 1) {
          part = joined(partAt(place), part);
          stack[place] = part;
        }
        middle = at + 1;
        behind = NONE;
      }
      values[rows[at] as number] = how.answer(joined(stack[start] as Part, behind));
    }
  }
  return values;
}
