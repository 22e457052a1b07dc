/**
 * What each source's records are known to hold, as of August 2026. A line is a type and the fields that have it: a JSON
 * type, `amount` (a number or its decimal text), or another shape, in brackets for a list of it. After `?` a field may
 * be missing or null.
 */
const TEXTS = {
  'v2 activity': `
    string: proxy_wallet condition_id type transaction_hash
    number: timestamp
    amount: size usdc_size
    amount?: price
    string?: token_id side title slug icon event_slug outcome name pseudonym bio profile_image profile_image_optimized
    number?: outcome_index
    boolean?: is_combo`,
  'v2 trades': `
    string: proxy_wallet condition_id transaction_hash token_id side
    number: timestamp
    amount: size price
    string?: title slug icon event_slug outcome name pseudonym bio profile_image profile_image_optimized
    number?: outcome_index
    boolean?: is_combo`,
  'v2 combos': `
    string: id proxy_wallet type condition_id token_id
    string?: side transaction_hash
    number: timestamp
    amount: size usdc_size
    amount?: price
    number?: block_number
    [v2 leg]: legs`,
  'v2 leg': `
    string: leg_condition_id token_id
    number?: outcome_index
    string?: title`,
  'v2 positions': `
    string: proxy_wallet token_id condition_id status
    amount: current_size
    amount?: avg_price entry_cost_usdc entry_fees_usdc total_cost_usdc current_price current_value total_size
    amount?: realized_pnl unrealized_pnl total_pnl percent_pnl percent_realized_pnl
    boolean?: redeemable mergeable negative_risk archived verified
    string?: title slug icon event_id event_slug outcome opposite_outcome opposite_token_id end_date name profile_image
    number?: outcome_index last_event_at`,
  'v2 pnl': `
    string: proxy_wallet
    string?: interval fidelity source_fidelity
    [v2 pnl point]: points`,
  'v2 pnl point': `
    number: timestamp
    number?: source_block trade_count
    amount?: realized_market_pnl realized_lp_pnl realized_combo_pnl unrealized_pnl fees_refunded maker_rebate
    amount?: taker_rebate reward_income yield_income referral_income deposits withdrawals realized_pnl wallet_income
    amount?: position_pnl settled_pnl economic_pnl trade_pnl sponsored_income fees fees_paid cashflow_net
    amount?: volume volume_usdc`,
  'v2 stats': `
    string: proxy_wallet
    number: trades
    amount?: biggest_win
    number?: views join_date
    {v2 pnl point}?: all_time_pnl`,
  'v2 tokens': `
    string: token_id condition_id
    number: outcome_index
    string?: module outcome opposite_token_id title slug event_id event_slug neg_risk_market_id
    boolean?: neg_risk
    number?: neg_risk_question_index`,
  'v2 resolutions': `
    string: condition_id status
    array?: payouts
    string?: question_id reporter
    number?: resolved_at resolved_block
    amount?: price`,
  'v2 leaderboard': `
    amount: rank
    string: proxy_wallet
    amount?: volume pnl
    string?: user_name x_username profile_image
    boolean?: verified_badge`,
  'v1 activity': `
    string: proxyWallet conditionId type transactionHash
    number: timestamp size usdcSize
    number?: price outcomeIndex
    string?: asset side title slug icon eventSlug outcome name pseudonym bio profileImage profileImageOptimized`,
  'v1 trades': `
    string: proxyWallet conditionId asset side transactionHash
    number: timestamp size price
    number?: outcomeIndex
    string?: title slug icon eventSlug outcome name pseudonym bio profileImage profileImageOptimized`,
  'v1 positions': `
    string: proxyWallet asset conditionId
    number: size
    number?: avgPrice initialValue currentValue cashPnl percentPnl totalBought realizedPnl percentRealizedPnl curPrice
    number?: outcomeIndex
    boolean?: redeemable mergeable negativeRisk
    string?: title slug icon eventId eventSlug outcome oppositeOutcome oppositeAsset endDate`,
  'v1 closed positions': `
    string: proxyWallet asset conditionId
    number: realizedPnl
    number?: avgPrice totalBought curPrice timestamp outcomeIndex
    string?: title slug icon eventSlug outcome oppositeOutcome oppositeAsset endDate`,
  'v1 traded': `
    string: user
    number: traded`,
  'v1 leaderboard': `
    amount: rank
    string: proxyWallet
    number?: vol pnl
    string?: userName xUsername profileImage
    boolean?: verifiedBadge`,
  'gamma market': `
    string: id question conditionId slug
    boolean: active closed
    string?: outcomes outcomePrices clobTokenIds
    array?: positionIds
    string?: version comboStatus description resolutionSource endDate startDate image icon volume liquidity
    string?: marketMakerAddress createdAt updatedAt closedTime submitted_by resolvedBy groupItemTitle groupItemThreshold
    string?: groupItemRange questionID umaEndDate umaEndDateIso umaResolutionStatus umaResolutionStatuses umaBond
    string?: umaReward endDateIso startDateIso gameStartTime eventStartTime gameId sportsMarketType negRiskRequestID
    string?: negRiskMarketID acceptingOrdersTimestamp deployingTimestamp seriesColor fee feeType marketType creator
    string?: category lowerBound upperBound formatType mailchimpTag twitterCardLocation twitterCardLastRefreshed
    string?: twitterCardLastValidated
    number?: orderPriceMinTickSize orderMinSize volumeNum volume24hr volume1wk volume1mo volume1yr volume24hrAmm
    number?: volume1wkAmm volume1moAmm volume1yrAmm volumeAmm volume24hrClob volume1wkClob volume1moClob volume1yrClob
    number?: volumeClob liquidityNum liquidityAmm liquidityClob secondsDelay customLiveness rewardsMinSize
    number?: rewardsMaxSpread spread oneHourPriceChange oneDayPriceChange oneWeekPriceChange oneMonthPriceChange
    number?: oneYearPriceChange lastTradePrice bestBid bestAsk competitive makerBaseFee takerBaseFee
    number?: makerRebatesFeeShareBps line updatedBy marketGroup
    boolean?: new featured archived restricted enableOrderBook hasReviewedDates acceptingOrders negRisk ready funded
    boolean?: cyom pagerDutyNotificationEnabled approved automaticallyResolved automaticallyActive clearBookOnStart
    boolean?: manualActivation negRiskOther pendingDeployment deploying rfqEnabled holdingRewardsEnabled feesEnabled
    boolean?: requiresTranslation showGmpSeries showGmpOutcome wideFormat sentDiscord readyForCron fpmmLive
    boolean?: notificationsEnabled commentsEnabled
    {gamma fees}?: feeSchedule
    [gamma event]?: events
    [gamma tag]?: tags
    [gamma reward]?: clobRewards`,
  'gamma fees': `
    number: exponent rate
    boolean?: takerOnly
    number?: rebateRate`,
  'gamma reward': `
    string: id conditionId
    string?: assetAddress startDate endDate
    number?: rewardsAmount rewardsDailyRate`,
  'gamma tag': `
    string: id label slug
    boolean?: forceShow forceHide isCarousel requiresTranslation
    string?: createdAt updatedAt publishedAt
    number?: createdBy updatedBy`,
  'gamma event': `
    string: id slug title
    boolean?: active closed archived new featured restricted enableOrderBook negRisk enableNegRisk negRiskAugmented cyom
    boolean?: showAllOutcomes showMarketImages automaticallyResolved automaticallyActive live ended pendingDeployment
    boolean?: deploying requiresTranslation estimateValue cumulativeMarkets commentsEnabled cantEstimate
    string?: ticker description resolutionSource startDate creationDate endDate image icon createdAt updatedAt closedTime
    string?: eventDate startTime seriesSlug score period sortBy negRiskMarketID gmpChartMode deployingTimestamp elapsed
    string?: finishedTimestamp sportsradarMatchId turnProviderId published_at updatedBy disqusThread category
    string?: featuredImage countryName electionType estimatedValue
    number?: volume liquidity openInterest volume24hr volume1wk volume1mo volume1yr commentCount competitive
    number?: liquidityClob liquidityAmm eventWeek gameId negRiskFeeBips featuredOrder tweetCount spreadsMainLine
    number?: totalsMainLine parentEventId
    object?: eventMetadata
    array?: series
    [gamma market]?: markets
    [gamma tag]?: tags`,
  'clob market': `
    string: condition_id
    string?: question_id question description market_slug end_date_iso game_start_time fpmm neg_risk_market_id
    string?: neg_risk_request_id icon image accepting_order_timestamp
    boolean: closed
    boolean?: enable_order_book active archived accepting_orders notifications_enabled neg_risk is_50_50_outcome
    number?: minimum_order_size minimum_tick_size seconds_delay maker_base_fee taker_base_fee
    object?: rewards
    [clob token]: tokens
    array?: tags`,
  'clob token': `
    string: token_id outcome
    number?: price
    boolean?: winner`,
} as const;

/** The name of a record's shape. */
export type ShapeName = keyof typeof TEXTS;

/** What a field is known to be. */
export interface Field {
  /** JSON types that it may have; empty if its records have a shape of their own. */
  readonly types: readonly string[];
  /** Whether it may be missing or null. */
  readonly isOptional: boolean;
  /** The shape of the object that it holds, or of each object of its list. */
  readonly shape: ShapeName | undefined;
}

/** The known fields of a shape by name. */
export type Shape = ReadonlyMap<string, Field>;

const read = new Map<ShapeName, Shape>();

/** The known fields of a source's records. */
export function shapeOf(name: ShapeName): Shape {
  const shape = read.get(name) ?? new Map(TEXTS[name].trim().split('\n').flatMap(fieldsOf));
  read.set(name, shape);
  return shape;
}

function fieldsOf(line: string): [string, Field][] {
  const [, stated = '', optional = '', names = ''] = /^\s*([^:?]+)(\?)?: (.*)$/.exec(line) ?? [];
  const [, nested] = /^[[{](.*)[\]}]$/.exec(stated) ?? [];
  const types = stated === 'amount' ? ['number', 'string'] : [typeFor(stated)];
  const field = { types, isOptional: optional !== '', shape: nested as ShapeName | undefined };
  return names.split(' ').map((name) => [name, field]);
}

function typeFor(stated: string): string {
  if (stated.startsWith('[')) return 'array';
  return stated.startsWith('{') ? 'object' : stated;
}
