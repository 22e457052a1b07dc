import { isIP } from 'node:net';

/** How the service knows under which address it was asked. */
export interface AddressOptions {
  /** The address that the operator has set: then it is always this one. */
  baseUrl: string | undefined;
  /** Whether headers of a proxy are believed: then the last of X-Forwarded-Host and X-Forwarded-Proto count. */
  trustProxy: boolean;
  /** The address that it listens on, for a request that names none. */
  own: () => string;
}

/**
 * The address under which whoever sent a request reaches the service, to be shown to them: such as
 * `http://odds.lan:8787`, without a slash at the end.
 *
 * @param headers Of the request. A host that has not the form of one is passed over: anybody can send anything.
 */
export function addressOf(headers: Headers, { baseUrl, trustProxy, own }: AddressOptions): string {
  if (baseUrl !== undefined) return baseUrl.replace(/\/+$/, '');
  const forwarded = (name: string) => (trustProxy ? headers.get(name)?.split(',').at(-1)?.trim() : undefined);
  const host = [forwarded('X-Forwarded-Host'), headers.get('Host')].find((each) => each != null && isHost(each));
  const scheme = forwarded('X-Forwarded-Proto')?.toLowerCase() === 'https' ? 'https' : 'http';
  return host == null ? own() : `${scheme}://${host.toLowerCase()}`;
}

/** A name or an address, and a port if there is one: nothing that a shell or a page would read as more than text. */
function isHost(text: string): boolean {
  const [, name = '', ip, port = '80'] =
    /^([a-z0-9](?:[\w.-]{0,251}[a-z0-9])?|\[([\da-f:.]+)\])(?::(\d{1,5}))?$/i.exec(text) ?? [];
  return name !== '' && Number(port) <= 65_535 && (ip === undefined || isIP(ip) === 6);
}
