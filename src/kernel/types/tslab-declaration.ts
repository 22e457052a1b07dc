/** Declares what `import … from 'tslab'` gives: notebooks written for tslab run in this kernel. */
export const TSLAB_DECLARATION = `
/** Shows something in the notebook, in one format. */
export interface Display {
  html(text: string): void;
  markdown(text: string): void;
  latex(text: string): void;
  text(text: string): void;
  svg(text: string): void;
  javascript(text: string): void;
  png(bytes: Uint8Array): void;
  jpeg(bytes: Uint8Array): void;
  gif(bytes: Uint8Array): void;
  pdf(bytes: Uint8Array): void;
  raw(contentType: string, content: string | Uint8Array | object): void;
}
/** Shows something in the notebook. */
export declare const display: Display;
/** A display whose every call replaces what its last one showed. */
export declare function newDisplay(): Display;
/** The versions of what runs the notebook. */
export declare const versions: { tslab: string; typescript: string; node: string };
declare const whole: { display: Display; newDisplay: typeof newDisplay; versions: typeof versions };
export default whole;
`;
