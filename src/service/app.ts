import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { DATASETS, findDataset } from '../contract/dataset.js';
import { DATA_VERSION_HEADER, type Problem, QUERY_PATH, SHORT_QUERY_PATH } from '../contract/envelope.js';
import { requestSchema } from '../contract/envelope-schema.js';
import { readFilters } from '../contract/read-filters.js';
import { isoOfSeconds } from '../contract/time.js';
import { answer } from './answer.js';
import { isKnownKey, listKeys } from './auth/keys.js';
import { envelopeErrors, ProblemError, TITLES } from './problems.js';
import type { Stores } from './stores.js';
import { Watched } from './watched.js';

/** What the service runs on. */
export interface AppOptions {
  /** The data folder, whose keys are accepted. */
  folder: string;
  stores: Stores;
  /** Answer without a key: for loopback alone. */
  open: boolean;
  /** Told of every error that is ours, not the client's. */
  onError: (error: unknown, requestId: string) => void;
}

type Env = { Variables: { requestId: string } };

/** The most bytes that a request body may have. */
const MAX_BODY = 1 << 20;

/** The query service as a request handler: one endpoint on its two paths, and nothing else. */
export function createApp(options: AppOptions): Hono<Env> {
  const app = new Hono<Env>();
  const keys = new Watched(join(options.folder, 'keys'), () => listKeys(options.folder));
  app.use(async (context, next) => {
    context.set('requestId', randomUUID());
    context.header('X-Request-Id', context.get('requestId'));
    await next();
  });
  const tooLarge = () => {
    // The rest of the body is not read, so that the connection can carry no further request.
    throw new ProblemError(413, `The body has more than ${MAX_BODY} bytes.`, { headers: { Connection: 'close' } });
  };
  for (const path of [QUERY_PATH, SHORT_QUERY_PATH]) {
    app.post(path, bodyLimit({ maxSize: MAX_BODY, onError: tooLarge }), async (context) => {
      if (!options.open) await authorize(context, await keys.get());
      return context.json(await handle(context, options.stores, await readBody(context)));
    });
    app.all(path, () => {
      throw new ProblemError(405, 'Queries are sent by POST.', { headers: { Allow: 'POST' } });
    });
  }
  app.notFound((context) =>
    problem(context, new ProblemError(404, `There is nothing here; queries go to ${QUERY_PATH}.`)),
  );
  app.onError((error, context) => {
    if (error instanceof ProblemError) return problem(context, error);
    options.onError(error, context.get('requestId'));
    return problem(context, new ProblemError(500, 'The service failed on this request; its log tells why.'));
  });
  return app;
}

async function authorize(context: Context, keys: Awaited<ReturnType<typeof listKeys>>): Promise<void> {
  const [, key] = /^Bearer +(\S+)$/i.exec(context.req.header('Authorization') ?? '') ?? [];
  if (key !== undefined && isKnownKey(keys, key)) return;
  const detail =
    key === undefined ? 'Send the header "Authorization: Bearer <API key>".' : 'This API key is not valid.';
  throw new ProblemError(401, detail, { headers: { 'WWW-Authenticate': 'Bearer' } });
}

async function readBody(context: Context): Promise<unknown> {
  const type = context.req.header('Content-Type') ?? '';
  if (!/^application\/json\s*(;|$)/i.test(type)) {
    throw new ProblemError(415, `The body must be application/json; got ${type || 'no Content-Type'}.`);
  }
  const bytes = await context.req.arrayBuffer();
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw new ProblemError(400, `The body is not JSON in UTF-8: ${(cause as Error).message}`);
  }
}

async function handle(context: Context, stores: Stores, body: unknown): Promise<object> {
  const request = requestSchema.safeParse(body);
  if (!request.success) {
    throw new ProblemError(422, 'The request envelope is not valid.', { errors: envelopeErrors(request.error) });
  }
  const { agent_id, params, pagination } = request.data;
  const dataset = findDataset(agent_id);
  if (!dataset) {
    throw new ProblemError(
      404,
      `There is no dataset ${agent_id}; there are ${DATASETS.map(({ id }) => id).join(', ')}.`,
      {
        errors: [{ pointer: '/agent_id', detail: 'is the number of no dataset' }],
      },
    );
  }
  const { values, echo, errors } = readFilters(dataset, params ?? {});
  errors.push(...contradictions(values));
  if (errors.length > 0) throw new ProblemError(422, `The filters of dataset ${agent_id} are not valid.`, { errors });
  const page = await stores.use((store, version) => {
    context.header(DATA_VERSION_HEADER, version);
    return answer(store, dataset, values, pagination);
  });
  if (!page)
    throw new ProblemError(503, 'No data are loaded yet: run "oddslab ingest".', { headers: { 'Retry-After': '5' } });
  return {
    timestamp: isoOfSeconds(Date.now() / 1000),
    params: echo,
    pagination: { ...pagination, has_more: page.has_more },
    data: { results: page.results },
  };
}

/** Ranges that end before they start. */
function contradictions(values: Readonly<Record<string, unknown>>) {
  return [
    ['start_time', 'end_time'],
    ['end_date_min', 'end_date_max'],
  ].flatMap(([from = '', to = '']) =>
    Number(values[from]) > Number(values[to]) ? [{ pointer: `/params/${to}`, detail: `lies before ${from}` }] : [],
  );
}

function problem(context: Context<Env>, { status, message, errors, headers }: ProblemError): Response {
  const body: Problem = {
    type: 'about:blank',
    title: TITLES[status] ?? 'Error',
    status,
    detail: message,
    ...(errors ? { errors } : {}),
    request_id: context.get('requestId'),
  };
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/problem+json', 'X-Request-Id': body.request_id, ...headers },
  });
}
