import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { isLoopback } from '../http/hosts.js';
import { bearerOf } from '../http/negotiation.js';
import { ProblemError, readOnly } from '../http/problems.js';
import type { ServiceEnv } from '../http/request-record.js';
import type { ServedData } from '../store/served-data.js';
import type { Admission } from './admission.js';

/** What the routes for the operator report. */
export interface OperationOptions {
  /** Reads the metrics as text, with its content type. */
  readonly readMetrics: () => Promise<{ text: string; type: string }>;
  readonly metricsToken: string | undefined;
  readonly admission: Pick<Admission, 'admit'>;
  readonly data: Pick<ServedData, 'state' | 'settle'>;
  /** Whether the service was told to stop. */
  readonly isStopping: () => boolean;
  /** Whether another process of the service cannot answer all queries. */
  readonly othersLack: () => boolean;
}

const PLAIN = { 'Cache-Control': 'no-store' };

/** `GET /healthz`: the process runs. `GET /readyz`: it can answer all queries. `GET /metrics`: its metrics. */
export function operationRoutes(options: OperationOptions): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get('/healthz', (context) => context.json({ status: 'ok' }, 200, PLAIN));
  app.get('/readyz', async (context) => context.json(await readiness(options), 200, PLAIN));
  app.get('/metrics', (context) => sendMetrics(context, options));
  return readOnly(app, ['/healthz', '/readyz', '/metrics']);
}

const NO_DATA = 'No data are loaded yet: run "oddslab ingest", or for a cluster "oddslab data push".';

const UNREADABLE = 'No version of the data can be read whole now; the log tells why.';

/**
 * Says whether queries can be answered. Anybody may read it, so the reason for serving an older version stays in the
 * log. All processes of a service say the same, as nobody can choose the one that answers. What shards lack is no reason to refuse: every service of a cluster lacks the same, and answers the rest.
 */
async function readiness({ data, isStopping, othersLack }: OperationOptions): Promise<object> {
  const notReady = (detail: string) => new ProblemError(503, detail, { headers: { 'Retry-After': '5' } });
  if (isStopping()) throw notReady('The service is stopping.');
  await data.settle?.();
  const { served, current, problem, unanswered } = data.state();
  if (served === undefined) throw notReady(problem === undefined ? NO_DATA : UNREADABLE);
  if (othersLack()) throw notReady(UNREADABLE);
  if (problem === undefined) return { status: 'ready', data_version: served };
  return { status: 'degraded', data_version: served, current_version: current, detail: unanswered };
}

async function sendMetrics(
  context: Context<ServiceEnv>,
  { readMetrics, metricsToken, admission }: OperationOptions,
): Promise<Response> {
  const { incoming, seen } = context.env;
  const { authorization } = incoming.headers;
  if (!isLocal(incoming) && !holdsToken(authorization, metricsToken)) {
    const { role } = await admission.admit(authorization, seen);
    if (role !== 'operator') {
      const remedy = 'The metrics are for operators: make a key with "oddslab keys create --role operator".';
      throw new ProblemError(403, `This key is a reader's. ${remedy}`);
    }
  }
  const { text, type } = await readMetrics();
  return context.body(text, 200, { 'Content-Type': type, ...PLAIN });
}

/** Whether a request comes from this machine, and not through a proxy on it, which its headers would show. */
function isLocal({ socket, headers }: IncomingMessage): boolean {
  const isForAnother =
    'x-forwarded-for' in headers || 'forwarded' in headers || 'x-real-ip' in headers || 'via' in headers;
  return !isForAnother && isLoopback(socket.remoteAddress ?? '');
}

function holdsToken(authorization: string | undefined, token: string | undefined): boolean {
  const presented = bearerOf(authorization);
  const hashOf = (text: string) => hash('sha256', text, 'buffer');
  return token !== undefined && presented !== undefined && timingSafeEqual(hashOf(presented), hashOf(token));
}
