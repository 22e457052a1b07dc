import { versionOf } from '../base/packages.js';

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

/**
 * The page that starts JupyterLab.
 *
 * @param path The path of its address, which may name a workspace and a file to open.
 * @param root Full path of the folder that it shows.
 * @param chunks The files that its script needs from the start, which browsers then fetch beside it.
 */
export function pageHtml(path: string, root: string, chunks: readonly string[]): string {
  const config = {
    ...ADDRESSES,
    appName: 'Oddslab',
    appNamespace: 'lab',
    appVersion: versionOf('oddslab'),
    mode: path.startsWith('/doc') ? 'single-document' : 'multiple-document',
    workspace: decoded(/\/workspaces\/([^/]+)/.exec(path)?.[1]) || 'default',
    treePath: decoded(/\/tree\/(.*)$/.exec(path)?.[1]),
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
  // Names of files and folders must not end the element.
  const data = JSON.stringify(config).replace(/[<>&\u2028\u2029]/g, (sign) => {
    return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Oddslab</title>
<link rel="icon" type="image/svg+xml" href="/favicon.svg" class="idle favicon">
<script id="jupyter-config-data" type="application/json">${data}</script>
<link rel="stylesheet" href="/static/lab.css">
${chunks.map((chunk) => `<link rel="modulepreload" href="/static/${chunk}">\n`).join('')}<script type="module" src="/static/lab.js"></script>
</head>
<body></body>
</html>
`;
}

/** Text of an address; an empty one for what is malformed. */
function decoded(text = ''): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}
