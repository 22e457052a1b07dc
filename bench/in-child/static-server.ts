import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

// Answers every request with the bytes of one file: the cost of node:http alone for an answer of that size.
const bytes = readFileSync(process.argv[2] ?? '');
const headers = { 'content-type': 'application/json', 'content-length': bytes.length };
const server = createServer((incoming, outgoing) => {
  incoming.resume().once('end', () => outgoing.writeHead(200, headers).end(bytes));
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
