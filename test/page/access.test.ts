import { execFile } from 'node:child_process';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { type Answer, servePageHere, TOKEN } from './page-server.js';

/** The cookie that opening an address gives. */
function cookieOf({ headers }: Answer): string {
  return String(headers['set-cookie']).split(';')[0] ?? '';
}

/** How a WebSocket opens: the status of its refusal, or `open`. */
function opened(url: string, headers: Record<string, string>): Promise<number | 'open'> {
  return new Promise((done) => {
    const socket = new WebSocket(url, { headers });
    socket.on('unexpected-response', (request, { statusCode = 0 }) => {
      request.destroy();
      done(statusCode);
    });
    socket.on('open', () => {
      socket.terminate();
      done('open');
    });
    socket.on('error', () => {});
  });
}

it('lets a browser in once by each address, with a cookie that scripts and other sites cannot use', async () => {
  const { page, askPlainly, addresses } = await servePageHere();
  const address = page.address();
  expect(address).toMatch(new RegExp(`^http://127.0.0.1:${page.port}/lab\\?code=[\\w-]{32}$`));
  const path = address.slice(page.url.length);
  const first = await askPlainly(path);
  expect(first.status).toBe(200);
  expect(first.headers['set-cookie']).toEqual([
    expect.stringMatching(new RegExp(`^oddslab-lab-${page.port}=[\\w-]{32}; HttpOnly; SameSite=Strict; Path=/$`)),
  ]);
  // What the browser goes on to, in place of the address with the code.
  expect(first.text).toContain('content="0;url=/lab"');
  expect(first.headers['referrer-policy']).toBe('no-referrer');
  const cookie = cookieOf(first);
  expect((await askPlainly('/lab', { headers: { cookie } })).text).toContain('jupyter-config-data');
  expect(addresses).toEqual([page.address()]);
  expect(page.address()).not.toBe(address);
  const second = await askPlainly(path);
  expect([second.status, second.headers['set-cookie']]).toEqual([403, undefined]);
  expect(second.json.message).toMatch(/open the address that "oddslab lab" printed last/);
  // Whoever has the cookie may open an old address.
  expect((await askPlainly(path, { headers: { cookie } })).status).toBe(200);
  const next = await askPlainly(page.address().slice(page.url.length).replace('/lab', '/lab/tree/a%20b/c.ipynb'));
  expect(next.text).toContain('content="0;url=/lab/tree/a%20b/c.ipynb"');
});

it('does not use up a code for a look ahead, for another path, or under another host name', async () => {
  const { page, askPlainly } = await servePageHere();
  const path = page.address().slice(page.url.length);
  const code = path.replace('/lab', '');
  for (const [target, sent] of [
    [path, { method: 'HEAD' }],
    [path, { method: 'POST' }],
    [`/api/contents${code}`, {}],
    [`/static/lab.js${code}`, {}],
    [path, { headers: { host: 'evil.example' } }],
  ] as const) {
    expect((await askPlainly(target, sent)).status, target).toBe(403);
  }
  expect((await askPlainly(path)).headers['set-cookie']).toBeDefined();
});

it('refuses everything without cookie and token, static files and WebSockets, too', async () => {
  const { page, askPlainly } = await servePageHere();
  const paths = [
    '/',
    '/lab',
    '/static/lab.js',
    '/api',
    '/api/contents',
    '/files/a',
    '/api/kernels',
    '/favicon.svg',
    '/x',
  ];
  for (const path of paths) {
    const answer = await askPlainly(path);
    expect([path, answer.status]).toEqual([path, 403]);
    expect(Object.keys(answer.json)).toEqual(['message', 'reason']);
  }
  const socket = page.url.replace('http', 'ws');
  for (const path of ['/api/events/subscribe', '/api/kernels/x/channels']) {
    expect(await opened(socket + path, { origin: page.url })).toBe(403);
  }
  const plain = await askPlainly('/lab', { headers: { accept: 'text/html' } });
  expect(plain.headers['content-type']).toBe('text/plain; charset=utf-8');
  expect(plain.text).toMatch(/^This browser has not been let in: .+\n$/);
});

it('refuses a name that was rebound to this machine, with every right', async () => {
  const { page, ask, askPlainly } = await servePageHere();
  const cookie = cookieOf(await askPlainly(page.address().slice(page.url.length)));
  const foreign = [
    ...['evil.example', `evil.example:${page.port}`, '127.0.0.1.evil.example', '127.0.0.1@evil.example', '0.0.0.0'],
    ...['localhost.', '2130706433', '127.1', 'localhost:1:2', '[::ffff:127.0.0.1]'],
  ];
  for (const host of foreign) {
    expect([host, (await ask('/api', { headers: { host } })).status]).toEqual([host, 403]);
    expect([host, (await askPlainly('/api', { headers: { host, cookie } })).status]).toEqual([host, 403]);
  }
  for (const host of ['127.0.0.1', `localhost:${page.port}`, 'LOCALHOST:8888', '[::1]:80']) {
    expect([host, (await ask('/api', { headers: { host } })).status]).toEqual([host, 200]);
  }
  const headers = { host: 'evil.example', origin: 'http://evil.example', cookie };
  expect(await opened(`${page.url.replace('http', 'ws')}/api/events/subscribe`, headers)).toBe(403);
});

it('refuses changes and WebSockets of other pages, and reading of other origins, with the cookie', async () => {
  const { page, askPlainly } = await servePageHere();
  const cookie = cookieOf(await askPlainly(page.address().slice(page.url.length)));
  const origin = page.url;
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
    for (const foreign of [
      undefined,
      'http://evil.example',
      'null',
      `http://127.0.0.1:${page.port + 1}`,
      `https${origin.slice(4)}`,
    ]) {
      const headers = { cookie, ...(foreign === undefined ? {} : { origin: foreign }) };
      const { status } = await askPlainly('/api/contents/a.txt', { method, headers, body: { path: 'b.txt' } });
      expect([method, foreign, status]).toEqual([method, foreign, 403]);
    }
  }
  expect((await askPlainly('/api/contents', { headers: { cookie, origin: 'http://evil.example' } })).status).toBe(403);
  // A page of another port is of the same site, so that the cookie comes along.
  expect((await askPlainly('/api/contents', { headers: { cookie, 'sec-fetch-site': 'same-site' } })).status).toBe(403);
  expect((await askPlainly('/api/contents', { headers: { cookie } })).status).toBe(200);
  const made = await askPlainly('/api/contents', {
    method: 'POST',
    headers: { cookie, origin },
    body: { type: 'file' },
  });
  expect(made.status).toBe(201);
  const socket = `${page.url.replace('http', 'ws')}/api/events/subscribe`;
  expect(await opened(socket, { cookie })).toBe(403);
  expect(await opened(socket, { cookie, origin: 'http://evil.example' })).toBe(403);
  expect(await opened(socket, { cookie, origin })).toBe('open');
  expect(await opened(`${page.url.replace('http', 'ws')}/api/kernels/none/channels`, { cookie, origin })).toBe(404);
});

it('takes the token of programs from the header alone, and none if it has none', async () => {
  const { page, ask, askPlainly, folder, state } = await servePageHere();
  expect((await ask('/api')).status).toBe(200);
  for (const authorization of ['token wrong-token-0123456789', `token ${TOKEN}x`, `Bearer ${TOKEN.slice(1)}`]) {
    expect((await askPlainly('/api', { headers: { authorization } })).status).toBe(403);
  }
  expect((await askPlainly(`/api?token=${TOKEN}`)).status).toBe(403);
  expect((await askPlainly('/api', { headers: { cookie: `oddslab-lab-${page.port}=${TOKEN}` } })).status).toBe(403);
  const without = await servePageHere({ token: undefined });
  expect((await without.askPlainly('/api', { headers: { authorization: 'token undefined' } })).status).toBe(403);
  expect((await without.ask('/api')).status).toBe(403);
  for (const token of ['', 'short', `with space ${TOKEN}`, `ä${TOKEN}`]) {
    await expect(servePageHere({ token, folder, state })).rejects.toThrow('A token needs 16 or more characters');
  }
});

// Only root may start a program as another user.
it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'lets no other user of the machine in, not even with the token, the code or the cookie',
  async ({ skip }) => {
    const { page, askPlainly } = await servePageHere();
    const path = page.address().slice(page.url.length);
    const program = `
      import { get } from 'node:http';
      const [url, path, authorization] = process.argv.slice(1);
      const status = (path, headers) => new Promise((done, fail) => {
        const sent = get(url + path, { headers: { authorization, ...headers } }, (answer) => done(answer.statusCode));
        sent.on('upgrade', () => done(101)).on('error', fail);
      });
      const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': 13, 'sec-websocket-key': btoa('0123456789abcdef') };
      const asked = [status(path), status('/api'), status('/api/events/subscribe', upgrade)];
      console.log(JSON.stringify([process.getuid(), ...(await Promise.all(asked))]));
      process.exit();`;
    const args = ['--input-type=module', '-e', program, page.url, path, `token ${TOKEN}`];
    const asUser = (uid: number) => promisify(execFile)(process.execPath, args, { uid, gid: uid, cwd: '/' });
    const other = await asUser(65_534).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EACCES') throw error;
      return skip(`no other user may run ${process.execPath}`);
    });
    expect(JSON.parse(other.stdout)).toEqual([65_534, 403, 403, 403]);
    // The same program gets in as this user.
    expect(JSON.parse((await asUser(0)).stdout)).toEqual([0, 200, 200, 101]);
    expect((await askPlainly(path)).status).toBe(403);
  },
);

// Node cannot reset a connection the moment it has sent something.
it.skipIf(process.platform !== 'linux' || process.getuid?.() !== 0)(
  'does nothing for another user who resets the connection before it can be told whose it is',
  async () => {
    const { page, folder } = await servePageHere();
    const program = `
import encodings.idna, os, socket, struct, sys
os.setgid(int(sys.argv[3])); os.setuid(int(sys.argv[3]))
for number in range(60):
    body = '{"type":"file","format":"text","content":"x"}'
    s = socket.create_connection(('127.0.0.1', int(sys.argv[1])))
    s.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
    s.sendall(f'PUT /api/contents/{sys.argv[3]}-{number}.txt HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\nAuthorization: token {sys.argv[2]}\\r\\nContent-Length: {len(body)}\\r\\n\\r\\n{body}'.encode())
    if sys.argv[4] == 'wait': s.recv(9)
    s.close()`;
    const run = (uid: number, how: string) =>
      promisify(execFile)('python3', ['-c', program, String(page.port), TOKEN, String(uid), how]);
    // Requests of this user are fulfilled, so that nothing else refuses those of the other.
    await run(0, 'wait');
    expect(await readdir(folder)).toHaveLength(60);
    await run(65_534, 'reset');
    await run(0, 'wait');
    await setTimeout(300);
    expect((await readdir(folder)).filter((name) => name.startsWith('65534'))).toEqual([]);
  },
);

it('sends headers that keep addresses, types and frames from other sites', async () => {
  const { ask, state } = await servePageHere();
  const page = await ask('/lab');
  const policy = String(page.headers['content-security-policy']);
  for (const part of ["default-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'self'"]) {
    expect(policy.split('; ')).toContain(part);
  }
  for (const path of ['/lab', '/api', '/static/lab.js', '/static/none', '/api/contents/none']) {
    const { headers } = await ask(path);
    expect([path, headers]).toEqual([
      path,
      expect.objectContaining({
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'SAMEORIGIN',
        'cross-origin-resource-policy': 'same-origin',
        'content-security-policy': expect.stringContaining("frame-ancestors 'self'"),
      }),
    ]);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  }
  expect((await stat(state)).mode & 0o777).toBe(0o700);
});

it('listens on this machine alone', async () => {
  const { page } = await servePageHere();
  expect(page.url).toBe(`http://127.0.0.1:${page.port}`);
  const { networkInterfaces } = await import('node:os');
  const others = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  for (const { address } of others.filter(({ internal, family }) => !internal && family === 'IPv4')) {
    await expect(fetch(`http://${address}:${page.port}/`)).rejects.toThrow();
  }
});

it('puts no token, code or cookie into its log or its answers', async () => {
  const starters = () => Promise.reject(new Error('a fault of ours'));
  const { page, ask, askPlainly, logged } = await servePageHere({ starters });
  const path = page.address().slice(page.url.length);
  const code = path.split('=')[1] ?? '';
  const first = await askPlainly(path);
  const cookie = cookieOf(first);
  const secrets = [TOKEN, code, cookie.split('=')[1] ?? '', page.address().split('=')[1] ?? ''];
  const answers = [
    first.text,
    ...(await Promise.all(['/lab', '/api/status', '/nothing', '/api/contents/%00'].map((each) => ask(each)))).map(
      ({ text }) => text,
    ),
    (await askPlainly(path)).text,
    // A failure that is logged, of a request that holds them all.
    (await ask(`/oddslab/api/data?code=${code}&token=${TOKEN}`, { headers: { cookie } })).text,
    (await askPlainly('/api', { headers: { authorization: `token ${TOKEN}x` } })).text,
  ];
  expect(logged).toEqual([expect.stringMatching(/^GET \/oddslab\/api\/data failed: Error: a fault of ours/)]);
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(15);
    expect([...answers, ...logged].filter((text) => text.includes(secret))).toEqual([]);
  }
});

it('goes on with a browser that was let in before a restart, on the same port over the same folder alone', async () => {
  const first = await servePageHere();
  const { page, folder, state } = first;
  const cookie = cookieOf(await first.askPlainly(page.address().slice(page.url.length)));
  expect((await stat(join(state, 'cookie.key'))).mode & 0o777).toBe(0o600);
  await page.close();
  const again = await servePageHere({ folder, state, port: page.port });
  expect((await again.askPlainly('/api/status', { headers: { cookie } })).status).toBe(200);
  await again.page.close();
  // What that browser has open is of another folder.
  const other = await servePageHere({ state, port: page.port });
  expect((await other.askPlainly('/api/status', { headers: { cookie } })).status).toBe(403);
  await other.page.close();
  const stranger = await servePageHere({ folder, port: page.port });
  expect((await stranger.askPlainly('/api/status', { headers: { cookie } })).status).toBe(403);
});
