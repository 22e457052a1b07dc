import { secondsOf } from './event-columns.js';
import type { Format } from './format.js';

/** Times of blocks as prediction-market-analysis keeps them; its trades have no time themselves. */
export const pmaBlocksFormat: Format = {
  id: 'pma-blocks',
  name: 'prediction-market-analysis blocks',
  into: 'blocks',
  required: ['block_number', 'timestamp'],
  optional: [],
  without: ['transaction_hash', 'log_index', 'maker'],
  select: (source) => `
    WITH typed AS (
      SELECT try_cast(block_number AS BIGINT) AS block, ${secondsOf('timestamp')} AS ts, _row AS row FROM ${source})
    SELECT block, ts,
      CASE
        WHEN block IS NULL AND ts IS NULL THEN 'not a record'
        WHEN block IS NULL OR block < 0 THEN 'block_number is missing or no number'
        WHEN ts IS NULL THEN 'timestamp is missing or malformed'
      END AS reason, row
    FROM typed`,
};
