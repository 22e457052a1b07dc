import { z } from 'zod';

const column = z.string().min(1);
const words = z.array(z.string().min(1)).min(1);

/** A word for a side as it is compared: case and spaces around it do not matter. */
export const plain = (word: string): string => word.trim().toLowerCase();

const UNITS = {
  size: z.enum(['shares', 'millionths']),
  price: z.enum(['dollars', 'cents']),
  dollars: z.enum(['dollars', 'cents', 'micro-dollars']),
  time: z.enum(['seconds', 'milliseconds', 'microseconds', 'nanoseconds', 'date']),
};

const name = z.string().regex(/^[\w .-]{1,60}$/, 'should be 1 to 60 letters, digits, spaces, dots or dashes');

const fills = z.strictObject({
  name,
  records: z.literal('fills'),
  columns: z
    .strictObject({
      wallet: column,
      side: column,
      token: column,
      size: column,
      time: column,
      price: column.optional(),
      usd: column.optional(),
      condition_id: column.optional(),
      transaction: column.optional(),
      id: column.optional(),
    })
    .refine(({ price, usd }) => price !== undefined || usd !== undefined, 'should name price, usd or both'),
  units: z
    .strictObject({
      size: UNITS.size.default('shares'),
      price: UNITS.price.default('dollars'),
      usd: UNITS.dollars.default('dollars'),
      time: UNITS.time.optional(),
    })
    .prefault({}),
  sides: z
    .strictObject({ buy: words.default(['buy']), sell: words.default(['sell']) })
    .refine(({ buy, sell }) => !buy.some((word) => sell.map(plain).includes(plain(word))), 'should not share a word')
    .prefault({}),
});

const markets = z.strictObject({
  name,
  records: z.literal('markets'),
  columns: z.strictObject({
    condition_id: column,
    slug: column,
    closed: column,
    token_a: column,
    token_b: column,
    outcome_a: column,
    outcome_b: column,
    question: column.optional(),
    event_slug: column.optional(),
    volume: column.optional(),
    start: column.optional(),
    end: column.optional(),
    close: column.optional(),
    winner: column.optional(),
  }),
  units: z.strictObject({ volume: UNITS.dollars.default('dollars'), time: UNITS.time.optional() }).prefault({}),
});

/** The content of a mapping file. */
export const mappingSchema = z.discriminatedUnion('records', [fills, markets]);

/** A mapping of fills. */
export type FillsMapping = z.output<typeof fills>;

/** A mapping of markets. */
export type MarketsMapping = z.output<typeof markets>;

/** How to read the columns of a file in no known format: which is which, in what units and with what words. */
export type Mapping = FillsMapping | MarketsMapping;
