import { z } from 'zod';
import type { JupyterMessage } from './jupyter-message.js';

const count = z.int().nonnegative();
const anyRecord = z.record(z.string(), z.unknown());
const empty = z.strictObject({});

const mimeType = z.string().regex(/^[a-z]+\/[\w.+-]+(?:; ?[\w=.-]+)*$/);

/** Text for all MIME types except JSON ones, which may have any value. */
const bundle = z.record(mimeType, z.unknown()).superRefine((data, context) => {
  for (const [type, value] of Object.entries(data)) {
    const isJson = /[/+]json$/.test(type);
    if (value === undefined || (!isJson && typeof value !== 'string')) {
      context.addIssue(`${type} holds ${JSON.stringify(value)}`);
    }
  }
});
const shown = bundle.refine((data) => Object.keys(data).length > 0, 'shows nothing');
const picture = { data: shown, metadata: anyRecord };

const failure = { ename: z.string().min(1), evalue: z.string(), traceback: z.array(z.string()) };
const failed = z.strictObject({ status: z.literal('error'), ...failure });
const expression = z.union([z.strictObject({ status: z.literal('ok'), ...picture }), failed]);

const ok = <Shape extends z.ZodRawShape>(shape: Shape) => z.strictObject({ status: z.literal('ok'), ...shape });
const orFailed = <Reply extends z.ZodType>(reply: Reply) => z.union([reply, failed]);

const payload = z.discriminatedUnion('source', [
  z.strictObject({ source: z.literal('page'), data: shown, start: count }),
  z.strictObject({ source: z.literal('set_next_input'), text: z.string(), replace: z.boolean() }),
]);

const languageInfo = z.strictObject({
  name: z.string().min(1),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  mimetype: mimeType,
  file_extension: z.string().startsWith('.'),
  pygments_lexer: z.string().optional(),
  codemirror_mode: z.union([z.string(), anyRecord]).optional(),
  nbconvert_exporter: z.string().optional(),
});

const historyLine = z.tuple([z.int(), count, z.union([z.string(), z.tuple([z.string(), z.string().nullable()])])]);

const comm = { comm_id: z.string().min(1), data: anyRecord };

const part = { from: count, to: count };
const signature = z.strictObject({
  label: z.string().min(1),
  documentation: z.string(),
  parameters: z.array(z.strictObject({ ...part, documentation: z.string() })),
});

/** What every response of the Debug Adapter Protocol has. */
const response = {
  status: z.literal('ok'),
  type: z.literal('response'),
  seq: count,
  request_seq: count,
  command: z.string(),
};

/** The content of each type of message that a kernel sends, according to the messaging protocol 5.4 and our additions. */
export const CONTENT: Record<string, z.ZodType> = {
  kernel_info_reply: ok({
    protocol_version: z.literal('5.4'),
    implementation: z.string().min(1),
    implementation_version: z.string().regex(/^\d+\.\d+\.\d+/),
    language_info: languageInfo,
    banner: z.string(),
    debugger: z.boolean().optional(),
    help_links: z.array(z.strictObject({ text: z.string(), url: z.url() })),
    supported_features: z.array(z.string()).optional(),
  }),
  execute_reply: z.discriminatedUnion('status', [
    ok({ execution_count: count, payload: z.array(payload), user_expressions: z.record(z.string(), expression) }),
    z.strictObject({
      status: z.literal('error'),
      ...failure,
      execution_count: count,
      payload: z.array(payload).optional(),
      user_expressions: empty.optional(),
    }),
    z.strictObject({ status: z.literal('aborted') }),
  ]),
  complete_reply: orFailed(
    ok({ matches: z.array(z.string()), cursor_start: count, cursor_end: count, metadata: anyRecord }),
  ),
  inspect_reply: orFailed(ok({ found: z.boolean(), data: bundle, metadata: anyRecord })),
  diagnostics_reply: z.union([
    ok({
      diagnostics: z.array(
        z.strictObject({ ...part, severity: z.enum(['error', 'warning']), code: count, message: z.string().min(1) }),
      ),
    }),
    z.strictObject({ status: z.literal('aborted') }),
    failed,
  ]),
  signature_reply: z.union([
    ok({ found: z.boolean(), signatures: z.array(signature), active: count, parameter: count.nullable() }),
    z.strictObject({ status: z.literal('aborted') }),
    failed,
  ]),
  is_complete_reply: z.union([
    z.strictObject({ status: z.literal('incomplete'), indent: z.string() }),
    z.strictObject({ status: z.enum(['complete', 'invalid', 'unknown']) }),
  ]),
  history_reply: orFailed(ok({ history: z.array(historyLine) })),
  comm_info_reply: orFailed(ok({ comms: z.record(z.string(), z.strictObject({ target_name: z.string() })) })),
  interrupt_reply: orFailed(ok({})),
  debug_reply: orFailed(
    z.discriminatedUnion('success', [
      z.strictObject({ ...response, success: z.literal(true), body: anyRecord }),
      z.strictObject({
        ...response,
        success: z.literal(false),
        message: z.string().min(1),
        busy: z.literal(true).optional(),
      }),
    ]),
  ),
  table_reply: orFailed(
    ok({
      columns: z.array(z.strictObject({ name: z.string(), type: z.string().min(1) })),
      rows: z.array(z.array(z.string())),
      positions: z.array(count),
      total: count,
      matched: count,
      busy: z.literal(true).optional(),
    }),
  ),
  shutdown_reply: orFailed(ok({ restart: z.boolean() })),
  input_request: z.strictObject({ prompt: z.string(), password: z.boolean() }),
  status: z.strictObject({ execution_state: z.enum(['starting', 'busy', 'idle']) }),
  execute_input: z.strictObject({ code: z.string(), execution_count: count }),
  stream: z.strictObject({ name: z.enum(['stdout', 'stderr']), text: z.string().min(1) }),
  display_data: z.strictObject({ ...picture, transient: z.strictObject({ display_id: z.string().optional() }) }),
  update_display_data: z.strictObject({ ...picture, transient: z.strictObject({ display_id: z.string().min(1) }) }),
  execute_result: z.strictObject({
    ...picture,
    execution_count: count,
    transient: z.strictObject({ display_id: z.string().optional() }).optional(),
  }),
  error: z.strictObject(failure),
  clear_output: z.strictObject({ wait: z.boolean() }),
  comm_open: z.strictObject({ ...comm, target_name: z.string().min(1), target_module: z.string().optional() }),
  comm_msg: z.strictObject(comm),
  comm_close: z.strictObject(comm),
};

const header = z.strictObject({
  msg_id: z.string().min(1),
  msg_type: z.string().min(1),
  username: z.string().min(1),
  session: z.string().min(1),
  date: z.iso.datetime({ offset: true }),
  version: z.literal('5.4'),
});

/** The ways in which a kernel's message violates the protocol, one line each. */
export function faultsOf(message: JupyterMessage): string[] {
  const type = message.header.msg_type;
  const content = CONTENT[type] ?? z.never(`no kernel sends ${type}`);
  const envelope = z.object({
    header,
    metadata: anyRecord,
    content,
    parent_header: z.union([empty, z.looseObject({})]),
  });
  const { error } = envelope.safeParse(message);
  const issues = error?.issues.flatMap((issue) => (issue.code === 'invalid_union' ? unionIssues(issue) : issue)) ?? [];
  return issues.map(
    ({ path, message: why }) => `${type} ${path.join('.')}: ${why} in ${JSON.stringify(message.content)}`,
  );
}

/** The issues of the alternative that comes nearest. */
function unionIssues(issue: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] {
  const alternatives = issue.errors.filter((issues) => issues.length > 0);
  const [nearest] = alternatives.sort((a, b) => a.length - b.length);
  return nearest?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] })) ?? [issue];
}
