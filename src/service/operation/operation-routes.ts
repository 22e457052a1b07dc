import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type Context, Hono } from 'hono';
import { isLoopback } from '../http/hosts.js';
import { bearerOf } from '../http/negotiation.js';
import { ProblemError, readOnly } from '../http/problems.js';
import type { ServiceEnv } from '../http/request-record.js';
import type { DataState } from '../store/served-data.js';

/** What the routes for the operator report. */
export interface OperationOptions {
  /** Reads the metrics as text, with its content type. */
  readonly readMetrics: () => Promise<{ text: string; type: string }>;
  readonly metricsToken: string | undefined;
  readonly dataState: () => DataState;
  /** Whether the service was told to stop. */
  readonly isStopping: () => boolean;
}

const PLAIN = { 'Cache-Control': 'no-store' };

/** `GET /healthz`: the process runs. `GET /readyz`: it can answer queries. `GET /metrics`: its metrics. */
export function operationRoutes(options: OperationOptions): Hono<ServiceEnv> {
  const app = new Hono<ServiceEnv>();
  app.get('/healthz', (context) => context.json({ status: 'ok' }, 200, PLAIN));
  app.get('/readyz', (context) => context.json(readiness(options), 200, PLAIN));
  app.get('/metrics', (context) => sendMetrics(context, options));
  return readOnly(app, ['/healthz', '/readyz', '/metrics']);
}

const NO_DATA = 'No data are loaded yet: run "oddslab ingest", or for a cluster "oddslab data push".';

const UNREADABLE = 'No data can be read now; the log tells why.';

/**
 * Says whether queries can be answered. Anybody may read it, so the reason for serving an older version stays in the
 * log.
 */
function readiness({ dataState, isStopping }: OperationOptions): object {
  const notReady = (detail: string) => new ProblemError(503, detail, { headers: { 'Retry-After': '5' } });
  if (isStopping()) throw notReady('The service is stopping.');
  const { served, current, problem } = dataState();
  if (served === undefined) throw notReady(problem === undefined ? NO_DATA : UNREADABLE);
  if (problem === undefined) return { status: 'ready', data_version: served };
  return { status: 'degraded', data_version: served, current_version: current };
}

async function sendMetrics(
  context: Context<ServiceEnv>,
  { readMetrics, metricsToken }: OperationOptions,
): Promise<Response> {
  const { incoming } = context.env;
  if (!isLocal(incoming) && !holdsToken(incoming.headers.authorization, metricsToken)) {
    if (metricsToken === undefined) {
      throw new ProblemError(403, 'From other machines the metrics are read with a token; none is set.');
    }
    const headers = { 'WWW-Authenticate': 'Bearer' };
    throw new ProblemError(401, 'Send the header "Authorization: Bearer <metrics token>".', { headers });
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
