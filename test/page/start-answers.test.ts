import { Hono } from 'hono';
import { expect, test } from 'vitest';
import { startAnswers } from '../../src/page/start-answers.js';

test('what a page asks first comes with it within a second, without what is late, breaks off or fails', async () => {
  const app = new Hono();
  app.get('/api/status', ({ json }) => json({ kernels: 0 }));
  app.get('/api/kernels', () => new Promise<Response>(() => {}));
  // A body that begins and never ends, as of a file on a network that stalls.
  app.get('/api/sessions', () => new Response(new ReadableStream({ start: (body) => body.enqueue(Buffer.from('[')) })));
  app.get('/api/nbconvert', () => new Response(new ReadableStream({ start: (body) => body.error(new Error('gone')) })));
  app.get('/api/kernelspecs', () => {
    throw new Error('broken');
  });
  app.get('/api/contents/a.ipynb', ({ json }) => json({ name: 'a.ipynb' }));
  app.onError((_error, { text }) => text('failed', 500));
  const start = performance.now();
  expect(await startAnswers(app, ['/api/contents/a.ipynb?content=0'])).toEqual([
    { address: '/api/status', text: '{"kernels":0}', isLasting: true },
    { address: '/api/contents/a.ipynb?content=0', text: '{"name":"a.ipynb"}', isLasting: false },
  ]);
  expect(performance.now() - start).toBeLessThan(4000);
}, 10_000);
