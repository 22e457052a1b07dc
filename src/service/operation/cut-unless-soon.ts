import type { Socket } from 'node:net';

/** How long an answer may take once its client has ended its half of the connection: most such clients have gone. */
const LEFT_MS = 3000;

/**
 * Cuts a connection whose client has ended its half, unless its answer begins soon. A client that has gone cannot be
 * told from one that only listens.
 */
export function cutUnlessSoon(socket: Socket, hasBegun: () => boolean): void {
  const late = () => {
    if (!hasBegun()) socket.destroy();
  };
  // After other events that are due already, such as a finished read from disk.
  setTimeout(() => setImmediate(late), LEFT_MS).unref();
}
