const SUFFIX = '$cell';

/** Names by which packages find out where they run, and those of newer versions of Node. */
const SNIFFED =
  'window document self navigator location frames top parent history screen name localStorage sessionStorage ' +
  'XMLHttpRequest WebSocket EventSource Worker Element Node HTMLElement SVGElement Image CustomEvent CSSStyleSheet ' +
  'requestAnimationFrame cancelAnimationFrame getComputedStyle customElements WorkerGlobalScope importScripts ' +
  'define exports module require __dirname __filename Deno Bun Iterator Temporal SuppressedError DisposableStack ' +
  'AsyncDisposableStack Float16Array Storage CloseEvent ErrorEvent';

/** What the code that we put into cells uses. */
const OURS = '__oddslab__ babelHelpers';

const reserved = new Set([...Object.getOwnPropertyNames(globalThis), ...SNIFFED.split(' '), ...OURS.split(' ')]);

/**
 * Whether code outside of the cells may look a name up: Node, the runner and packages see the top-level names of cells
 * in place of globals, so a cell that declares `URL` must not declare it by that name.
 */
export function isReserved(name: string): boolean {
  return reserved.has(name) || name.endsWith(SUFFIX);
}

/**
 * What a reserved name that a cell declares is called where the cells run.
 *
 * @example nameInScript('URL') // 'URL$cell'
 */
export function nameInScript(name: string): string {
  return name + SUFFIX;
}

/** V8 tells what is no iterable as it stands in the script. */
const NOTED = /\(__oddslab__\.waitsFor\(\.\.\.\) , (.*)\) is not/g;

/** A message of V8 with the reserved names, and what a `for await` walks through, as the cells write them. */
export function withWrittenNames(text: string): string {
  const message = text.replace(NOTED, '$1 is not');
  if (!message.includes(SUFFIX)) return message;
  return message.replace(
    /([\p{ID_Start}$_][\p{ID_Continue}$]*)\$cell(?![\p{ID_Continue}$])/gu,
    (whole, name: string) => (isReserved(name) ? name : whole),
  );
}
