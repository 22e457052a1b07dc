import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { onTestFinished } from 'vitest';
import { type Ended, endOf, firstLineOf, startCommand } from '../../support/run-command.js';

/** A line of the log. */
export interface LogLine {
  level: string;
  msg: string;
  worker: number;
  [name: string]: unknown;
}

/** An answer. */
export interface Came {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

/** A request to send. */
export interface Sent {
  method?: string;
  headers?: Record<string, string>;
  body?: string;
}

/** A kept-alive connection to one worker. */
export interface Way {
  worker: number;
  send(path: string, sent?: Sent): Promise<Came>;
}

/** A service of several processes. */
export interface StartedWorkers {
  url: string;
  pid: number;
  /** What it has logged so far; throws if a line is incomplete. */
  lines(): LogLine[];
  /** The first log line, past or future, that meets a condition. */
  line(holds: (line: LogLine) => boolean): Promise<LogLine>;
  /** A kept-alive connection to each of its workers. */
  ways(count?: number): Promise<Way[]>;
  /** Tells it to stop. */
  stop(): Promise<Ended>;
  ended: Promise<Ended>;
}

/** Starts `oddslab serve` with two workers, until the current test ends. */
export async function startWorkers(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<StartedWorkers> {
  const child = startCommand(['serve', '--workers', '2', '--port', '0', ...words], env);
  onTestFinished(() => void child.kill('SIGKILL'));
  let err = '';
  child.stderr?.on('data', (text) => {
    err += text;
  });
  const ended = endOf(child);
  const url = await firstLineOf(child).catch((error: unknown) => {
    throw new Error(`${error}: ${err}`);
  });
  const lines = () =>
    err
      .slice(0, err.lastIndexOf('\n') + 1)
      .split('\n')
      .slice(0, -1)
      .map((line): LogLine => JSON.parse(line));
  const line: StartedWorkers['line'] = async (holds) => {
    for (;;) {
      const found = lines().find(holds);
      if (found) return found;
      if (child.exitCode !== null) throw new Error(`ended before the line came: ${err}`);
      await new Promise((done) => setTimeout(done, 10));
    }
  };
  return {
    url,
    pid: Number(child.pid),
    lines,
    line,
    ended,
    async ways(count = 2) {
      const ways = new Map<number, Way>();
      while (ways.size < count) {
        for (const way of await Promise.all(Array.from({ length: 8 }, () => openWay(url, line)))) {
          ways.set(way.worker, way);
        }
      }
      return [...ways.values()];
    },
    stop() {
      child.kill('SIGTERM');
      return ended;
    },
  };
}

let opened = 0;

/** A connection to whichever worker accepts it; the log says which one that is. */
async function openWay(url: string, line: StartedWorkers['line']): Promise<Way> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const send = (path: string, sent: Sent = {}) => sendBy(agent, url + path, sent);
  opened++;
  const id = `way-${opened}`;
  await send('/healthz', { headers: { 'X-Request-Id': id } });
  return { worker: (await line((each) => each.id === id)).worker, send };
}

function sendBy(agent: Agent, url: string, { method = 'GET', headers = {}, body = '' }: Sent): Promise<Came> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (more) => {
        text += more;
      });
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, text }));
      answer.on('error', reject);
    });
    sent.on('error', reject).end(body);
  });
}
