import { idOf, millisOf, secondsOf, wholeOf } from './sql-text.js';
import type { KnownFormat } from './stage.js';
import { paddedCondition, stageEvents, stageOrders } from './staged-columns.js';
import { listEntry, RANK, stageMarkets, winnerByPrices } from './staged-markets.js';

/** The exchange's OrderFilled events as poly_data writes them: with a time, but no log index and therefore no id. */
export const orderFilledFormat: KnownFormat = {
  name: 'poly_data orderFilled.csv',
  into: 'events',
  required: ['timestamp', 'maker', 'makerAssetId', 'makerAmountFilled', 'takerAssetId', 'takerAmountFilled'],
  optional: ['transactionHash'],
  select: (source) =>
    stageOrders(source, {
      maker: 'maker',
      makerAsset: '"makerAssetId"',
      makerAmount: '"makerAmountFilled"',
      takerAsset: '"takerAssetId"',
      takerAmount: '"takerAmountFilled"',
      time: 'timestamp',
      tx: '"transactionHash"',
    }),
};

/**
 * Fills as poly_data's `processed/trades.csv` holds them. Each row is an OrderFilled event, of which the maker's side
 * counts, and names its market by the number in Gamma or, since its second version, by the condition id.
 */
export const polyTradesFormat: KnownFormat = {
  name: 'poly_data trades.csv',
  into: 'events',
  required: ['timestamp', 'market_id', 'maker', 'nonusdc_side', 'maker_direction', 'usd_amount', 'token_amount'],
  optional: ['price', 'transactionHash'],
  select: (source) =>
    stageEvents(
      source,
      {
        wallet: 'maker',
        type: `'TRADE'`,
        side: 'maker_direction',
        size: 'token_amount',
        price: 'price',
        usdc: 'usd_amount',
        includesFee: 'false',
        time: 'timestamp',
        tx: '"transactionHash"',
        number: `CASE WHEN market_id LIKE '0x%' THEN ${paddedCondition('market_id')} ELSE ${wholeOf('market_id')} END`,
        numberSide: `CASE trim(nonusdc_side) WHEN 'token1' THEN 0 WHEN 'token2' THEN 1 END`,
      },
      { token: 'market_id or nonusdc_side' },
    ),
};

/**
 * The exchange's OrderFilled events as prediction-market-analysis keeps them. They have no time, which its `blocks`
 * tell, but a true id: transaction hash and log index.
 */
export const pmaTradesFormat: KnownFormat = {
  name: 'prediction-market-analysis trades',
  into: 'events',
  required: ['block_number', 'maker', 'maker_asset_id', 'taker_asset_id', 'maker_amount', 'taker_amount'],
  optional: ['transaction_hash', 'log_index', 'fee'],
  select: (source) =>
    stageOrders(source, {
      maker: 'maker',
      makerAsset: 'maker_asset_id',
      makerAmount: 'maker_amount',
      takerAsset: 'taker_asset_id',
      takerAmount: 'taker_amount',
      fee: 'fee',
      block: 'block_number',
      tx: 'transaction_hash',
      id: idOf('lower(trim(transaction_hash))', wholeOf('log_index')),
    }),
};

/** Times of blocks as prediction-market-analysis keeps them; its trades have no time themselves. */
export const pmaBlocksFormat: KnownFormat = {
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

/** Markets as prediction-market-analysis keeps them: those of Gamma without a close time; the end stands for it. */
export const pmaMarketsFormat: KnownFormat = {
  name: 'prediction-market-analysis markets',
  into: 'markets',
  required: ['condition_id', 'outcomes', 'outcome_prices', 'clob_token_ids'],
  optional: ['id', 'question', 'slug', 'volume', 'closed', 'end_date', 'created_at', '_fetched_at'],
  select: (source) =>
    stageMarkets(
      source,
      {
        condition: 'condition_id',
        question: 'question',
        slug: 'slug',
        closed: 'closed',
        volume: 'volume',
        start: 'created_at',
        end: 'end_date',
        tokenA: listEntry('clob_token_ids', 0),
        tokenB: listEntry('clob_token_ids', 1),
        outcomeA: listEntry('outcomes', 0),
        outcomeB: listEntry('outcomes', 1),
        sides: 'json_array_length(try_cast(outcomes AS JSON))',
        winner: winnerByPrices('outcome_prices'),
        number: wholeOf('id'),
        updated: `${RANK.pma} + coalesce(${millisOf('_fetched_at')}, 0)`,
      },
      { outcomes: 'outcomes', tokens: 'clob_token_ids', closes: 'end_date' },
    ),
};
