import { createHash } from "node:crypto";
import { FORM_STYLES } from "./style-forms.ts";
import { LIST_STYLES } from "./style-lists.ts";

/** The one style sheet of every page: system fonts, both color schemes, narrow screens. */
export const STYLE_SHEET = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f7f8fa, #111419);
  --card: light-dark(#ffffff, #191d24);
  --text: light-dark(#18202c, #e8ebf1);
  --quiet: light-dark(#566172, #a3adbc);
  --line: light-dark(#e2e6ec, #2d343f);
  --field: light-dark(#7b8696, #77839a);
  --accent: light-dark(#1f55b8, #8fb6ff);
  --on-accent: light-dark(#ffffff, #10151c);
  --tint: light-dark(#eaf0fb, #1c2940);
  --danger: light-dark(#a32020, #f4a3a3);
  --on-danger: light-dark(#ffffff, #2a1010);
  --good: light-dark(#1d6b3a, #86d3a2);
  --waits: light-dark(#7a4d00, #f0c674);
  --notice: light-dark(#fdf3d8, #3a3117);
}
*, *::before, *::after { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: break-word;
}
a { color: var(--accent); text-underline-offset: .15em; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.skip { position: absolute; left: 1rem; top: -4rem; background: var(--card); padding: .5rem 1rem; border-radius: 0 0 .5rem .5rem; }
.skip:focus { top: 0; }
.top { border-bottom: 1px solid var(--line); background: var(--card); font-size: .925rem; }
.top > * { max-width: 78rem; margin: 0 auto; padding: 0 1rem; display: flex; flex-wrap: wrap; gap: 0 1.5rem; align-items: center; }
.top > div > :not(nav) { padding: .7rem 0; }
.top .brand { font-weight: 680; letter-spacing: -.01em; color: inherit; text-decoration: none; }
.top ul { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: 0 1.25rem; }
.top li { margin: 0; }
.top li a { display: block; color: var(--quiet); text-decoration: none; padding: .75rem 0; border-bottom: 2px solid transparent; }
.top li a:hover { color: var(--text); }
.top [aria-current] { color: var(--text); font-weight: 600; border-color: var(--accent); }
.top .main { margin-right: auto; }
.aside { max-width: 78rem; margin: 0 auto; padding: 0 1rem; }
.aside > main, .aside > main.narrow { padding-left: 0; padding-right: 0; }
.pages { font-size: .875rem; padding-top: .75rem; }
.pages .group { display: none; }
.pages .up { color: var(--quiet); text-decoration: none; padding: .25rem 0; }
.pages .up::before { content: "‹ "; }
.aside:has(.crumbs) .up { display: none; }
.pages .up:hover { color: var(--text); }
.aside > .pages + main { padding-top: .75rem; }
.index { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 30rem), 1fr)); gap: 0 1.5rem; }
.index .needs .quiet { display: block; font-size: .875rem; }
.switch { position: relative; margin: 0; }
.switch summary { list-style: none; font-weight: 550; color: var(--text); max-width: 16rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.switch summary::-webkit-details-marker { display: none; }
.switch summary::after { content: "▾"; margin-left: .35rem; color: var(--quiet); }
.switch > ul { position: absolute; right: 0; z-index: 1; min-width: 100%; width: max-content; max-width: min(20rem, 62vw); display: block; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem; box-shadow: 0 8px 24px rgb(0 0 0 / .16); }
.switch li.quiet { padding: .4rem .7rem; border-bottom: 1px solid var(--line); margin-bottom: .25rem; }
.switch > ul a { padding: .4rem .7rem; border: 0; border-radius: .35rem; overflow-wrap: anywhere; }
.switch > ul a:hover { background: var(--tint); }
main { max-width: 78rem; margin: 0 auto; padding: 1.5rem 1rem 4rem; }
main.narrow { max-width: 36rem; }
main.narrow > article { overflow-wrap: anywhere; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; }
main.narrow > article > :last-child { margin-bottom: 0; }
section { margin-top: 2rem; }
section + section { border-top: 1px solid var(--line); padding-top: .5rem; margin-top: 3rem; }
h1 { font-size: 1.45rem; line-height: 1.25; letter-spacing: -.012em; font-weight: 650; margin: 0 0 .5rem; text-wrap: balance; }
h2 { font-size: 1.1rem; font-weight: 630; line-height: 1.3; margin: 1.5rem 0 .5rem; }
h3 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
.narrow h2 { font-size: 1.05rem; }
p { margin: .5rem 0; max-width: 46rem; }
ul, ol { margin: .25rem 0; padding-left: 1.25rem; }
li { margin: .25rem 0; }
.quiet { color: var(--quiet); font-size: .925rem; }
.alert, .status { border-left: .25rem solid var(--danger); background: var(--card); padding: .6rem .8rem; border-radius: .25rem; }
.narrow .alert, .narrow .status { background: var(--page); }
.status { border-color: var(--good); }
.facts { display: grid; grid-template-columns: max-content 1fr; gap: .25rem 1rem; margin: 1rem 0; padding: .75rem .9rem; background: var(--page); border-radius: .5rem; }
.facts dt { color: var(--quiet); }
.facts dd { margin: 0; overflow-wrap: anywhere; }
.warn { background: var(--notice); padding: .6rem .8rem; border-radius: .5rem; }
.may li::marker { content: "✓  "; color: var(--good); }
.never li::marker { content: "✕  "; color: var(--danger); }
label { display: block; font-weight: 600; margin: 1rem 0 .25rem; }
input, select, textarea {
  width: 100%; font: inherit; color: inherit; background: var(--page); padding: .6rem .7rem;
  border: 1px solid var(--field); border-radius: .5rem;
}
input[type="checkbox"], input[type="radio"] { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; flex: none; accent-color: var(--accent); }
label.check { display: flex; gap: .6rem; font-weight: 400; }
button, a.button {
  font: inherit; font-weight: 600; padding: .6rem 1.1rem; border-radius: .5rem; border: 1px solid var(--accent);
  background: var(--accent); color: var(--on-accent); cursor: pointer;
}
a.button { display: inline-block; text-decoration: none; }
button:hover, a.button:hover { filter: brightness(1.08); }
button.plain { background: transparent; color: var(--accent); }
button.danger { background: transparent; color: var(--danger); border-color: var(--danger); }
td button, td a.button { padding: .25rem .7rem; font-size: .875rem; border-radius: .4rem; }
td .inline, .actions .inline { margin: 0; }
td form + a.danger { margin-left: .75rem; }
button.link { border: 0; background: none; color: var(--accent); padding: 0; font-weight: inherit; text-decoration: underline; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; align-items: center; }
.narrow .actions > * { flex: 1 1 8rem; text-align: center; }
.narrow .actions form button { width: 100%; }
.narrow .actions > button.danger { background: var(--danger); color: var(--on-danger); }
.inline { display: inline-block; margin: 0 0 .35rem; }
code { font: .875em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--page); border: 1px solid var(--line); border-radius: .3rem; padding: .05rem .35rem; white-space: nowrap; }
.address code, li code, pre { white-space: pre-wrap; overflow-wrap: anywhere; }
code.whole { display: block; white-space: pre-wrap; overflow-wrap: anywhere; word-break: break-all; unicode-bidi: isolate; margin-top: .3rem; }
pre { font: .85rem/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; background: var(--page); border: 1px solid var(--line); border-radius: .5rem; padding: .6rem .8rem; margin: .5rem 0; }
.copied { display: flex; flex-wrap: wrap; gap: .25rem .5rem; align-items: start; }
.copied pre { flex: 1 1 12rem; min-width: 0; margin: 0; }
.copied.big { width: fit-content; max-width: 100%; align-items: center; }
.copied.big pre { font-size: 1.05rem; background: var(--card); padding: .75rem 1rem; }
button.copy { padding: .2rem .6rem; font-size: .8rem; border-radius: .4rem; background: var(--card); color: var(--text); border-color: var(--line); font-weight: 500; }
.plain-list { list-style: none; padding: 0; margin: 0; }
.wide { overflow-x: auto; margin-top: .75rem; border: 1px solid var(--line); border-radius: .75rem; background: var(--card); }
table { width: 100%; border-collapse: collapse; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .6rem .8rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--quiet); font-size: .875rem; font-weight: 600; white-space: nowrap; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 11rem; }
tbody td:nth-child(2) { min-width: 8rem; }
td:last-child, thead th:last-child { text-align: right; }
th .quiet { font-weight: 400; }
.people tbody th { min-width: 17rem; }
.connections td:nth-child(2) { overflow-wrap: anywhere; }
.connections td:nth-child(3) { min-width: 12.5rem; }
.connections td:nth-child(3) ul { margin: 0; }
.connections td:last-child { overflow-wrap: anywhere; min-width: 9rem; }
.connections time { white-space: normal; }
.id { font: .75rem/1.4 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; color: var(--quiet); overflow-wrap: anywhere; }
.trail tbody th { font-weight: 400; }
.trail td:nth-child(4) { min-width: 10.5rem; }
.ids { margin: 0; font-size: .8rem; }
.ids summary { font-weight: 400; }
.succeeded, .good { color: var(--good); }
.refused, .failed, .problem { color: var(--danger); }
.waits { color: var(--waits); }
.state { font-weight: 600; }
.state::before { content: "● "; }
.problem { margin-top: 0; font-weight: 600; }
.unseen { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
.forms { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); gap: 1rem; margin-top: 1rem; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.1rem 1.25rem 1.25rem; }
.card > :first-child { margin-top: 0; }
.card > :last-child { margin-bottom: 0; }
.card h2 a { text-decoration: none; }
.wide + .card, .card + .card { margin-top: 1rem; }
.forms .card { margin: 0; }
.forms > * { align-self: start; }
form.card { max-width: 34rem; }
.card > .head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; }
.card > .head > * { margin: 0; min-width: 0; overflow-wrap: anywhere; }
details { margin: .75rem 0; }
summary { cursor: pointer; font-weight: 600; color: var(--accent); }
details > form { max-width: 34rem; margin-top: .75rem; }
.forms h3 { margin: 0; }
.forms .quiet, form .quiet { margin-top: .25rem; }
[aria-invalid] { border-color: var(--danger); }
a.danger { color: var(--danger); text-decoration: none; font-weight: 550; padding: .25rem 0; }
a.danger:hover { text-decoration: underline; }
::file-selector-button { font: inherit; font-size: .875rem; font-weight: 550; margin-right: .75rem; padding: .2rem .7rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: var(--text); cursor: pointer; }
form.card > label:first-of-type, form > h3:first-of-type { margin-top: 0; }
form.card > h3 + label:first-of-type { margin-top: .75rem; }
tr.ended { color: var(--quiet); }
tr.ended th { font-weight: 400; }
.logo { background: #ffffff; border: 1px solid var(--line); border-radius: .5rem; padding: .75rem; width: fit-content; }
.logo img { display: block; max-width: 100%; max-height: 5rem; }
iframe.mail { display: block; width: 100%; max-width: 42rem; height: 58rem; margin: 1rem 0; border: 1px solid var(--line); border-radius: .5rem; color-scheme: light dark; }
@media (min-width: 62rem) {
  .card .facts { grid-template-columns: max-content minmax(0, 8fr) max-content minmax(0, 5fr); }
}
@media (min-width: 75rem) {
  .aside { display: grid; grid-template-columns: 11.5rem minmax(0, 1fr); gap: 2rem; align-items: start; }
  .aside > .pages + main { padding-top: 1.5rem; width: 100%; margin: 0; }
  .pages { padding: 1.5rem 0 2rem; }
  .pages .up { display: none; }
  .pages .group { display: block; }
  .pages p { margin: 0; padding: .3rem .6rem; font-size: .78rem; color: var(--quiet); font-weight: 550; }
  .pages ul { list-style: none; margin: 0 0 .9rem; padding: 0; }
  .pages li { margin: 0; }
  .pages li a { display: block; padding: .3rem .6rem; border-radius: .4rem; color: var(--text); text-decoration: none; }
  .pages li a:hover { background: color-mix(in srgb, var(--tint) 60%, transparent); }
  .pages [aria-current] { background: var(--tint); color: var(--accent); font-weight: 550; }
}
@media screen and (max-width: 58rem) {
  .facts { grid-template-columns: 1fr; gap: 0; }
  .facts dd + dt { margin-top: .5rem; }
  table, tbody, tr, th, td { display: block; }
  .wide table tbody :is(th, td) { min-width: 0; }
  thead { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; }
  tr + tr { border-top: 2px solid var(--line); }
  th, td { border: 0; padding: .3rem .9rem; }
  tr > :first-child { padding-top: .8rem; }
  tr > :last-child { padding-bottom: .9rem; text-align: left; }
  td[data-label]::before { content: attr(data-label); display: block; color: var(--quiet); font-size: .8rem; }
  table:not(.rows) td[data-label] { display: flow-root; padding-left: 8.4rem; }
  table:not(.rows) td[data-label]::before { float: left; width: 7.2rem; margin-left: -7.5rem; line-height: 1.8; }
}
@media screen and (max-width: 40rem) {
  .top > div > .brand { margin-right: auto; }
  .top .main { order: 1; width: 100%; font-size: .8125rem; }
  .top .main ul { gap: 0 .75rem; justify-content: space-between; }
  .top .main a { padding-top: .25rem; }
  .top > div { gap: 0 1rem; }
  .switch summary { max-width: 9rem; }
}
@media screen and (max-width: 30rem) {
  main.narrow { padding: 1rem .75rem 3rem; }
  main.narrow > article { padding: 1.1rem; }
}
${LIST_STYLES}
${FORM_STYLES}
@media (prefers-contrast: more) { :root { --quiet: var(--text); --line: var(--field); } }
`;

/** The path of the style sheet: its hash changes with the content, so browsers cache it forever. */
export const STYLE_PATH = `/assets/style-${createHash("sha256").update(STYLE_SHEET).digest("hex").slice(0, 12)}.css`;

/** The mark in a browser's tab. */
export const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f55b8"/><path d="M9 7h14v18l-3.5-2.5L16 25l-3.500-2.500L9 25z" fill="#fff"/><path d="M12 12h8M12 16h8" stroke="#1f55b8" stroke-width="2"/></svg>`;
export const ICON_PATH = "/assets/icon.svg";
