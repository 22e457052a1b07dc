import type { OutgoingMessage } from 'node:http';
import type { Context } from 'hono';

/** The id under which the service logs this request; an empty text if it has none. */
export function requestIdOf({ env }: Context<{ Bindings: { outgoing?: OutgoingMessage } }>): string {
  return String(env?.outgoing?.getHeader('X-Request-Id') ?? '');
}
