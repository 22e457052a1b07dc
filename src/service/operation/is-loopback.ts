import { isIP } from 'node:net';

/** Whether a host name or an IP address is a loopback one, which no other machine can reach. */
export function isLoopback(host: string): boolean {
  const address = host.replace(/^::ffff:/i, '');
  return host === 'localhost' || host === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
