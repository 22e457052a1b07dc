import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Access } from './access.js';

/** Addresses of the page itself. */
export const PAGE = /^\/(?:lab|doc)(?:\/(?:tree|workspaces)(?:\/.*)?)?\/?$/;

/**
 * Lets a browser in if its address holds the code. It gets a page that goes on to the same address without the code: a
 * redirect would count as coming from the site that led here, and the new cookie would not be sent.
 *
 * @returns Whether the code was used up.
 */
export function letIn(request: IncomingMessage, response: ServerResponse, access: Access): boolean {
  const url = new URL(request.url ?? '/', 'http://localhost');
  const code = url.searchParams.get('code');
  if (request.method !== 'GET' || code === null || !PAGE.test(url.pathname)) return false;
  const isTaken = access.takeCode(code);
  if (!isTaken) access.require(request);
  url.searchParams.delete('code');
  const target = `${url.pathname}${url.search}`.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    ...(isTaken ? { 'set-cookie': access.setCookie(request.socket.localPort ?? 0) } : {}),
  });
  response.end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Oddslab</title>
<meta http-equiv="refresh" content="0;url=${target}">
</head>
<body><a href="${target}">Open the page</a></body>
</html>
`);
  return isTaken;
}
