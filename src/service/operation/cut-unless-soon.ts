import type { Socket } from 'node:net';

/** How long an answer may take whose client has ended its half of the connection: most of them have gone. */
const LEFT_MS = 3000;

/**
 * Cuts a connection whose client has nothing more to say, unless the answer that it is owed has begun soon. Nothing
 * tells a client that has gone from one that only listens.
 */
export function cutUnlessSoon(socket: Socket, hasBegun: () => boolean): void {
  const late = () => {
    if (!hasBegun()) socket.destroy();
  };
  // Behind what else has come meanwhile, such as an answer of the disk.
  setTimeout(() => setImmediate(late), LEFT_MS).unref();
}
