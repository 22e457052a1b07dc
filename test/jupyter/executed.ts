import type { Answer } from './exchange.js';
import type { JupyterMessage } from './jupyter-message.js';

const OUTPUT_TYPES = new Set([
  'stream',
  'display_data',
  'update_display_data',
  'execute_result',
  'error',
  'clear_output',
]);

/** The results of a cell. */
export interface Executed extends Answer {
  status: unknown;
  /** The messages that show something, in order. */
  outputs: JupyterMessage[];
  /** Everything that it wrote. */
  stdout: string;
  stderr: string;
  /** The value of its last expression as text. */
  result: unknown;
  /** Name and message of the error that ended it. */
  error: { ename: unknown; evalue: unknown; traceback: unknown } | undefined;
}

/** Reads a cell's results from the messages that came for it. */
export function executed(answer: Answer): Executed {
  const outputs = answer.messages.filter(({ header }) => OUTPUT_TYPES.has(header.msg_type));
  const ofType = (type: string) => outputs.find(({ header }) => header.msg_type === type)?.content;
  const { ename, evalue, traceback } = ofType('error') ?? {};
  const data = ofType('execute_result')?.data as Record<string, unknown> | undefined;
  return {
    ...answer,
    status: answer.reply.content.status,
    outputs,
    stdout: written(outputs, 'stdout'),
    stderr: written(outputs, 'stderr'),
    result: data?.['text/plain'],
    error: ename === undefined ? undefined : { ename, evalue, traceback },
  };
}

function written(outputs: readonly JupyterMessage[], name: string): string {
  return outputs
    .filter(({ header, content }) => header.msg_type === 'stream' && content.name === name)
    .map(({ content }) => content.text)
    .join('');
}
