import { expect, it } from 'vitest';
import { type Incoming, MessageCodec, type Parent } from '../../../src/kernel/protocol/message.js';
import fc from '../../support/fast-check.js';

const KEY = 'a0436f6c-1916-498b-8eb9-e81ab9368e84';

const framesOf = (codec: MessageCodec, content: object = { code: '1' }, identities: Buffer[] = []): Buffer[] => [
  ...identities,
  ...codec.encode(codec.nextId(), { type: 'execute_request', content }).map((frame) => Buffer.from(frame)),
];

function read(codec: MessageCodec, frames: Buffer[]): Incoming {
  const message = codec.decode(frames);
  if ('refused' in message) throw new Error(message.refused);
  return message;
}

it('reads back whatever it wrote', () => {
  const bytes = fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 4 });
  const content = fc.dictionary(fc.string(), fc.jsonValue());
  fc.assert(
    fc.property(
      bytes,
      bytes,
      content,
      content,
      fc.constantFrom(KEY, ''),
      (identities, buffers, body, metadata, key) => {
        const writer = new MessageCodec(key);
        const id = writer.nextId();
        const frames = writer.encode(id, { type: 'display_data', content: body, metadata, buffers });
        const message = read(
          new MessageCodec(key),
          [...identities, ...frames].map((frame) => Buffer.from(frame)),
        );
        expect(message.header).toMatchObject({ msg_id: id, msg_type: 'display_data', version: '5.4' });
        const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
        expect({ ...message, header: 0, rawHeader: '' }).toEqual({
          identities: identities.map((one) => Buffer.from(one)),
          header: 0,
          rawHeader: '',
          parentHeader: {},
          content: asJson(body),
          metadata: asJson(metadata),
          buffers: buffers.map((one) => Buffer.from(one)),
        });
      },
    ),
  );
});

it('repeats the header of what it answers, byte by byte', () => {
  const codec = new MessageCodec(KEY);
  const parent: Parent = read(codec, framesOf(codec));
  const frames = codec.encode(codec.nextId(), { type: 'status', content: {} }, parent);
  expect(Buffer.from(frames[3] ?? []).toString()).toBe(parent.rawHeader);
});

it('refuses a message that was changed, is not signed, or comes twice', () => {
  const codec = new MessageCodec(KEY);
  const changed = framesOf(codec);
  changed[5] = Buffer.from('{"code":"2"}');
  expect(codec.decode(changed)).toEqual({ refused: 'its signature is wrong' });
  const unsigned = framesOf(codec);
  unsigned[1] = Buffer.alloc(0);
  expect(codec.decode(unsigned)).toEqual({ refused: 'it is not signed' });
  const short = framesOf(codec);
  short[1] = Buffer.from('ab');
  expect(codec.decode(short)).toEqual({ refused: 'its signature is wrong' });
  const good = framesOf(codec);
  expect(read(codec, good).content).toEqual({ code: '1' });
  expect(codec.decode(good)).toEqual({ refused: 'its signature was used before' });
  expect(codec.decode(framesOf(new MessageCodec('another key')))).toEqual({ refused: 'its signature is wrong' });
});

it('takes any signature where there is no key', () => {
  const codec = new MessageCodec('');
  const frames = framesOf(codec);
  expect(frames[1]?.length).toBe(0);
  frames[1] = Buffer.from('whatever');
  expect(read(codec, frames).content).toEqual({ code: '1' });
  expect(read(codec, frames).content).toEqual({ code: '1' });
});

it('refuses what is no message, whatever it is', () => {
  const codec = new MessageCodec('');
  const refusalOf = (...frames: string[]): unknown => codec.decode(frames.map((frame) => Buffer.from(frame)));
  const lacking = { refused: 'it lacks the parts that each message has' };
  expect(refusalOf()).toEqual(lacking);
  expect(refusalOf('<IDS|MSG>', '', '{}', '{}', '{}')).toEqual(lacking);
  expect(refusalOf('a', '', '{}', '{}', '{}', '{}')).toEqual(lacking);
  const noJson = { refused: 'one of its parts is no JSON object' };
  expect(refusalOf('<IDS|MSG>', '', '{', '{}', '{}', '{}')).toEqual(noJson);
  expect(refusalOf('<IDS|MSG>', '', '{}', '{}', '{}', '[]')).toEqual(noJson);
  expect(refusalOf('<IDS|MSG>', '', '{}', 'null', '{}', '{}')).toEqual(noJson);
  const noHeader = { refused: 'its header names no message id, type or session' };
  expect(refusalOf('<IDS|MSG>', '', '{"msg_id":1}', '{}', '{}', '{}')).toEqual(noHeader);
});

it('signs as Jupyter does', () => {
  // Made with Python: hmac.new(b'key', b'{"a":1}{}{}{"b":2}', 'sha256').hexdigest()
  const signature = '0206f42f4ae2a48f6054ab91271f90c100f7022f55fb1f23de6377624d533752';
  const parts = ['{"a":1}', '{}', '{}', '{"b":2}'].map((part) => Buffer.from(part));
  const codec = new MessageCodec('key');
  const refusal = codec.decode([Buffer.from('<IDS|MSG>'), Buffer.from(signature), ...parts]);
  expect(refusal).toEqual({ refused: 'its header names no message id, type or session' });
});

it('writes U+FFFD where a half of a character stays alone', () => {
  const codec = new MessageCodec(KEY);
  const content = { code: '🚀'.slice(0, 1), same: '🚀\\ud83d', '\ude80': 1 };
  const message = read(codec, framesOf(codec, content));
  expect(message.content).toEqual({ code: '\ufffd', same: '🚀\\ud83d', '\ufffd': 1 });
});
