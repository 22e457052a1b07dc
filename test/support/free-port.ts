import { createServer } from 'node:net';

// Below the ports that the system gives to who asks for any. Of the files that run at the same time, each has its own.
const SHARE = 500;
const FIRST = 20_000 + (Number(process.env.VITEST_POOL_ID ?? 0) % 24) * SHARE;

let next = Math.floor(Math.random() * SHARE);

/** A loopback port that nobody listens on at the moment, and that no other test of the same run is given soon. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = FIRST + next;
    next = (next + 1) % SHARE;
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((done) => {
    const server = createServer().once('error', () => done(false));
    server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });
}
