import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import { type Page, type PageOptions, servePage } from '../../src/page/serve-page.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** The token of programs in tests. */
export const TOKEN = 'a-token-of-tests-0123456789';

// biome-ignore lint/suspicious/noExplicitAny: answers of every route
type Json = any;

/** An answer, read to its end. */
export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
  /** The body as text. */
  text: string;
  /** The body as JSON; undefined if it is none. */
  json: Json;
}

/** What a request holds besides its path, which is sent as it is. */
export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  /** Sent as JSON unless it is text. */
  body?: unknown;
}

/** A page server in a temporary folder. */
export interface PageServer {
  page: Page;
  /** The folder that it shows, without links. */
  folder: string;
  state: string;
  /** What it has logged. */
  logged: string[];
  /** The addresses that it has told of after others were used. */
  addresses: string[];
  /** Asks as a program with the token does. */
  ask(path: string, sent?: Sent): Promise<Answer>;
  /** Asks without anything that lets one in. */
  askPlainly(path: string, sent?: Sent): Promise<Answer>;
}

/** Starts a page server that ends with the current test. Its front end is three small files. */
export async function servePageHere(options: Partial<PageOptions> = {}): Promise<PageServer> {
  const base = await realpath(await temporaryFolder());
  const [folder, state, frontEnd] = [join(base, 'shown'), join(base, 'state'), join(base, 'front')];
  await mkdir(folder);
  await mkdir(join(frontEnd, 'chunks'), { recursive: true });
  await mkdir(join(frontEnd, 'schemas/@jupyterlab/apputils-extension'), { recursive: true });
  await writeFile(join(frontEnd, 'lab.js.br'), brotliCompressSync('console.log("the page");'));
  await writeFile(join(frontEnd, 'chunks.json'), '["chunks/part-ABCD1234.js"]');
  await writeFile(join(frontEnd, 'chunks/part-ABCD1234.js.br'), brotliCompressSync('export {};'));
  await writeFile(join(frontEnd, 'lab.css'), 'body {}');
  const schema = { title: 'Theme', type: 'object', properties: { theme: { type: 'string' } } };
  await writeFile(join(frontEnd, 'schemas/@jupyterlab/apputils-extension/themes.json'), JSON.stringify(schema));
  const [logged, addresses]: string[][] = [[], []];
  const page = await servePage({
    ...{ folder, state, frontEnd, port: 0, token: TOKEN, env: { ...process.env, ODDSLAB_HISTORY: 'off' } },
    log: (line) => logged?.push(line),
    onAddress: (address) => addresses?.push(address),
    ...options,
  });
  onTestFinished(() => page.close());
  const askPlainly = (path: string, sent?: Sent) => askServer(page.port, path, sent);
  const ask = (path: string, { headers, ...sent }: Sent = {}) =>
    askPlainly(path, { ...sent, headers: { authorization: `token ${TOKEN}`, ...headers } });
  return { page, folder, state, logged: logged ?? [], addresses: addresses ?? [], ask, askPlainly };
}

/** A connection carries many requests, as those of a browser do. */
const AGENT = new Agent({ keepAlive: true });

/** Sends a request whose path and headers are as given, unlike fetch, which normalizes both. */
export function askServer(port: number, path: string, { method = 'GET', headers, body }: Sent = {}): Promise<Answer> {
  return new Promise((done, fail) => {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const length = text === undefined ? {} : { 'content-length': String(Buffer.byteLength(text)) };
    const options = { host: '127.0.0.1', port, path, method, headers: { ...length, ...headers }, agent: AGENT };
    const sent = request(options, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece) => pieces.push(piece));
      answer.on('error', fail);
      answer.on('end', () => {
        const bytes = Buffer.concat(pieces);
        done({
          status: answer.statusCode ?? 0,
          headers: answer.headers,
          bytes,
          text: String(bytes),
          json: jsonOf(bytes),
        });
      });
    });
    sent.on('error', fail);
    sent.end(text);
  });
}

function jsonOf(bytes: Buffer): Json {
  try {
    return JSON.parse(String(bytes));
  } catch {
    return undefined;
  }
}
