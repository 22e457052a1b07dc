import { walletOf } from '../../support/raw-records.js';

/** A request, as a value or as JSON text, the status of its answer, and the pointers of what is wrong. */
export type Envelope = readonly [sent: unknown, status: number, ...pointers: string[]];

const wallet = walletOf(1);
const paged = (pagination: unknown) => ({ agent_id: 574, pagination });
const agent = (text: string) => `{"agent_id":${text}}`;
const limit = (text: string) => `{"agent_id":574,"pagination":{"limit":${text}}}`;
const offset = (text: string) => `{"agent_id":574,"pagination":{"offset":${text}}}`;

/** Envelopes that are wrong, or unusual but right. */
export const ENVELOPES: readonly Envelope[] = [
  // The whole envelope.
  ...['[]', '[{"agent_id":574}]', '"text"', '""', 'null', 'true', 'false', '574', '-0', '1e400'].map(
    (text): Envelope => [text, 422, ''],
  ),
  [{}, 422, '/agent_id'],
  [{ agent: 574 }, 422, '/agent_id', '/agent'],
  [{ Agent_id: 574 }, 422, '/agent_id', '/Agent_id'],
  [{ agentId: 574 }, 422, '/agent_id', '/agentId'],
  [{ agent_id: 574, parms: {} }, 422, '/parms'],
  [{ agent_id: 574, param: {} }, 422, '/param'],
  [{ agent_id: 574, filters: {} }, 422, '/filters'],
  [{ agent_id: 574, limit: 10 }, 422, '/limit'],
  [{ agent_id: 574, closed: 'True' }, 422, '/closed'],
  [{ agent_id: 574, 'a/b~c': 1 }, 422, '/a~1b~0c'],
  [{ agent_id: 574, '': 1 }, 422, '/'],
  [{ agent_id: 574, 'agent_id\u200b': 1 }, 422, '/agent_id\u200b'],
  [{ agent_id: 574, аgent_id: 1 }, 422, '/аgent_id'],
  ['{"agent_id":574,"__proto__":{"agent_id":569}}', 422, '/__proto__'],
  ['{"agent_id":574,"constructor":{"prototype":{}}}', 422, '/constructor'],
  ['{"__proto__":{"agent_id":574}}', 422, '/agent_id', '/__proto__'],
  [{ agent_id: 574, x: 1, y: 2 }, 422, '/x', '/y'],
  // agent_id.
  ...['574', '574.0', '5.74e2', '57400e-2', ' 574\n', '"574"'].map((text): Envelope => [agent(text), 200]),
  ...[
    '""',
    '"0574"',
    '"574.0"',
    '" 574"',
    '"+574"',
    '"5e2"',
    '"0x23e"',
    '"markets"',
    '"9007199254740992"',
    'null',
    'true',
    '[574]',
    '{}',
    '574.5',
    '1e400',
    '-1e400',
    '9007199254740992',
    '9223372036854775808',
  ].map((text): Envelope => [agent(text), 422, '/agent_id']),
  ...['0', '-0', '-574', '1', '573', '575', '5740', '2147483648', '4294967870', '9007199254740991', '"575"'].map(
    (text): Envelope => [agent(text), 404, '/agent_id'],
  ),
  [{ agent_id: 999, params: { nonsense: 1 } }, 404, '/agent_id'],
  [{ agent_id: 999, pagination: { limit: 0 } }, 422, '/pagination/limit'],
  // pagination.limit.
  ...['1', '1000', '1e3', '10.0', '1000.0', 'null'].map((text): Envelope => [limit(text), 200]),
  ...['0', '-0', '-1', '1001', '1e4', '1.5', '0.5', '999.5', '"10"', '"ten"', 'true', '[]', '[10]', '{}'].map(
    (text): Envelope => [limit(text), 422, '/pagination/limit'],
  ),
  ...['2147483648', '-2147483649', '9007199254740993', '9223372036854775808', '-9223372036854775809', '1e400'].map(
    (text): Envelope => [limit(text), 422, '/pagination/limit'],
  ),
  [limit('9'.repeat(10_000)), 422, '/pagination/limit'],
  // pagination.offset.
  ...['0', '-0', '5', '12', '13', '1e3', '2147483648', '4294967296', '9007199254740991', 'null'].map(
    (text): Envelope => [offset(text), 200],
  ),
  ...['-1', '0.5', '-0.5', '1e300', '9007199254740992', '9223372036854775807', '9223372036854775808', '1e400'].map(
    (text): Envelope => [offset(text), 422, '/pagination/offset'],
  ),
  ...['"0"', '""', 'true', '[]', '{}'].map((text): Envelope => [offset(text), 422, '/pagination/offset']),
  // pagination.
  ...[[], 'first', 'null', '', 10, true, [{ limit: 1 }]].map((each): Envelope => [paged(each), 422, '/pagination']),
  [paged({}), 200],
  [paged(null), 200],
  [paged({ limit: null, offset: null }), 200],
  [paged({ limit: 0, offset: -1 }), 422, '/pagination/limit', '/pagination/offset'],
  [paged({ limt: 10 }), 422, '/pagination/limt'],
  [paged({ Limit: 10 }), 422, '/pagination/Limit'],
  [paged({ limit: 10, page: 2 }), 422, '/pagination/page'],
  [paged({ limit: 10, cursor: 'x', has_more: true }), 422, '/pagination/cursor', '/pagination/has_more'],
  ['{"agent_id":574,"pagination":{"__proto__":{"limit":1}}}', 422, '/pagination/__proto__'],
  // formatter_config.
  [{ agent_id: 574, formatter_config: {} }, 200],
  ...['raw', null].map((format_type): Envelope => [{ agent_id: 574, formatter_config: { format_type } }, 200]),
  [{ agent_id: 574, formatter_config: null }, 200],
  ...['csv', 'json', 'RAW', 'Raw', ' raw', 'raw\0', '', true, 0, [], {}, ['raw']].map(
    (format_type): Envelope => [
      { agent_id: 574, formatter_config: { format_type } },
      422,
      '/formatter_config/format_type',
    ],
  ),
  ...['raw', [], 0, true].map(
    (formatter_config): Envelope => [{ agent_id: 574, formatter_config }, 422, '/formatter_config'],
  ),
  [{ agent_id: 574, formatter_config: { type: 'raw' } }, 422, '/formatter_config/type'],
  // params.
  ...[{}, null].map((params): Envelope => [{ agent_id: 574, params }, 200]),
  [{ agent_id: '574', params: null, pagination: null, formatter_config: null }, 200],
  [{ agent_id: '586', params: { wallet_address: wallet }, pagination: null }, 200],
  [{ agent_id: '586', params: null }, 422, '/params/wallet_address'],
  ...[[], 'closed', 'null', 1, true, [{ closed: 'True' }]].map(
    (params): Envelope => [{ agent_id: 574, params }, 422, '/params'],
  ),
  ...[
    'closd',
    'Closed',
    'CLOSED',
    'closed ',
    'сlosed',
    'volume',
    'min_volumes',
    'slug',
    'wallet',
    'toString',
    '$where',
  ].map((name): Envelope => [{ agent_id: 574, params: { [name]: 'True' } }, 422, `/params/${name}`]),
  ['{"agent_id":574,"params":{"__proto__":"x"}}', 422, '/params/__proto__'],
  ['{"agent_id":574,"params":{"__proto__":{"closed":"True"}}}', 422, '/params/__proto__'],
  ['{"agent_id":574,"params":{"constructor":{"prototype":{"closed":"True"}}}}', 422, '/params/constructor'],
  [{ agent_id: 574, params: { 'a/b': 1, 'c~d': 2 } }, 422, '/params/a~1b', '/params/c~0d'],
  ['{"agent_id":574,"params":{"\\u0000":1}}', 422, '/params/\0'],
  [
    { agent_id: 574, params: { closed: 'x', min_volume: 'x', nope: 1 } },
    422,
    '/params/nope',
    '/params/closed',
    '/params/min_volume',
  ],
  // Filters of another dataset, missing ones, and ranges that end before they start.
  ...['min_volume', 'market_slug', 'end_date_min', 'end_date_max', 'condition_id', 'event_slug'].map(
    (name): Envelope => [{ agent_id: 555, params: { [name]: '1' } }, 422, `/params/${name}`],
  ),
  ...[{}, undefined, null, { wallet: undefined }, { wallet: null }, { granularity: '1d' }].map(
    (params): Envelope => [{ agent_id: 569, params }, 422, '/params/wallet'],
  ),
  [{ agent_id: 569, params: { wallet_address: wallet } }, 422, '/params/wallet_address', '/params/wallet'],
  [{ agent_id: 569, params: { wallet, closed: 'True' } }, 422, '/params/closed'],
  [{ agent_id: 569, params: { wallet, granularty: '1d' } }, 422, '/params/granularty'],
  [{ agent_id: 569, params: { wallet, start: '2026-01-01' } }, 422, '/params/start'],
  [{ agent_id: 569, params: { wallet, start_time: '2026-01-02', end_time: '2026-01-01' } }, 422, '/params/end_time'],
  [{ agent_id: 569, params: { wallet, start_time: '2026-01-01', end_time: '2026-01-01' } }, 200],
  [{ agent_id: 574, params: { end_date_min: '2', end_date_max: '1' } }, 422, '/params/end_date_max'],
  [{ agent_id: 574, params: { end_date_min: 10, end_date_max: '9' } }, 422, '/params/end_date_max'],
  [{ agent_id: 574, params: { end_date_min: '-1', end_date_max: '-2' } }, 422, '/params/end_date_max'],
  [{ agent_id: 574, params: { end_date_min: '5', end_date_max: '5' } }, 200],
  [{ agent_id: 586 }, 422, '/params/wallet_address'],
  [{ agent_id: 586, params: { wallet } }, 422, '/params/wallet', '/params/wallet_address'],
  [{ agent_id: 586, params: { wallet_address: wallet, granularity: 'all' } }, 422, '/params/granularity'],
  [{ agent_id: 586, params: { wallet_address: wallet, start_time: '2026-01-01' } }, 422, '/params/start_time'],
];
