import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The owner of what cannot be told, such as a connection that its program has closed already. */
const NOBODY = -1;

/** How often a list is read in which a connection does not stand: it changes while it is read. */
const READS = 3;

/**
 * Whether the program at the other end of a loopback connection runs as this user, or as root. Cookies are sent to every
 * port of a host, so that another user of the machine could get hold of one by a server of their own; it would not help
 * them. Linux tells who owns a connection. What it no longer lists there was reset by its program, whose owner nobody
 * knows any more, so the answer is no; it is to be asked for as soon as a connection comes. Where the system has no such
 * list the answer is yes.
 */
export async function isSameUser({ remotePort, localPort }: Socket): Promise<boolean> {
  const own = process.geteuid?.();
  if (own === undefined) return true;
  for (let read = 0; read < READS; read++) {
    const table = await linesOf('tcp');
    // A list without any connection, even those that listen, is none.
    if (table.length === 0) return true;
    if (remotePort === undefined || localPort === undefined) return false;
    const owner = ownerOf(table, remotePort, localPort) ?? ownerOf(await linesOf('tcp6'), remotePort, localPort);
    // Both ends stand there as long as nothing was reset.
    if (owner !== undefined && ownerOf(table, localPort, remotePort) !== undefined) return owner === own || owner === 0;
  }
  return false;
}

/** The connections of a kind, a line each; none where the system has no such list. */
async function linesOf(kind: 'tcp' | 'tcp6'): Promise<string[]> {
  const table = await readFile(`/proc/net/${kind}`, 'latin1').catch(() => '');
  return table.split('\n').slice(1).filter(Boolean);
}

/** The user who owns one end of a connection within this machine; undefined if it is not listed. */
function ownerOf(lines: readonly string[], from: number, to: number): number | undefined {
  const ends = [from, to].map((port) => `:${port.toString(16).toUpperCase().padStart(4, '0')}`);
  for (const line of lines) {
    if (!line.includes(ends[0] ?? '')) continue;
    // number, own address, other address, state, queues, timers, retransmissions, user, timeout, inode
    const [, local, remote, , , , , user, , inode] = line.trim().split(/\s+/);
    const isIt = [local, remote].every((address, at) => isLoopback(address) && address?.endsWith(ends[at] ?? ''));
    if (isIt) return inode === '0' ? NOBODY : Number(user);
  }
  return undefined;
}

/** Whether an address of the list is 127.0.0.1, which IPv6 sockets may have, too. */
function isLoopback(address = ''): boolean {
  return /^(?:0{16}FFFF0000)?0100007F:/.test(address);
}
