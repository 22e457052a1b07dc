/** The dashboard's only style sheet: system fonts, dark or light as the system is, nothing from other sites. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: #f6f7f5; --card: #ffffff; --sunk: #f0f2ef; --line: #dde1dc; --edge: #868e88;
  --text: #1c2320; --soft: #59625d;
  --main: #256350; --main-over: #1c4d3e; --on-main: #ffffff; --link: #1f5f4c; --tint: #e5f0ec; --shade: rgb(28 35 32 / 22%);
  --bad: #a8261c; --bad-tint: #fbecea; --bad-line: #e7b9b4; --focus: #1a66d6;
  --mono: ui-monospace, 'SF Mono', 'Cascadia Mono', 'DejaVu Sans Mono', Consolas, monospace;
  font: 16px/1.55 system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', 'DejaVu Sans', sans-serif;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #131715; --card: #1b211e; --sunk: #151a18; --line: #2e3733; --edge: #78837d;
    --text: #e6ebe8; --soft: #a0aaa5;
    --main: #7cc9b1; --main-over: #98d9c5; --on-main: #0d1f19; --link: #8fd3be; --tint: #1d302a; --shade: rgb(0 0 0 / 70%);
    --bad: #ff9d92; --bad-tint: #34201e; --bad-line: #663a35; --focus: #8ab8ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); min-height: 100vh; }
h1, h2, h3, p, ul, pre, fieldset, caption { margin: 0; padding: 0; }
h1 { font-size: 1.625rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.012em; }
h2 { font-size: 1.125rem; line-height: 1.35; font-weight: 650; }
h3 { font-size: 0.875rem; font-weight: 600; color: var(--soft); }
a { color: var(--link); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; border-radius: 4px; }
main:focus { outline: none; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: 0.5rem 1rem; border-radius: 6px; z-index: 1; }
.skip:focus { top: 0.5rem; }

.top { background: var(--card); border-bottom: 1px solid var(--line); }
.row { max-width: 68rem; margin: 0 auto; padding: 0.625rem 1.5rem; display: flex; flex-wrap: wrap; align-items: center; gap: 0.25rem 1.75rem; min-height: 3.75rem; }
.brand { display: inline-flex; align-items: center; gap: 0.6rem; font-weight: 700; color: var(--text); text-decoration: none; letter-spacing: -0.01em; }
nav ul { list-style: none; display: flex; flex-wrap: wrap; gap: 0.25rem; }
.top nav a, .tabs a { display: block; padding: 0.375rem 0.75rem; border-radius: 6px; color: var(--soft); text-decoration: none; font-size: 0.9375rem; }
.top nav a:hover, .tabs a:hover { background: var(--sunk); color: var(--text); }
.top nav a[aria-current], .tabs a[aria-current] { background: var(--tint); color: var(--link); font-weight: 600; }
.who { margin-left: auto; display: flex; align-items: center; gap: 0.75rem; min-width: 0; }
.mail { color: var(--soft); font-size: 0.875rem; max-width: 16rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }

main { max-width: 68rem; margin: 0 auto; padding: 2.5rem 1.5rem 5rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1.5rem; }
main.narrow { max-width: 29rem; padding-top: clamp(2rem, 12vh, 7rem); }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 12px; padding: 1.5rem; display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; }
.narrow .card { padding: 2rem; }
.fresh { border-color: var(--main); background: var(--tint); }
.lead { color: var(--soft); max-width: 44rem; }
.narrow .lead { color: var(--text); }
h1 + .lead { margin-top: -0.75rem; }
.card h1 + .lead { margin-top: -0.25rem; }
.hint, .aside { color: var(--soft); font-size: 0.875rem; line-height: 1.5; }
.aside { padding: 0 0.5rem; text-align: center; }
.address { overflow-wrap: anywhere; }
.notice { background: var(--tint); border: 1px solid var(--line); border-radius: 8px; padding: 0.75rem 1rem; }
.bad { background: var(--bad-tint); border-color: var(--bad-line); display: grid; gap: 0.375rem; }
.bad h2 { font-size: 1rem; color: var(--bad); }
.bad ul { padding-left: 1.25rem; }
.empty { color: var(--soft); border: 1px dashed var(--edge); border-radius: 12px; padding: 1.5rem; text-align: center; }

form { display: grid; gap: 1.25rem; }
.field { display: grid; gap: 0.3rem; align-content: start; min-width: 0; }
label, legend { font-weight: 600; font-size: 0.9375rem; }
legend { padding: 0; margin-bottom: 0.75rem; font-size: 0.8125rem; color: var(--soft); font-weight: 600; }
label code { font-size: 0.9375rem; font-weight: 600; }
label .hint { font-weight: 400; }
fieldset { border: 0; min-width: 0; }
input, select, button, .button { font: inherit; border-radius: 8px; min-height: 2.75rem; }
input, select { width: 100%; padding: 0.5rem 0.75rem; color: inherit; background: var(--card); border: 1px solid var(--edge); font-variant-numeric: tabular-nums; }
.grid .field { grid-template-rows: auto 1fr; grid-auto-rows: auto; align-content: stretch; }
.wrong input, .wrong select { border-color: var(--bad); box-shadow: 0 0 0 1px var(--bad); }
.error { color: var(--bad); font-size: 0.875rem; font-weight: 550; }
button, .button { display: inline-flex; align-items: center; justify-content: center; padding: 0.5rem 1.125rem; border: 1px solid var(--edge); background: var(--card); color: var(--text); font-weight: 550; text-decoration: none; cursor: pointer; }
button:hover, .button:hover { background: var(--sunk); }
button.main { background: var(--main); border-color: var(--main); color: var(--on-main); font-weight: 600; }
button.main:hover { background: var(--main-over); border-color: var(--main-over); }
button.danger { background: var(--card); border-color: var(--bad); color: var(--bad); }
button.danger:hover { background: var(--bad-tint); }
.quiet { border-color: transparent; background: transparent; color: var(--soft); }
.who button { min-height: 2.25rem; padding: 0.25rem 0.75rem; border-color: var(--line); font-size: 0.9375rem; color: var(--text); }
.wide { width: 100%; }
.line { grid-template-columns: minmax(0, 26rem) auto; justify-content: start; align-items: end; }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 17rem), 1fr)); gap: 1.25rem 1.5rem; }
.query { gap: 1.75rem; }
.end { display: flex; gap: 0.5rem; flex-wrap: wrap; }

.scroll { overflow-x: auto; background: var(--card); border: 1px solid var(--line); border-radius: 12px; }
table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; font-size: 0.9375rem; }
caption { text-align: left; padding: 1rem 1rem 0.5rem; color: var(--soft); font-size: 0.875rem; }
th, td { text-align: left; padding: 0.6rem 1rem; border-top: 1px solid var(--line); vertical-align: top; }
thead th { border-top: 0; border-bottom: 1px solid var(--line); font-size: 0.8125rem; font-weight: 600; color: var(--soft); white-space: nowrap; }
tbody tr:first-child > * { border-top: 0; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 8rem; }
.records { font-size: 0.875rem; border-collapse: separate; border-spacing: 0; }
.records caption { position: sticky; left: 0; width: max-content; }
.records thead th, .records tr > :first-child { background: var(--card); }
.records tr > :first-child { position: sticky; left: 0; z-index: 1; border-right: 1px solid var(--line); }
.records tbody th { font-weight: 400; min-width: 0; }
.records tbody th.long { max-width: min(24rem, 45vw); }
/* Shadows at the edges say that there is more to the side; covers that move with the content hide them at its ends. */
.wide-table {
  background:
    linear-gradient(to right, var(--card), transparent) left / 3rem 100% local,
    linear-gradient(to left, var(--card), transparent) right / 3rem 100% local,
    linear-gradient(to right, var(--shade), transparent) left / 1rem 100% scroll,
    linear-gradient(to left, var(--shade), transparent) right / 1rem 100% scroll,
    var(--card);
  background-repeat: no-repeat;
  scrollbar-width: thin;
}
.records td, .records th { padding: 0.45rem 1rem; white-space: nowrap; }
.records tbody tr:hover > * { background: var(--sunk); }
.number { text-align: right; }
.loss { color: var(--bad); }
.long { max-width: 21rem; overflow: hidden; text-overflow: ellipsis; }
.id { max-width: 11rem; font-family: var(--mono); font-size: 0.8125rem; }
.unit { font-weight: 400; }
.none, .clock { color: var(--soft); }
time { white-space: nowrap; }
.act { text-align: right; min-width: 9rem; }
summary { cursor: pointer; color: var(--bad); font-size: 0.9375rem; list-style: none; display: inline-block; border-radius: 4px; }
summary::-webkit-details-marker { display: none; }
summary:hover { text-decoration: underline; text-underline-offset: 0.18em; }
details form { gap: 0.5rem; padding: 0.5rem 0 0.25rem; justify-items: end; }
details p { font-size: 0.875rem; color: var(--soft); }
.secret { display: block; background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 0.875rem 1rem; font-size: 1rem; overflow-wrap: anywhere; user-select: all; -webkit-user-select: all; }
pre { background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; padding: 0.875rem 1rem; overflow-x: auto; line-height: 1.6; }
.pager { display: flex; align-items: center; gap: 0.5rem; margin-top: 0.75rem; flex-wrap: wrap; }
.pager p { margin-right: auto; color: var(--soft); font-size: 0.875rem; font-variant-numeric: tabular-nums; }
section > h2 + .scroll { margin-top: 0.75rem; }

@media (max-width: 40rem) {
  .row { padding: 0.625rem 1rem; gap: 0.5rem; }
  .top nav { margin: 0 -0.5rem; width: calc(100% + 1rem); }
  .top nav ul, .tabs ul { gap: 0; }
  .top nav a, .tabs a { padding: 0.3rem 0.5rem; font-size: 0.875rem; }
  main { padding: 1.5rem 1rem 3rem; }
  main.narrow { padding-top: 1.5rem; }
  .card, .narrow .card { padding: 1.25rem; }
  .who { margin-left: 0; width: 100%; justify-content: space-between; }
  .line { grid-template-columns: minmax(0, 1fr); }
  .keys, .keys tbody, .keys tr, .keys th, .keys td { display: block; }
  .keys thead { position: absolute; clip-path: inset(50%); }
  .keys caption { display: block; }
  .keys tr { padding: 0.75rem 1rem; border-top: 1px solid var(--line); }
  .keys tbody tr > * { border: 0; padding: 0.1rem 0; min-width: 0; text-align: left; }
  .keys td:nth-child(3)::before { content: 'Created '; color: var(--soft); }
  .keys td:nth-child(4)::before { content: 'Last used '; color: var(--soft); }
  details form { justify-items: start; }
}
@media (forced-colors: active) {
  .card, .scroll, .notice { border: 1px solid; }
}
@media print {
  .top, .tabs, form, form.card, [aria-labelledby='create'], .pager, .keys .act, .keys thead th:last-child { display: none; }
  /* Paper does not scroll: what is wide is broken. */
  .scroll { overflow: visible; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; }
  .records, .records thead th, .records .id { font-size: 0.625rem; }
  .records th, .records td { white-space: normal; padding: 0.25rem; }
  .records th, .records td:not(.number) { overflow-wrap: anywhere; max-width: none; }
  .records td.number { white-space: nowrap; }
}
`;

/** The icon in the browser's tab and beside the name: three rising bars. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
<rect width="24" height="24" rx="6" fill="#2f6f5e"/>
<path d="M6.5 17v-4M12 17V9.5M17.5 17V6" stroke="#fff" stroke-width="2.6" stroke-linecap="round"/>
</svg>
`;
