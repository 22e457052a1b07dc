import { inspect } from 'node:util';
import type { CellFault, Place } from '../events.js';
import type { SyntaxFault } from '../strip-types.js';
import { codeFrame } from './code-frame.js';
import type { SourceRegistry } from './source-registry.js';
import type { OwnCall } from './stack.js';

const DEEPEST_CAUSE = 3;

/** Turns what a cell threw into what is shown of it. */
export class FaultReporter {
  readonly #registry: SourceRegistry;
  readonly #ownCalls: (error: Error) => OwnCall[];

  constructor(registry: SourceRegistry, ownCalls: (error: Error) => OwnCall[]) {
    this.#registry = registry;
    this.#ownCalls = ownCalls;
  }

  /** Of anything thrown; a value that is no error is shown as Node prints it. */
  thrown(value: unknown): CellFault {
    if (!(value instanceof Error)) {
      const message = typeof value === 'string' ? value : inspect(value);
      return { name: 'Thrown', message, traceback: [`Thrown: ${message}`] };
    }
    const calls = this.#ownCalls(value);
    const at = syntaxPlaces.get(value) ?? calls[0]?.place;
    const name = typeof value.name === 'string' && value.name !== '' ? value.name : 'Error';
    const message = String(value.message);
    const traceback = [...heading(name, message), ...this.#frame(at), ...calls.map(callLine), ...causes(value)];
    return { name, message, traceback, ...(at ? { at } : {}) };
  }

  /** Of a text that is no TypeScript. */
  syntax(fault: SyntaxFault, scriptName: string): CellFault {
    const at = { name: scriptName, ...fault.position };
    const traceback = [
      ...heading('SyntaxError', fault.message),
      ...this.#frame(at),
      callLine({ callee: '', place: at }),
    ];
    return { name: 'SyntaxError', message: fault.message, traceback, at };
  }

  #frame(at: Place | undefined): string[] {
    const source = at ? this.#registry.source(at.name) : undefined;
    if (!at || source === undefined) return [];
    const frame = codeFrame(source, at);
    return frame.length > 0 ? ['', ...frame, ''] : [];
  }
}

const syntaxPlaces = new WeakMap<Error, Place>();

/** The error that importing a module of wrong syntax throws; it carries its place, since it has no call there. */
export function moduleSyntaxError(fault: SyntaxFault, scriptName: string): SyntaxError {
  const error = new SyntaxError(fault.message);
  syntaxPlaces.set(error, { name: scriptName, ...fault.position });
  return error;
}

function heading(name: string, message: string): string[] {
  return (message === '' ? name : `${name}: ${message}`).split('\n');
}

function callLine({ callee, place }: OwnCall): string {
  const where = `${place.name}:${place.line}:${place.column}`;
  return callee === '' ? `    at ${where}` : `    at ${callee} (${where})`;
}

function causes(error: Error): string[] {
  const lines: string[] = [];
  // What Node says of a missing module tells no more than our own message, and names paths of this machine.
  const isMissing =
    error.cause instanceof Error && 'code' in error.cause && error.cause.code === 'ERR_MODULE_NOT_FOUND';
  let cause: unknown = isMissing ? undefined : error.cause;
  for (let depth = 0; depth < DEEPEST_CAUSE && cause !== undefined; depth++) {
    lines.push(`Caused by ${cause instanceof Error ? String(cause) : inspect(cause)}`);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const inner: unknown[] = error instanceof AggregateError ? error.errors : [];
  return [...lines, ...inner.map((each) => `  - ${each instanceof Error ? String(each) : inspect(each)}`)];
}
