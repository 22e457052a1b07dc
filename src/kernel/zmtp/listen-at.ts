import { lstatSync, rmSync } from 'node:fs';
import { createServer, isIP, type Server, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';

/** The longest path that every system takes for a socket, in bytes. */
const MOST_PATH_BYTES = 103;

/** Where a socket listens: at a port of an address, or at a path. */
export type Place = { ip: string; port: number } | { path: string };

/**
 * Listens for connections.
 *
 * @param place.ip An address; also `*` for every address of IPv4, or the name of a network interface, as in ZeroMQ.
 * @param place.path A socket that an ended process has left there is replaced.
 * @throws If it cannot listen there.
 */
export async function listenAt(place: Place, onSocket: (socket: Socket) => void): Promise<Server> {
  const server = createServer({ noDelay: true }, onSocket);
  const options = 'path' in place ? { path: freed(place.path) } : { host: addressOf(place.ip), port: place.port };
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options, () => {
      server.off('error', reject);
      resolve();
    });
  });
  return server;
}

function addressOf(ip: string): string {
  if (ip === '*') return '0.0.0.0';
  const address = ip.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) > 0) return address;
  const addresses = networkInterfaces()[ip] ?? [];
  return (addresses.find(({ family }) => family === 'IPv4') ?? addresses[0])?.address ?? ip;
}

/** Makes room at a path where a socket was left. */
function freed(path: string): string {
  // Node would cut a longer path and listen elsewhere.
  if (Buffer.byteLength(path) > MOST_PATH_BYTES) throw new RangeError(`its path has over ${MOST_PATH_BYTES} bytes`);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSocket()) rmSync(path, { force: true });
  return path;
}
