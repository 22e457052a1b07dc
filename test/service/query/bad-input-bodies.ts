import { gzipSync } from 'node:zlib';

/** The bytes of a body, the status of its answer, and the pointers of what is wrong. */
export type Body = readonly [name: string, bytes: string | Uint8Array, status: number, ...pointers: string[]];

const FINE = '{"agent_id":574}';
const bytes = (...values: number[]) => new Uint8Array(values);
/** A body with a text value made of these bytes, in a place where any text is legal. */
const slug = (...values: number[]) =>
  Buffer.concat([Buffer.from('{"agent_id":574,"params":{"market_slug":"'), bytes(...values), Buffer.from('"}}')]);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const nested = (depth: number, inner = '') =>
  `{"agent_id":574,"params":{"closed":${'['.repeat(depth)}${inner}${']'.repeat(depth)}}}`;
const wide = (count: number) =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${n}`, 1])));

const NOT_JSON = [
  ...[
    '{',
    '}',
    '[',
    ']',
    '{"agent_id"',
    '{"agent_id":',
    '{"agent_id":574',
    '{"agent_id":574}}',
    '{"agent_id":574},',
    ',',
  ],
  ...[
    '{"agent_id":574,}',
    '{,"agent_id":574}',
    '{agent_id:574}',
    "{'agent_id':574}",
    '{"agent_id" 574}',
    '{"agent_id"=574}',
  ],
  ...[
    '{"agent_id":574 // why\n}',
    '/* why */{"agent_id":574}',
    '#!json\n{"agent_id":574}',
    '{"agent_id":574}{"agent_id":574}',
  ],
  ...['{"agent_id":574}\n{"agent_id":574}', '{"agent_id":NaN}', '{"agent_id":Infinity}', '{"agent_id":-Infinity}'],
  ...['{"agent_id":undefined}', '{"agent_id":None}', '{"agent_id":True}', '{"agent_id":0574}', '{"agent_id":+574}'],
  ...[
    '{"agent_id":574.}',
    '{"agent_id":.574}',
    '{"agent_id":0x23e}',
    '{"agent_id":5_74}',
    '{"agent_id":574n}',
    '{"agent_id":1e}',
  ],
  ...[
    '{"agent_id":--574}',
    '{"agent_id":5 74}',
    '{"a":"\\x41"}',
    '{"a":"\\u12"}',
    '{"a":"\\ud8',
    '{"a":"a\nb"}',
    '{"a":"a\tb"}',
  ],
  ...[
    '{"a":"\0"}',
    '{"a":"b}',
    '{“agent_id”:574}',
    '｛"agent_id":574｝',
    '{"agent_id":５７４}',
    '\u00a0{"agent_id":574}',
  ],
  ...[
    'agent_id=574',
    'agent_id=574&closed=True',
    '<agent_id>574</agent_id>',
    'agent_id: 574',
    '---\nagent_id: 574',
    '574;',
  ],
  ...[
    'nul',
    'True',
    'undefined',
    '--x\r\nContent-Disposition: form-data; name="agent_id"\r\n\r\n574\r\n--x--',
    'GET / HTTP/1.1',
  ],
  ...[
    '\ufeff\ufeff{"agent_id":574}',
    '{"agent_id":574}\0',
    '\0{"agent_id":574}',
    '['.repeat(100_000),
    '{"a":'.repeat(50_000),
    '"',
  ],
];

/** Bodies that are not JSON, not UTF-8, or JSON that two parsers could understand differently. */
export const BODIES: readonly Body[] = [
  ...NOT_JSON.map((text): Body => [text.slice(0, 40), text, 400]),
  ['nothing', '', 400],
  ['blanks', ' \r\n\t ', 400],
  ['a byte order mark alone', '\ufeff', 400],
  ['a byte order mark before', `\ufeff${FINE}`, 200],
  ['blanks around', `\r\n\t ${FINE} \n`, 200],
  ['a no-break space before', `\u00a0${FINE}`, 400],
  // Encodings.
  ['UTF-16 LE', Buffer.from(FINE, 'utf16le'), 400],
  ['UTF-16 LE with its mark', Buffer.from(`\ufeff${FINE}`, 'utf16le'), 400],
  ['UTF-16 BE', swapped(FINE), 400],
  ['UTF-16 BE with its mark', swapped(`\ufeff${FINE}`), 400],
  ['UTF-32 LE', Buffer.from([...FINE].flatMap((each) => [each.charCodeAt(0), 0, 0, 0])), 400],
  ['gzip', gzipSync(FINE), 400],
  ['Latin-1', slug(0xe9), 400],
  ['a byte that never is', slug(0xff), 400],
  ['a continuation alone', slug(0x80), 400],
  ['a sequence cut off', slug(0xe2, 0x82), 400],
  ['an overlong slash', slug(0xc0, 0xaf), 400],
  ['an overlong NUL', slug(0xc0, 0x80), 400],
  ['an overlong of three', slug(0xe0, 0x80, 0xaf), 400],
  ['half a surrogate pair', slug(0xed, 0xa0, 0x80), 400],
  ['CESU-8', slug(0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80), 400],
  ['beyond Unicode', slug(0xf4, 0x90, 0x80, 0x80), 400],
  ['five bytes', slug(0xf8, 0x88, 0x80, 0x80, 0x80), 400],
  ['cut off at the end', Buffer.concat([Buffer.from(FINE), bytes(0xe2)]), 400],
  ['an emoji', slug(0xf0, 0x9f, 0x98, 0x80), 200],
  ['NUL within text', slug(0x00), 400],
  // Members named twice.
  ['twice', '{"agent_id":574,"agent_id":574}', 400, '/agent_id'],
  ['twice, another value', '{"agent_id":574,"agent_id":569}', 400, '/agent_id'],
  ['twice, by escapes', '{"agent_id":574,"agent\\u005fid":569}', 400, '/agent_id'],
  ['twice, both by escapes', '{"\\u0061":1,"\\u0061":1}', 400, '/a'],
  ['twice within params', '{"agent_id":574,"params":{"closed":"True","closed":"False"}}', 400, '/params/closed'],
  ['twice, params', '{"agent_id":574,"params":{},"params":{}}', 400, '/params'],
  [
    'twice within pagination',
    '{"agent_id":574,"pagination":{"limit":1,"offset":0,"limit":1000}}',
    400,
    '/pagination/limit',
  ],
  ['twice within a list', '{"agent_id":574,"params":{"closed":[1,{"a":1,"a":1}]}}', 400, '/params/closed/1/a'],
  ['twice, __proto__', '{"agent_id":574,"__proto__":1,"__proto__":2}', 400, '/__proto__'],
  ['twice, no name', '{"":1,"":2}', 400, '/'],
  ['twice, a name with a slash', '{"a/b~c":1,"a/b~c":2}', 400, '/a~1b~0c'],
  ['the same name in two objects', '{"agent_id":574,"params":{"closed":"True"},"pagination":{}}', 200],
  ['names that differ by case', '{"agent_id":574,"AGENT_ID":569}', 422, '/AGENT_ID'],
  ['names that differ by normal form', '{"agent_id":574,"é":1,"e\u0301":1}', 422, '/é', '/e\u0301'],
  ['a name that stands in a text, too', '{"agent_id":574,"params":{"market_slug":"\\",\\"agent_id\\":569"}}', 200],
  // Depth and breadth.
  ['as deep as may be', nested(14), 422, '/params/closed'],
  ['one deeper', nested(15), 400, `/params/closed${'/0'.repeat(14)}`],
  ['deep objects', `{"agent_id":574,"a":${'{"a":'.repeat(20)}1${'}'.repeat(20)}}`, 400, '/a'.repeat(16)],
  ['very deep', nested(100_000), 400, `/params/closed${'/0'.repeat(14)}`],
  ['deep at the top', `${'['.repeat(17)}${']'.repeat(17)}`, 400, '/0'.repeat(16)],
  ['brackets within text', `{"agent_id":574,"params":{"market_slug":"${'[{'.repeat(100)}"}}`, 200],
  ['a hundred members', wide(100), 422, ...['/agent_id'], ...Array.from({ length: 100 }, (_, n) => `/f${n}`)],
  ['more members', wide(101), 400, ''],
  ['many members', wide(50_000), 400, ''],
  ['more filters than may be', `{"agent_id":574,"params":${wide(101)}}`, 400, '/params'],
  ['a long name', JSON.stringify({ agent_id: 574, ['x'.repeat(200)]: 1 }), 422, `/${'x'.repeat(200)}`],
  ['a longer name', JSON.stringify({ agent_id: 574, ['x'.repeat(201)]: 1 }), 400, ''],
  ['a name of a megabyte', JSON.stringify({ agent_id: 574, params: { ['x'.repeat(1_000_000)]: 1 } }), 400, '/params'],
  ['a long list', `{"agent_id":574,"params":{"closed":[${'1,'.repeat(100_000)}1]}}`, 422, '/params/closed'],
  // Size.
  ['a megabyte', FINE.padEnd(1 << 20), 200],
  ['a byte more', FINE.padEnd((1 << 20) + 1), 413],
  ['four megabytes', FINE.padEnd(1 << 22), 413],
];

/** Content types, and the status of a correct query sent with each. */
export const TYPES: readonly (readonly [type: string, status: number])[] = [
  ['application/json', 200],
  ['APPLICATION/JSON', 200],
  ['application/json;charset=utf-8', 200],
  ['application/json ; charset="UTF-8"', 200],
  ['', 415],
  ['text/plain', 415],
  ['text/json', 415],
  ['json', 415],
  ['*/*', 415],
  ['application/*', 415],
  ['application/jsonp', 415],
  ['application/json5', 415],
  ['application/jsonl', 415],
  ['application/x-ndjson', 415],
  ['application/vnd.api+json', 415],
  ['application/problem+json', 415],
  ['application/xml', 415],
  ['application/octet-stream', 415],
  ['application/x-www-form-urlencoded', 415],
  ['multipart/form-data; boundary=x', 415],
  ['text/html; application/json', 415],
  ['application/json, text/plain', 415],
];
