/** The page's own application, as far as tests ask it. */
interface Application {
  commands: { execute(command: string, options?: object): Promise<unknown> };
  shell: {
    widgets(area: 'main'): Iterable<Widget>;
    activateById(id: string): void;
    collapseRight(): void;
  };
  serviceManager: { sessions: { shutdownAll(): Promise<void> } };
}

interface Widget {
  context?: { model: { dirty: boolean } };
  sessionContext?: { session?: { kernel?: { connectionStatus: string; status: string } | null } | null };
  close(): void;
}

/** In the page, before it starts: has it expose its application to tests. */
export function exposeApplication(): void {
  const observer = new MutationObserver(() => {
    const config = document.querySelector('#jupyter-config-data');
    if (!config?.nextElementSibling) return;
    observer.disconnect();
    config.textContent = JSON.stringify({ ...JSON.parse(config.textContent ?? ''), exposeAppInBrowser: true });
  });
  observer.observe(document, { childList: true, subtree: true });
}

/** In the page: closes what is open, unsaved or not, shows the folder's files as they are now, and ends all kernels. */
export async function closeAll(): Promise<void> {
  const { commands, shell, serviceManager } = (window as unknown as { jupyterapp: Application }).jupyterapp;
  const widgets = [...shell.widgets('main')];
  const isStarting = ({ sessionContext }: Widget) => {
    const { connectionStatus = '', status = '' } = sessionContext?.session?.kernel ?? {};
    return connectionStatus === 'connecting' || status.endsWith('starting');
  };
  // JupyterLab writes an error into the console where a kernel ends that it waits for.
  while (widgets.some(isStarting)) await new Promise((done) => setTimeout(done, 50));
  // A launcher, which follows, is one of the folder that is shown.
  await commands.execute('filebrowser:go-to-path', { path: '/' });
  for (const widget of widgets) {
    if (widget.context) widget.context.model.dirty = false;
    widget.close();
  }
  await serviceManager.sessions.shutdownAll();
  shell.collapseRight();
  shell.activateById('filebrowser');
  await commands.execute('filebrowser:refresh');
}

/** In the page: opens a file as its address does. */
export async function openFile(path: string): Promise<void> {
  const { commands } = (window as unknown as { jupyterapp: Application }).jupyterapp;
  if (path) await commands.execute('filebrowser:open-path', { path });
}
