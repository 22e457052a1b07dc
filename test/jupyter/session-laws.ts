import type { JupyterMessage } from './jupyter-message.js';

const COMMS = ['comm_open', 'comm_msg', 'comm_close'];
const UNANSWERED = [...COMMS, 'input_reply'];
const WITHOUT_PARENT = ['status', ...COMMS];
const MAY_BE_LATE = ['stream', 'display_data', 'update_display_data', 'error', 'clear_output'];
const COUNTED = ['execute_input', 'execute_result'];

/**
 * The rules between messages that a session breaks, one line each: one reply per request, of its type, on its channel;
 * busy first and idle once, last on iopub; every message has its request's header as parent; the code and the count of
 * each cell are right; no cell starts before the previous one is over; an aborted cell shows nothing.
 *
 * @param sent All sent messages.
 * @param received All received messages.
 * @param late Ids of the requests whose output may come after idle.
 */
export function brokenLaws(
  sent: readonly JupyterMessage[],
  received: readonly JupyterMessage[],
  late: ReadonlySet<string> = new Set(),
): string[] {
  const ids = new Map(sent.map((message) => [message.header.msg_id, message]));
  const strays = received.filter(({ parent_header }) => !ids.has(parent_header.msg_id ?? ''));
  const counts = sent.filter(({ header }) => header.msg_type === 'execute_request').sort((a, b) => a.at - b.at);
  return [
    ...strays.flatMap(brokenByStray),
    ...received.flatMap((message) => brokenByParent(message, ids.get(message.parent_header.msg_id ?? ''))),
    ...repeated(received.map(({ header }) => header.msg_id)).map((id) => `two messages have the id ${id}`),
    ...sent.flatMap((request) => {
      const own = received.filter(({ parent_header }) => parent_header.msg_id === request.header.msg_id);
      return brokenByRequest(request, own, late.has(request.header.msg_id)).map((what) => {
        return `${request.header.msg_type} ${JSON.stringify(request.content).slice(0, 120)}: ${what}`;
      });
    }),
    ...brokenCounts(counts, received),
    ...brokenTurns(received, ids),
  ];
}

function brokenByStray({ channel, header, content, parent_header }: JupyterMessage): string[] {
  const isAllowed = channel === 'iopub' && WITHOUT_PARENT.includes(header.msg_type) && !parent_header.msg_id;
  const isStart = header.msg_type !== 'status' || content.execution_state === 'starting';
  return isAllowed && isStart ? [] : [`${header.msg_type} has no request of ours as parent`];
}

function brokenByParent(message: JupyterMessage, request: JupyterMessage | undefined): string[] {
  if (request === undefined) return [];
  const isSame = JSON.stringify(message.parent_header) === JSON.stringify(request.header);
  return isSame ? [] : [`${message.header.msg_type} changes its parent's header`];
}

function brokenByRequest(request: JupyterMessage, own: readonly JupyterMessage[], mayBeLate: boolean): string[] {
  const type = request.header.msg_type;
  const broken: string[] = [];
  const replies = own.filter(({ channel, header }) => channel !== 'iopub' && header.msg_type !== 'input_request');
  const wanted = UNANSWERED.includes(type) ? [] : [`${request.channel} ${type.replace('_request', '_reply')}`];
  const got = replies.map(({ channel, header }) => `${channel} ${header.msg_type}`);
  if (got.join() !== wanted.join()) broken.push(`replies ${got.join() || 'none'}, not ${wanted.join() || 'none'}`);
  if (request.channel === 'stdin') return broken;
  const shown = own.filter(({ channel }) => channel === 'iopub');
  const states = shown.flatMap(({ header, content }) => (header.msg_type === 'status' ? content.execution_state : []));
  if (!/^busy(?:,busy)*,idle$/.test(states.join())) broken.push(`states ${states.join()}`);
  if (shown[0]?.content.execution_state !== 'busy') broken.push(`begins with ${shown[0]?.header.msg_type}`);
  const idle = shown.findIndex(({ content }) => content.execution_state === 'idle');
  const after = shown.slice(idle + 1).map(({ header }) => header.msg_type);
  const allowed = mayBeLate ? [...COMMS, ...MAY_BE_LATE] : COMMS;
  if (after.some((kind) => !allowed.includes(kind))) broken.push(`${after.join()} after idle`);
  return type === 'execute_request' ? [...broken, ...brokenByCell(request, shown, replies[0])] : broken;
}

function brokenByCell(request: JupyterMessage, shown: readonly JupyterMessage[], reply?: JupyterMessage): string[] {
  const ofType = (type: string) => shown.filter(({ header }) => header.msg_type === type);
  const broken: string[] = [];
  const expected = reply?.content.status === 'aborted' || request.content.silent === true ? 0 : 1;
  const inputs = ofType('execute_input');
  if (inputs.length !== expected) broken.push(`${inputs.length} execute_input, not ${expected}`);
  if (inputs.some(({ content }) => content.code !== request.content.code)) broken.push('execute_input has other code');
  if (inputs.length > 0 && shown[1] !== inputs[0]) broken.push('execute_input is not the first after busy');
  if (ofType('execute_result').length > expected) broken.push('too many results');
  if (reply?.content.status === 'aborted' && shown.length > 2) broken.push('an aborted cell showed something');
  const failures = ofType('error').filter(({ content }) => content.ename === reply?.content.ename);
  if (reply?.content.status === 'error' && failures.length !== 1) broken.push(`${failures.length} error messages`);
  return broken;
}

/** Rule: the counter starts at 1 and rises by one for each stored, nonblank cell; all messages of a cell agree. */
function brokenCounts(cells: readonly JupyterMessage[], received: readonly JupyterMessage[]): string[] {
  const replies = new Map(received.flatMap((message) => (isReply(message) ? [[parentOf(message), message]] : [])));
  let count = 0;
  return cells.flatMap(({ header, content }) => {
    const reply = replies.get(header.msg_id);
    if (reply === undefined || reply.content.status === 'aborted') return [];
    const isBlank = String(content.code).trim() === '';
    const isStored = !isBlank && content.silent !== true && content.store_history !== false;
    if (isStored) count++;
    const own = received.filter(
      (message) => COUNTED.includes(message.header.msg_type) && parentOf(message) === header.msg_id,
    );
    const seen = [reply, ...own].map((message) => message.content.execution_count);
    const isRight = !isStored || seen.every((value) => value === count);
    return isRight ? [] : [`counts ${seen.join()}, not ${count}: ${JSON.stringify(content.code)}`];
  });
}

/**
 * Rule: on iopub, a cell is idle before the next is busy. A cell may send busy again, because another request's idle
 * would otherwise make a front end take the kernel for idle.
 */
function brokenTurns(received: readonly JupyterMessage[], ids: ReadonlyMap<string, JupyterMessage>): string[] {
  const states = received.filter(({ header, channel }) => channel === 'iopub' && header.msg_type === 'status');
  const ofCells = states.filter((message) => ids.get(parentOf(message) ?? '')?.header.msg_type === 'execute_request');
  let running: string | undefined;
  return ofCells.flatMap((message) => {
    const isBusy = message.content.execution_state === 'busy';
    const overlaps = running !== undefined && running !== parentOf(message);
    running = isBusy ? parentOf(message) : undefined;
    return overlaps ? [`a cell is ${message.content.execution_state} while another runs`] : [];
  });
}

function isReply({ channel, header }: JupyterMessage): boolean {
  return channel === 'shell' && header.msg_type === 'execute_reply';
}

function parentOf({ parent_header }: JupyterMessage): string | undefined {
  return parent_header.msg_id;
}

function repeated(values: readonly string[]): string[] {
  return [...new Set(values.filter((value, index) => values.indexOf(value) !== index))];
}
