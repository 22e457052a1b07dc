import { expect, it } from 'vitest';
import { Dealer, Router } from 'zeromq';
import { OrderedSender } from '../../../src/kernel/protocol/ordered-sender.js';

it('sends thousands of messages through a socket in their order, without waiting for any', async () => {
  const router = new Router({ sendHighWaterMark: 0, linger: 0 });
  await router.bind('tcp://127.0.0.1:*');
  const dealer = new Dealer({ receiveHighWaterMark: 0, linger: 0, routingId: 'reader' });
  dealer.connect(router.lastEndpoint ?? '');
  await dealer.send('hello');
  await router.receive();
  const errors: unknown[] = [];
  const sender = new OrderedSender(router, (error) => errors.push(error));
  for (let at = 0; at < 5000; at++) sender.send(() => [Buffer.from('reader'), Buffer.from(String(at))]);
  const received: number[] = [];
  while (received.length < 5000) received.push(Number((await dealer.receive())[0]));
  expect(received).toEqual(Array.from({ length: 5000 }, (_, at) => at));
  expect(errors).toEqual([]);
  router.close();
  dealer.close();
});

it('goes on behind a message that cannot be sent', async () => {
  const sent: string[] = [];
  const errors: unknown[] = [];
  const sink = {
    send: async ([frame]: Uint8Array[]): Promise<void> => {
      const text = Buffer.from(frame ?? []).toString();
      if (text === 'bad') throw new RangeError('no');
      sent.push(text);
    },
  };
  const sender = new OrderedSender(sink, (error) => errors.push(error));
  for (const text of ['a', 'bad', 'b']) sender.send(() => [Buffer.from(text)]);
  await new Promise(setImmediate);
  expect(sent).toEqual(['a', 'b']);
  expect(errors).toEqual([new RangeError('no')]);
});
