import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { readBody } from '../../../src/service/http/request-body.js';
import { rawQuery } from './raw-socket.js';

it.each([
  ['whole', rawQuery()],
  ['in part', rawQuery().slice(0, -5)],
])('a body that came %s is told lost at once where its client left before it was asked for', async (_, text) => {
  const server = createServer();
  onTestFinished(() => void server.close());
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const reading = new Promise<Buffer>((resolve, reject) => {
    server.once('request', (incoming) => {
      socket.resetAndDestroy();
      incoming.once('close', () => {
        setImmediate(() => readBody(incoming, { maxBytes: 1000, timeMs: 600_000 }).then(resolve, reject));
      });
    });
  });
  socket.write(text);
  await expect(reading).rejects.toMatchObject({ status: 400, message: 'The connection was lost within the body.' });
});
