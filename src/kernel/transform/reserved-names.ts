const SUFFIX = '$cell';

/** Names by which packages detect where they run, and globals of newer versions of Node. */
const SNIFFED =
  'window document self navigator location frames top parent history screen name localStorage sessionStorage ' +
  'XMLHttpRequest WebSocket EventSource Worker Element Node HTMLElement SVGElement Image CustomEvent CSSStyleSheet ' +
  'requestAnimationFrame cancelAnimationFrame getComputedStyle customElements WorkerGlobalScope importScripts ' +
  'define exports module require __dirname __filename Deno Bun Iterator Temporal SuppressedError DisposableStack ' +
  'AsyncDisposableStack Float16Array Storage CloseEvent ErrorEvent';

/** Names that the code added to cells uses. */
const OURS = '__oddslab__ babelHelpers';

const reserved = new Set([...Object.getOwnPropertyNames(globalThis), ...SNIFFED.split(' '), ...OURS.split(' ')]);

/**
 * Whether code outside the cells may look a name up. Node, the runner and packages see the top-level names of cells in
 * place of globals, so a cell that declares `URL` must declare it under another name.
 */
export function isReserved(name: string): boolean {
  return reserved.has(name) || name.endsWith(SUFFIX);
}

/**
 * The name under which a cell's reserved name is declared where the cells run.
 *
 * @example nameInScript('URL') // 'URL$cell'
 */
export function nameInScript(name: string): string {
  return name + SUFFIX;
}

/** How V8 quotes from the script what is not iterable. */
const NOTED = /\(__oddslab__\.waitsFor\(\.\.\.\) , (.*)\) is not/g;

/** Restores in a message of V8 what the cells wrote: reserved names, and what a `for await` iterates over. */
export function withWrittenNames(text: string): string {
  const message = text.replace(NOTED, '$1 is not');
  if (!message.includes(SUFFIX)) return message;
  return message.replace(
    /([\p{ID_Start}$_][\p{ID_Continue}$]*)\$cell(?![\p{ID_Continue}$])/gu,
    (whole, name: string) => (isReserved(name) ? name : whole),
  );
}
