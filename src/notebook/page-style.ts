/** The style sheet of an exported notebook: light and dark by the reader's preference, and fit for print. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --page: #ffffff; --ink: #1f2328; --soft: #59636e; --line: #d1d9e0; --code: #f6f8fa; --link: #0550ae;
  --warn: #fff8e5; --warn-line: #b7791f; --bad: #fff0ef; --bad-line: #c93c37;
  --keyword: #a0111f; --string: #0a3069; --number: #0550ae; --comment: #59636e; --title: #6639ba;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #16181d; --ink: #e6edf3; --soft: #9ea7b3; --line: #39424c; --code: #1d232a; --link: #79b8ff;
    --warn: #2b2410; --warn-line: #d9a441; --bad: #331a1a; --bad-line: #ff7b72;
    --keyword: #ff8f85; --string: #a5d6ff; --number: #79c0ff; --comment: #9ea7b3; --title: #d2a8ff;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 17px/1.6 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 56rem; margin: 0 auto; padding: 2.5rem 1.25rem 5rem; }
a { color: var(--link); }
h1, h2, h3, h4 { line-height: 1.25; margin: 2em 0 0.6em; text-wrap: balance; }
h1 { font-size: 2.1rem; margin-top: 0; }
h2 { font-size: 1.5rem; }
h3 { font-size: 1.2rem; }
.prose p, .prose li { max-width: 44rem; }
.prose blockquote { margin: 1em 0; padding-left: 1em; border-left: 3px solid var(--line); color: var(--soft); }
.prose img { max-width: 100%; }
.prose table { border-collapse: collapse; }
.prose th, .prose td { padding: 0.3em 0.8em; border-bottom: 1px solid var(--line); text-align: left; }
code, pre { font: 0.85rem/1.55 ui-monospace, "SF Mono", Menlo, Consolas, "Liberation Mono", monospace; }
pre { margin: 0; padding: 0.8rem 1rem; overflow-x: auto; border-radius: 6px; }
.prose :not(pre) > code { padding: 0.1em 0.35em; border-radius: 4px; background: var(--code); }
.prose pre, .source { background: var(--code); border: 1px solid var(--line); }
.source { white-space: pre-wrap; overflow-wrap: anywhere; }
.cell { margin: 1.4rem 0; }
.count { color: var(--soft); font: 0.75rem/1.8 ui-monospace, monospace; }
.output { margin-top: 0.6rem; overflow-x: auto; }
.rich { font-size: 0.9rem; }
/* What is wider than the page has a shade at the edge behind which there is more: the covers move along, the shades stay. */
div.output, .rich .box {
  --shade: color-mix(in srgb, var(--ink) 32%, transparent);
  background:
    linear-gradient(90deg, var(--page) 40%, transparent) 0 0 / 2.5rem 100% no-repeat local,
    linear-gradient(270deg, var(--page) 40%, transparent) 100% 0 / 2.5rem 100% no-repeat local,
    linear-gradient(90deg, var(--shade), transparent) 0 0 / 0.9rem 100% no-repeat,
    linear-gradient(270deg, var(--shade), transparent) 100% 0 / 0.9rem 100% no-repeat;
}
.rich .box::-webkit-scrollbar { background: var(--page); }
pre.output { border-left: 3px solid var(--line); border-radius: 0; white-space: pre; max-height: 40rem; overflow: auto; }
pre.stdout, pre.stderr { white-space: pre-wrap; overflow-wrap: anywhere; }
pre.stderr { background: var(--warn); border-color: var(--warn-line); }
pre.error { background: var(--bad); border-color: var(--bad-line); }
.figure { display: block; max-width: 100%; height: auto; padding: 0.75rem; border-radius: 6px; background: #ffffff; }
.figure.adaptive { padding: 0; background: none; }
.hljs-keyword, .hljs-literal, .hljs-built_in { color: var(--keyword); }
.hljs-string, .hljs-regexp { color: var(--string); }
.hljs-number, .hljs-attr, .hljs-property { color: var(--number); }
.hljs-comment { color: var(--comment); font-style: italic; }
.hljs-title, .hljs-type { color: var(--title); }
@media print {
  pre, pre.output { max-height: none; overflow: visible; white-space: pre-wrap; overflow-wrap: anywhere; }
  div.output, .rich .box { overflow: visible; background: none; }
  main { max-width: none; padding: 0; }
  .cell { break-inside: avoid-page; }
}
`;
