import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createKey } from '../../../src/service/accounts/api-keys.js';
import { walletOf } from '../../support/raw-records.js';
import { firstLineOf, startCommand } from '../../support/run-command.js';
import { ingestSmall } from '../../support/small-market.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { rawQuery } from './raw-socket.js';

/** More than may wait for their turn at a time. */
const CLIENTS = 900;

/** Starts the built service over the small market. */
async function started(...options: string[]) {
  const folder = await temporaryFolder();
  await ingestSmall(folder);
  const { key } = await createKey(folder, 'stall');
  const child = startCommand(['serve', '--data', folder, '--port', '0', '--log-level', 'error', ...options]);
  onTestFinished(() => void child.kill('SIGKILL'));
  const [url = ''] = /http:\S+/.exec(await firstLineOf(child)) ?? [];
  const stop = (signal: NodeJS.Signals) => child.kill(signal);
  return { port: Number(new URL(url).port), key, stop };
}

/** A kept connection; it gives the status of each query that it is asked. */
async function client(port: number): Promise<(query: string) => Promise<string>> {
  const socket = await new Promise<Socket>((resolve, reject) => {
    const made = connect({ port, host: '127.0.0.1' }, () => resolve(made)).once('error', reject);
  });
  onTestFinished(() => void socket.destroy());
  return (query) =>
    new Promise((resolve, reject) => {
      let heard = '';
      const onData = (bytes: Buffer) => {
        heard += bytes.toString('latin1');
        const end = heard.indexOf('\r\n\r\n');
        const length = /\r\ncontent-length: (\d+)/i.exec(heard)?.[1];
        if (end < 0 || heard.length < end + 4 + Number(length)) return;
        socket.off('data', onData);
        resolve(heard.slice(9, 12));
      };
      socket.on('data', onData).once('close', () => reject(new Error(`closed after ${heard}`)));
      socket.write(query, 'latin1');
    });
}

it.each([
  ['read past node:http', []],
  ['read by node:http', ['--no-plain-requests']],
])('after a moment in which the process stood still, each waiting query is answered, %s', async (_, options) => {
  const { port, key, stop } = await started(...options);
  const clients = await Promise.all(Array.from({ length: CLIENTS }, () => client(port)));
  const body = { agent_id: 569, params: { wallet: walletOf(1) } };
  const query = rawQuery(body, { Authorization: `Bearer ${key}` });
  const askAll = async () => new Set(await Promise.all(clients.map((ask) => ask(query))));
  expect(await askAll()).toEqual(new Set(['200']));
  stop('SIGSTOP');
  const answers = askAll();
  await sleep(1000);
  stop('SIGCONT');
  expect(await answers).toEqual(new Set(['200']));
});
