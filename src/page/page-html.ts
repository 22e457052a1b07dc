import { versionOf } from '../base/packages.js';
import type { StartAnswer } from './start-answers.js';

/** What a page may load and run. JupyterLab compiles schemas and charts (eval); trusted outputs may hold scripts. */
export const PAGE_POLICY = [
  "default-src 'self'",
  "script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self' data:",
  "media-src 'self' data: blob:",
  "worker-src 'self' blob:",
  "connect-src 'self' data: blob:",
  "frame-src 'self' data: blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'self'",
].join('; ');

/** The addresses under which the front end finds its parts, as JupyterLab names them. */
const ADDRESSES = {
  baseUrl: '/',
  appUrl: '/lab',
  treeUrl: '/lab/tree',
  docUrl: '/doc',
  workspacesUrl: '/lab/workspaces',
  staticUrl: '/static',
  fullStaticUrl: '/static',
  settingsUrl: '/lab/api/settings',
  themesUrl: '/lab/api/themes',
  workspacesApiUrl: '/lab/api/workspaces',
  translationsApiUrl: '/lab/api/translations',
  fullAppUrl: '/lab',
  fullTreeUrl: '/lab/tree',
  fullSettingsUrl: '/lab/api/settings',
  fullThemesUrl: '/lab/api/themes',
  fullWorkspacesApiUrl: '/lab/api/workspaces',
  fullTranslationsApiUrl: '/lab/api/translations',
};

/** What the address of a page names. */
export interface PagePlace {
  readonly workspace: string;
  /** The file or folder to open; empty for none. */
  readonly shown: string;
  /** Whether it shows a single document, without what else is open. */
  readonly isSingle: boolean;
}

/** Reads the path of a page's address. */
export function placeOf(path: string): PagePlace {
  return {
    workspace: decoded(/\/workspaces\/([^/]+)/.exec(path)?.[1]) || 'default',
    shown: decoded(/\/tree\/(.*?)\/*$/.exec(path)?.[1]),
    isSingle: path.startsWith('/doc'),
  };
}

/** What a page starts with besides its place. */
interface PageParts {
  /** Full path of the folder that it shows. */
  readonly root: string;
  /** The files that its script needs from the start, which browsers then fetch beside it. */
  readonly chunks: readonly string[];
  /** What it would ask first. */
  readonly answers: readonly StartAnswer[];
}

/** The page that starts JupyterLab. */
export function pageHtml({ workspace, shown, isSingle }: PagePlace, { root, chunks, answers }: PageParts): string {
  const config = {
    ...ADDRESSES,
    appName: 'Oddslab',
    appNamespace: 'lab',
    appVersion: versionOf('oddslab'),
    mode: isSingle ? 'single-document' : 'multiple-document',
    workspace,
    treePath: shown,
    serverRoot: root,
    rootUri: '',
    preferredPath: '/',
    token: '',
    appendToken: false,
    buildAvailable: false,
    buildCheck: false,
    cacheFiles: false,
    devMode: false,
    exposeAppInBrowser: false,
    notebookStartsKernel: true,
    quitButton: false,
    terminalsAvailable: false,
    delete_to_trash: false,
    federated_extensions: [],
    disabledExtensions: [],
    store_id: 0,
  };
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oddslab</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg" class="idle favicon">
<script id="jupyter-config-data" type="application/json">${plain(JSON.stringify(config))}</script>
<link rel="stylesheet" href="/static/lab.css">
${chunks.map((chunk) => `<link rel="modulepreload" href="/static/${chunk}">\n`).join('')}<script type="module" src="/static/lab.js"></script>
</head>
<body>
${answers.map(answerElement).join('\n')}
</body>
</html>
`;
}

/** An answer for src/server-settings.ts of the front end. */
function answerElement({ address, text, isLasting }: StartAnswer): string {
  const named = address.replace(/[&"<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
  return `<script type="application/json" data-answer="${named}"${isLasting ? ' data-lasting' : ''}>${plain(text)}</script>`;
}

/** JSON without signs that could end its element, such as names of files and folders may have. */
function plain(json: string): string {
  return json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Text of an address, in which a percent sign may stand for itself; an empty one for what is no text. */
function decoded(text = ''): string {
  try {
    return decodeURIComponent(text.replace(/%(?![\da-f]{2})/gi, '%25'));
  } catch {
    return '';
  }
}
