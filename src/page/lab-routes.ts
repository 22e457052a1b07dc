import type { Hono } from 'hono';
import { messageOf } from '../base/errors.js';
import { versionOf } from '../base/packages.js';
import { isObject, jsonIn } from '../base/texts.js';
import { utf8Of } from './contents-model.js';
import type { KeptText, LabState } from './lab-state.js';
import { PageRefusal } from './refusal.js';
import { readRelaxedJson } from './relaxed-json.js';
import { jsonBody, pathAfter } from './request-parts.js';
import type { StaticFiles } from './static-files.js';
import { Turns } from './turns.js';

/** Where settings and workspaces are asked for. */
const [SETTINGS, WORKSPACES, TRANSLATIONS] = ['/lab/api/settings', '/lab/api/workspaces', '/lab/api/translations'];

/** What JupyterLab keeps and finds on its server: settings with their schemas, workspaces, languages, configuration. */
export function addLabRoutes(app: Hono, parts: { state: LabState; statics: StaticFiles }): void {
  addSettings(app, parts);
  addWorkspaces(app, parts.state);
  addConfig(app, parts.state);
  app.on('GET', [TRANSLATIONS, `${TRANSLATIONS}/*`], ({ req, json }) => {
    const isList = pathAfter(req.raw, TRANSLATIONS) === '';
    return json({ data: isList ? { en: { displayName: 'English', nativeName: 'English' } } : {}, message: '' });
  });
}

function addSettings(app: Hono, { state, statics }: { state: LabState; statics: StaticFiles }): void {
  let reading: Promise<Map<string, unknown>> | undefined;
  const schemas = () => {
    reading ??= readSchemas(statics).catch((error) => {
      // The next one may be luckier.
      reading = undefined;
      throw error;
    });
    return reading;
  };
  // Every page asks for them first.
  void schemas().catch(() => {});
  const schemaOf = async (id: string) => {
    const schema = (await schemas()).get(id);
    if (schema === undefined) throw new PageRefusal(404, `There are no settings of the name ${id}.`);
    return schema;
  };
  const setting = async (id: string) => {
    const schema = await schemaOf(id);
    try {
      return settingModel(id, schema, await state.read('settings', id));
    } catch (error) {
      // One file that cannot be read must not hide all other settings.
      return { ...settingModel(id, schema, undefined), warning: unreadable(id, error) };
    }
  };
  app.on('GET', [SETTINGS, `${SETTINGS}/*`], async ({ req, json }) => {
    const id = pathAfter(req.raw, SETTINGS);
    if (id !== '') return json(await setting(id));
    const ids = [...(await schemas()).keys()];
    const isShort = new URL(req.url).searchParams.get('ids_only') === 'true';
    return json({ settings: isShort ? ids.map((each) => ({ id: each })) : await Promise.all(ids.map(setting)) });
  });
  app.put(`${SETTINGS}/*`, async ({ req, body }) => {
    const id = pathAfter(req.raw, SETTINGS);
    await schemaOf(id);
    const { raw } = await jsonBody(req.raw);
    if (typeof raw !== 'string') throw new PageRefusal(400, 'The settings are missing: `raw` must be a text.');
    if (!isObject(readRelaxedJson(raw))) throw new PageRefusal(400, 'The settings must be a JSON object.');
    utf8Of(raw);
    await state.write('settings', id, raw);
    return body(null, 204);
  });
}

/** A broken file is shown as it is, with what is wrong in it, and its settings count as unset. */
function settingModel(id: string, schema: unknown, kept: KeptText | undefined) {
  const about = { id, schema, version: versionOf('oddslab'), created: kept?.created ?? null };
  const raw = kept?.text ?? '{}';
  const model = { ...about, last_modified: kept?.lastModified ?? null, raw };
  try {
    return { ...model, settings: readRelaxedJson(raw) };
  } catch (error) {
    return { ...model, settings: {}, warning: unreadable(id, error) };
  }
}

function unreadable(id: string, error: unknown): string {
  return `The settings of ${id} cannot be read: ${messageOf(error)}`;
}

async function readSchemas(statics: StaticFiles): Promise<Map<string, unknown>> {
  const paths = await statics.list('schemas');
  const entries = paths.map(async (path): Promise<[string, unknown][]> => {
    // schemas/SCOPE/PACKAGE/PLUGIN.json
    const [, name, plugin] = /^schemas\/(.+)\/([^/]+)\.json$/.exec(path) ?? [];
    if (plugin === undefined || plugin === 'package.json.orig' || plugin === 'package') return [];
    return [[`${name}:${plugin}`, JSON.parse(await statics.read(path))]];
  });
  return new Map((await Promise.all(entries)).flat());
}

function addWorkspaces(app: Hono, state: LabState): void {
  const model = async (id: string) => {
    const kept = await state.read('workspaces', id);
    const value = kept && jsonIn(kept.text);
    if (!kept || !isObject(value)) return { data: {}, metadata: { id } };
    const metadata = { ...Object(value.metadata), id, created: kept.created, last_modified: kept.lastModified };
    return { data: Object(value.data), metadata };
  };
  app.on('GET', [WORKSPACES, `${WORKSPACES}/*`], async ({ req, json }) => {
    const id = pathAfter(req.raw, WORKSPACES);
    if (id !== '') return json(await model(id));
    const ids = await state.names('workspaces');
    // One file that cannot be read must not hide all others.
    const found = await Promise.allSettled(ids.map(model));
    const values = found.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    return json({ workspaces: { ids: values.map(({ metadata }) => metadata.id), values } });
  });
  app.put(`${WORKSPACES}/*`, async ({ req, body }) => {
    const id = pathAfter(req.raw, WORKSPACES);
    if (id === '') throw new PageRefusal(400, 'The workspace has no name: it stands at the end of the address.');
    const { data, metadata } = await jsonBody(req.raw);
    if (!isObject(data)) throw new PageRefusal(400, 'The workspace is missing: `data` must be an object.');
    await state.write('workspaces', id, JSON.stringify({ data, metadata: { ...Object(metadata), id } }));
    return body(null, 204);
  });
  app.delete(`${WORKSPACES}/*`, async ({ req, body }) => {
    await state.remove('workspaces', pathAfter(req.raw, WORKSPACES));
    return body(null, 204);
  });
}

function addConfig(app: Hono, state: LabState): void {
  const turns = new Turns();
  const config = async (name: string): Promise<Record<string, unknown>> => {
    const value = jsonIn((await state.read('config', name))?.text ?? '{}');
    return isObject(value) ? value : {};
  };
  app.get('/api/config/:name{[\\w-]+}', async ({ req, json }) => json(await config(req.param('name'))));
  app.on(['PUT', 'PATCH'], '/api/config/:name{[\\w-]+}', async ({ req, json }) => {
    const [name, given] = [req.param('name'), await jsonBody(req.raw)];
    return turns.take(name, async () => {
      const value = req.method === 'PUT' ? given : merged(await config(name), given);
      await state.write('config', name, JSON.stringify(value, undefined, 2));
      return json(value);
    });
  });
}

/** Sets fields within a value; null removes one. */
function merged(old: Record<string, unknown>, given: Record<string, unknown>): Record<string, unknown> {
  const entries = new Map(Object.entries(old));
  for (const [key, value] of Object.entries(given)) {
    const before = entries.get(key);
    if (value === null) entries.delete(key);
    else entries.set(key, isObject(value) && isObject(before) ? merged(before, value) : value);
  }
  return Object.fromEntries(entries);
}
