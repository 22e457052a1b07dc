import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import type { AuditDetails, AuditEvent } from '../../../src/service/accounts/audit.js';
import { openDashboard } from '../../../src/service/web/dashboard.js';
import type { DashboardOptions } from '../../../src/service/web/desk.js';

/** A dashboard on a loopback port, over a folder of its own. */
export interface Dashboard {
  url: string;
  folder: string;
  /** Links that were shown, newest last. */
  links: string[];
  errors: unknown[];
  /** What was noted in the log. */
  events: ({ event: AuditEvent } & AuditDetails)[];
  /** The dashboard's clock; tests move it. */
  clock: { now: number };
  close(): Promise<void>;
}

/** Starts one whose links are shown, unless options say otherwise. */
export async function startDashboard(options: Partial<DashboardOptions> = {}): Promise<Dashboard> {
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'oddslab-dashboard-')));
  const links: string[] = [];
  const errors: unknown[] = [];
  const events: Dashboard['events'] = [];
  const clock = { now: Date.parse('2026-03-01T12:00:00Z') };
  let url = '';
  const dashboard = openDashboard({
    folder,
    baseUrl: () => url,
    showLink: (_address, link) => links.push(link),
    signUp: 'open',
    audit: (event, details) => events.push({ event, ...details }),
    bodySeconds: 20,
    open: false,
    query: async () => ({
      answer: { pagination: { limit: 25, offset: 0, has_more: false }, data: { results: [] } },
      version: 'v1',
    }),
    onError: (error) => errors.push(error),
    now: () => clock.now,
    ...options,
  });
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const starting = serve(
      { fetch: new Hono().route('/', dashboard.routes).fetch, hostname: '127.0.0.1', port: 0 },
      () => resolve(starting),
    );
  });
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = async () => {
    await new Promise((done) => server.close(done));
    await rm(folder, { recursive: true, force: true });
  };
  return { url, folder, links, errors, events, clock, close };
}
