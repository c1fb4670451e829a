import { createHash } from "node:crypto";

/** The one style sheet of every page: system fonts, both color schemes, narrow screens. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f9, #14171c);
  --card: light-dark(#ffffff, #1d2129);
  --text: light-dark(#1b2430, #e7eaf0);
  --quiet: light-dark(#55606f, #a3adbc);
  --line: light-dark(#d9dee6, #343b47);
  --accent: light-dark(#14579e, #7fb7f5);
  --on-accent: light-dark(#ffffff, #10151c);
  --danger: light-dark(#a32020, #f29a9a);
  --good: light-dark(#1d6b3a, #86d3a2);
  --notice: light-dark(#fdf3d8, #3a3117);
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.top { border-bottom: 1px solid var(--line); background: var(--card); }
.top > div { max-width: 66rem; margin: 0 auto; padding: .75rem 1rem; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; align-items: center; }
.top .brand { font-weight: 650; color: inherit; text-decoration: none; margin-right: auto; }
main { max-width: 66rem; margin: 0 auto; padding: 1.5rem 1rem 3rem; }
main.narrow { max-width: 34rem; }
main.narrow > article { overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .75rem; text-wrap: balance; }
h2 { font-size: 1.05rem; margin: 1.5rem 0 .5rem; }
p { margin: .5rem 0; }
ul { margin: .25rem 0; padding-left: 1.25rem; }
li { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .925rem; }
.alert, .status { border-left: .25rem solid var(--danger); background: var(--page); padding: .6rem .8rem; border-radius: .25rem; }
.status { border-color: var(--good); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; padding: .75rem .9rem; background: var(--page); border-radius: .5rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; }
.warn { background: var(--notice); padding: .6rem .8rem; border-radius: .5rem; }
.may li::marker { content: "✓  "; color: var(--good); }
.never li::marker { content: "✕  "; color: var(--danger); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input, select {
  width: 100%; font: inherit; color: inherit; background: var(--page); padding: .6rem .7rem;
  border: 1px solid var(--quiet); border-radius: .5rem;
}
button {
  font: inherit; font-weight: 600; padding: .6rem 1.1rem; border-radius: .5rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); cursor: pointer;
}
button:hover { filter: brightness(1.08); }
button.plain { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); padding: .3rem .8rem; }
button.link { border: 0; background: none; color: var(--accent); padding: 0; font-weight: inherit; text-decoration: underline; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.actions button { flex: 1 1 8rem; }
.inline { display: inline; }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .05rem .35rem; white-space: nowrap; }
.address code { white-space: normal; }
.scopes { list-style: none; padding: 0; margin: 0; display: flex; flex-wrap: wrap; gap: .25rem; max-width: 22rem; }
.scopes li { margin: 0; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; overflow: hidden; }
th, td { text-align: left; vertical-align: top; padding: .6rem .8rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-size: .875rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 11rem; }
tbody td:nth-child(2) { min-width: 8rem; }
td:last-child { text-align: right; }
.id { font: .75rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--quiet); overflow-wrap: anywhere; }
.trail { font-size: .925rem; }
.trail tbody th { font-weight: 400; min-width: 0; overflow-wrap: break-word; }
.trail td:nth-child(2), .trail td:nth-child(3) { min-width: 8rem; overflow-wrap: anywhere; }
.trail td:nth-child(5), .trail td:last-child { text-align: left; min-width: 10.25rem; }
.succeeded { color: var(--good); }
.refused, .failed, .problem { color: var(--danger); }
.problem { margin-top: 0; font-weight: 600; }
.unseen { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
.filters { display: flex; flex-wrap: wrap; gap: 0 1rem; align-items: end; margin: 1rem 0 1.5rem; }
.filters > div { flex: 1 1 12rem; min-width: 0; }
.filters .actions { flex: 0 1 auto; align-items: center; margin-top: 1rem; }
.choice ul { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.choice [aria-current] { color: inherit; font-weight: 600; text-decoration: none; }
.pager { display: flex; gap: 1.5rem; justify-content: end; margin-top: 1rem; }
.forms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 22rem), 1fr)); gap: 1rem; align-items: start; }
.forms form { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem 1.25rem; margin-top: 1rem; }
details { margin: .75rem 0; }
summary { cursor: pointer; font-weight: 600; }
.forms h3 { margin: 0; font-size: 1rem; }
.forms .quiet { margin-top: .25rem; }
[aria-invalid] { border-color: var(--danger); }
a.danger { color: var(--danger); }
tr.ended { color: var(--quiet); }
tr.ended th { font-weight: 400; }
@media (max-width: 58rem) {
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd + dt { margin-top: .5rem; }
  table, tbody, tr, th, td { display: block; }
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
  tr + tr { border-top: 2px solid var(--line); }
  th, td { border: 0; padding: .3rem .9rem; }
  tr > :first-child { padding-top: .8rem; }
  tr > :last-child { padding-bottom: .9rem; text-align: left; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--quiet); font-size: .8rem; }
}
`;

/** Where the style sheet is served: a new text is a new address, so browsers keep it for good. */
export const STYLE_PATH = `/assets/style-${createHash("sha256").update(STYLE_SHEET).digest("hex").slice(0, 12)}.css`;

/** The mark in a browser's tab. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14579e"/><path d="M9 7h14v18l-3.5-2.5L16 25l-3.500-2.500L9 25z" fill="#fff"/><path d="M12 12h8M12 16h8" stroke="#14579e" stroke-width="2"/></svg>`;
export const ICON_PATH = "/assets/icon.svg";
