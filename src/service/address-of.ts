import { isIP } from 'node:net';

/** How the service learns the address under which it was called. */
export interface AddressOptions {
  /** The address that the operator has set; it overrides all others. */
  baseUrl: string | undefined;
  /** Whether to trust a proxy's headers: the last values of X-Forwarded-Host and X-Forwarded-Proto. */
  trustProxy: boolean;
  /** The address that the service listens on, for a request that names none. */
  own: () => string;
}

/**
 * The address under which the sender of a request reaches the service, such as `http://odds.lan:8787`, without a slash
 * at the end. It is shown to them.
 *
 * @param headers The request's headers. A malformed host is ignored, since anybody can send anything.
 */
export function addressOf(headers: Headers, { baseUrl, trustProxy, own }: AddressOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const forwarded = (name: string) => (trustProxy ? headers.get(name)?.split(',').at(-1)?.trim() : undefined);
  const host = [forwarded('X-Forwarded-Host'), headers.get('Host')].find((each) => each != null && isHost(each));
  const scheme = forwarded('X-Forwarded-Proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return host == null ? own() : `${scheme}://${host.toLowerCase()}`;
}

/** Whether text is a name or an address with an optional port; it is then safe in a shell command or a page. */
function isHost(text: string): boolean {
  const [, name = '', ip, port = '80'] =
    /^([a-z0-9](?:[\w.-]{0,251}[a-z0-9])?|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (ip === undefined || isIP(ip) === 6);
}
