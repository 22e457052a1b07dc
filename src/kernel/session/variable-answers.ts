import { InputError } from '../../base/errors.js';
import { ContentFields } from '../protocol/message.js';
import type { Answered, Question, Variable } from '../wire/variables.js';

/** Asks the process of the cells. */
type Ask = <Asked extends Question>(question: Asked) => Promise<Answered<Asked['about']>>;

const BUSY = 'A cell is computing: its variables can be looked at once it waits for something, or has ended.';
const NO_DEBUGGER =
  'This kernel has no debugger. Of the debug requests it answers inspectVariables, richInspectVariables, variables and debugInfo.';

/** What a debug request comes to: a body, or why there is none. */
type Debugged = { body: object } | { message: string; busy?: true };

/**
 * Answers a `debug_request`, a request of the Debug Adapter Protocol. The kernel has no debugger, but tells the variables
 * of its cells; every other request is refused. While a cell computes without pause, the answer says `busy: true`.
 */
export async function answerDebug(fields: ContentFields, ask: Ask): Promise<object> {
  const command = fields.text('command', '');
  const asked = new ContentFields(fields.object('arguments'));
  const debugged = await debug(command, asked, ask);
  const success = 'body' in debugged;
  return { type: 'response', seq: 0, request_seq: fields.integer('seq') ?? 0, command, success, ...debugged };
}

async function debug(command: string, asked: ContentFields, ask: Ask): Promise<Debugged> {
  switch (command) {
    case 'inspectVariables':
      return bodyOf(await ask({ about: 'names' }), variablesBody, { variables: [] });
    case 'variables': {
      const [from, count] = [asked.integer('start') ?? 0, asked.integer('count') || MOST_PARTS];
      const reference = asked.integer('variablesReference') ?? 0;
      return bodyOf(await ask({ about: 'parts', reference, from, count }), variablesBody);
    }
    case 'richInspectVariables':
      return bodyOf(await ask({ about: 'picture', name: asked.text('variableName') }), (picture) => picture);
    case 'debugInfo':
      return { body: NOTHING_DEBUGGED };
    default:
      return { message: NO_DEBUGGER };
  }
}

/** How many parts of a value are told where the request does not say. */
const MOST_PARTS = 100;

/** The body of `debugInfo`. Without a debugger the hashes by which it would name cells mean nothing. */
const NOTHING_DEBUGGED = {
  isStarted: false,
  hashMethod: 'Murmur2',
  hashSeed: 0,
  tmpFilePrefix: '',
  tmpFileSuffix: '.ts',
  breakpoints: [],
  stoppedThreads: [],
  richRendering: true,
  exceptionPaths: [],
};

function bodyOf<About extends Question['about']>(
  answered: Answered<About>,
  body: (answer: Extract<Answered<About>, { status: 'ok' }>['answer']) => object,
  ofNone?: object,
): Debugged {
  if (answered.status === 'ok') return { body: body(answered.answer) };
  if (answered.status === 'busy') return { message: BUSY, busy: true };
  if (answered.status === 'refused') return { message: answered.message };
  return ofNone ? { body: ofNone } : { message: NOTHING_YET };
}

const NOTHING_YET = 'No cell has run in this process yet.';

/** Variables in the words of the Debug Adapter Protocol, which lets us add what it does not know: `isTable`. */
function variablesBody(variables: Variable[]): object {
  return {
    variables: variables.map(({ name, type, value, reference, isImport, isTable }) => ({
      name,
      value,
      type,
      evaluateName: name,
      variablesReference: reference,
      presentationHint: {
        kind: type === 'function' ? 'method' : type === 'class' ? 'class' : 'data',
        attributes: isImport ? ['imported'] : [],
      },
      ...(isTable ? { isTable } : {}),
    })),
  };
}

/**
 * Answers a `table_request`: a part of a value's rows, sorted and filtered. While a cell computes without pause, the
 * answer says `busy: true` and has no rows.
 *
 * @throws {InputError} If the request is malformed, the value is no table, or the filter makes no sense for it.
 */
export async function answerTable(fields: ContentFields, ask: Ask): Promise<object> {
  const given = fields.object('sort');
  const sort = new ContentFields(given);
  const filter = fields.text('filter', '');
  const answered = await ask({
    about: 'table',
    name: fields.text('name'),
    from: fields.integer('from') ?? 0,
    count: fields.integer('count') ?? MOST_PARTS,
    ...('column' in given ? { sort: { column: sort.text('column'), descending: sort.flag('descending', false) } } : {}),
    ...(filter === '' ? {} : { filter }),
  });
  if (answered.status === 'ok') return answered.answer;
  if (answered.status === 'busy')
    return { busy: true, columns: [], rows: [], whole: [], positions: [], total: 0, matched: 0 };
  throw new InputError(answered.status === 'refused' ? answered.message : NOTHING_YET);
}
