/** The styles of lists, figures and the pages about them. */
export const LIST_STYLES = `
.title { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: flex-start; justify-content: space-between; margin-bottom: 1rem; }
.title h1, .title p { margin: 0; }
.title > :first-child { min-width: 0; overflow-wrap: anywhere; flex: 1 1 20rem; }
.title p { max-width: 60rem; }
a.button.plain { background: var(--card); color: var(--text); border-color: var(--line); }
.title .button, .filters button { padding: .4rem .8rem; font-size: .875rem; border-radius: .4rem; }
.tabs ul { list-style: none; display: flex; flex-wrap: wrap; gap: .25rem; padding: 0; margin: 0 0 1rem; font-size: .875rem; }
.tabs li { margin: 0; }
.tabs a { display: block; padding: .3rem .7rem; border-radius: .4rem; color: var(--quiet); text-decoration: none; }
.tabs a:hover { background: var(--tint); }
.tabs [aria-current] { background: var(--tint); color: var(--accent); font-weight: 550; }
.filters { display: flex; flex-wrap: wrap; gap: .6rem .75rem; align-items: end; margin: 0 0 1rem; font-size: .875rem; }
.filters > div, .more > div { flex: 1 1 9rem; min-width: 0; max-width: 16rem; }
.filters label { margin: 0 0 .15rem; font-weight: 500; color: var(--quiet); font-size: .8rem; }
.filters input, .filters select { padding: .38rem .5rem; border-radius: .4rem; background: var(--card); height: 2.2rem; }
.filters details { flex: 0 1 auto; margin: 0; padding-bottom: .4rem; }
.filters details[open] { flex: 1 1 100%; order: 1; }
.filters summary { font-weight: 500; }
.more { display: flex; flex-wrap: wrap; gap: .6rem .75rem; margin-top: .5rem; align-items: end; }
@media (min-width: 75rem) { .aside .filters > div:not(.actions) { flex-basis: 7rem; } }
.filters:has([aria-invalid]), .more:has([aria-invalid]) { align-items: start; }
.filters:has([aria-invalid]) > .actions { margin-top: 1.35rem; }
.filters:has([aria-invalid]) > details:not([open]) { margin-top: 1.8rem; }
.filters > .actions { flex: 0 0 auto; margin: 0; max-width: none; }
.chips { display: flex; flex-wrap: wrap; gap: .5rem; margin: -.25rem 0 1rem; max-width: none; }
.chip { display: inline-block; padding: .05rem .5rem; border-radius: 1rem; font-size: .8rem; font-weight: 500; white-space: nowrap; background: var(--tint); color: var(--accent); }
.chip.quiet { background: color-mix(in srgb, var(--quiet) 9%, var(--card)); color: var(--quiet); font-weight: 450; }
.chips .chip { white-space: normal; overflow-wrap: anywhere; }
.chip.good { background: color-mix(in srgb, var(--good) 12%, var(--card)); color: var(--good); }
.chip.waits { background: var(--notice); color: var(--waits); }
.chip.failed { background: color-mix(in srgb, var(--danger) 10%, var(--card)); color: var(--danger); }
.chip a { text-decoration: none; margin-left: .2rem; }
.rows { font-size: .875rem; }
.rows th, .rows td { padding: .48rem .75rem; text-align: left; }
.rows thead th { font-size: .78rem; font-weight: 550; padding-top: .5rem; background: color-mix(in srgb, var(--page) 60%, var(--card)); }
.rows tbody th { min-width: 0; }
.rows tbody td:nth-child(2) { min-width: 8.5rem; }
.rows tbody th { font-weight: 550; }
.rows tbody tr:hover { background: color-mix(in srgb, var(--tint) 45%, transparent); }
.rows td, .rows tbody th { overflow-wrap: anywhere; }
.rows a { text-decoration: none; }
.rows a:hover { text-decoration: underline; }
.rows td .quiet, .rows th .quiet { font-size: .8rem; }
.rows td:last-child, .rows thead th:last-child { text-align: left; }
.rows thead th.number, .rows td.number, .number { text-align: right; }
.amount, .count { font-variant-numeric: tabular-nums; white-space: nowrap; overflow-wrap: normal; }
.amount.zero, .none { color: var(--quiet); }
.currency { color: var(--quiet); font-size: .85em; font-weight: 450; }
time { white-space: nowrap; }
.overdue { color: var(--danger); }
.overdue .zero { color: var(--quiet); }
.late { white-space: nowrap; }
.address { display: inline-block; min-width: 11rem; }
.aged tbody th { min-width: 11rem; }
.key .amount, .figures .amount, .amount:has(wbr) { white-space: normal; }
@media (min-width: 58.01rem) { .rows:not(.aged) .amount { white-space: nowrap; } .aged th, .aged td { padding-left: .4rem; padding-right: .4rem; } .aged.rows { font-size: .84rem; } }
@media (min-width: 58.01rem), print { .bare .currency { position: absolute; clip-path: inset(50%); height: 1px; width: 1px; overflow: hidden; } }
.wide:has(.totals) { margin-bottom: .75rem; }
.short { white-space: nowrap; }
.receipt { font-size: .8rem; }
.pager { display: flex; flex-wrap: wrap; gap: .25rem 1.5rem; align-items: baseline; margin-top: .75rem; font-size: .875rem; }
.pager :first-child { margin-right: auto; }
.empty { background: var(--card); border: 1px dashed var(--line); border-radius: .75rem; padding: 2.25rem 1.25rem; text-align: center; }
.empty p { margin: .35rem auto; }
.sheet { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1rem 1.25rem; }
.key { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .9rem 1.25rem; margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
fieldset { margin: 1rem 0 0; padding: .25rem 1rem 1rem; border: 1px solid var(--line); border-radius: .5rem; min-width: 0; }
legend { font-weight: 600; padding: 0 .35rem; }
.alert + .card { margin-top: 1rem; }
@media (min-width: 58.01rem) { .forms .card .facts { grid-template-columns: max-content minmax(0, 1fr); } }
.alert + .key, .alert + .filters { margin-top: 1rem; }
.key div { min-width: 0; }
.key dt { color: var(--quiet); font-size: .8rem; }
.key dd { margin: .1rem 0 0; font-size: .925rem; overflow-wrap: anywhere; }
.key .big { font-size: 1.2rem; font-weight: 620; letter-spacing: -.01em; }
.key div:has(.mail, .long) { grid-column: 1 / -1; }
@media (min-width: 40rem) { .key div:has(.mail, .long) { grid-column: span 2; } }
h1 .chip { vertical-align: .2em; }
.crumbs { font-size: .875rem; margin: 0 0 .35rem; }
.crumbs a { text-decoration: none; }
.part { border: 0; padding: 0; margin: 1.75rem 0 0; }
section.part + section.part { border: 0; padding: 0; margin: 1.75rem 0 0; }
.index .part { margin-top: 1.25rem; }
.part > h2 { margin: 0 0 .5rem; }
.part > .wide { margin-top: 0; }
.part > .head { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; margin-bottom: .5rem; }
.part > .head h2 { margin: 0; }
.part > .head a { font-size: .875rem; }
.key.money { grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); }
.key a, .figures a { color: inherit; text-decoration: none; }
.key.money .big { font-size: 1.4rem; }
.key a:hover, .figures a:hover { text-decoration: underline; }
.fresh p { margin: .15rem 0 0; }
.fresh .warn { margin-top: .5rem; font-size: .925rem; max-width: none; }
.needs { list-style: none; padding: 0; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.needs { font-size: .925rem; }
.needs li { padding: .55rem 1rem; margin: 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
.needs li:first-child { border-top: 0; }
.needs strong { font-weight: 550; margin-right: .35rem; }
.needs a { text-decoration: none; }
.needs a:hover { text-decoration: underline; }
.needs:not(:has(.item)) li { position: relative; }
.needs:not(:has(.item)) li:has(a):hover { background: color-mix(in srgb, var(--tint) 45%, transparent); }
.needs:not(:has(.item)) a::after { content: ""; position: absolute; inset: 0; }
.steps { list-style: none; counter-reset: step; padding: 0; margin: 0; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
.steps li { counter-increment: step; position: relative; margin: 0; padding: .8rem 1rem .8rem 3.25rem; border-top: 1px solid var(--line); }
.steps li:first-child { border-top: 0; }
.steps li::before { content: counter(step); position: absolute; left: 1rem; top: .9rem; width: 1.5rem; height: 1.5rem; border-radius: 50%; border: 1px solid var(--field); text-align: center; line-height: 1.4rem; font-size: .85rem; }
.steps .done::before { content: "✓"; border-color: var(--good); color: var(--good); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
.charts h3 { margin: 0 0 .5rem; font-size: .95rem; }
.aging { display: flex; flex-wrap: wrap; gap: 1rem 1.5rem; align-items: center; }
.aging svg { flex: 1 1 10rem; min-width: 0; max-width: 19rem; width: 100%; height: auto; overflow: visible; }
.aging line { stroke: var(--line); }
.aging text { fill: var(--quiet); font-size: 14px; text-anchor: middle; }
.aging .reach { fill: transparent; }
.aging a:hover .reach, .aging a:focus-visible .reach { fill: var(--tint); }
.bar.current { fill: var(--accent); }
.bar { fill: var(--danger); }
.bar.days_1_30, .dot.days_1_30 { opacity: .4; }
.bar.days_31_60, .dot.days_31_60 { opacity: .6; }
.bar.days_61_90, .dot.days_61_90 { opacity: .8; }
.dot { display: inline-block; width: .6rem; height: .6rem; border-radius: .15rem; background: var(--danger); margin-right: .5rem; }
.dot.current { background: var(--accent); }
.figures { display: table; flex: 1 1 17rem; width: auto; font-size: .875rem; }
.figures tbody { display: table-row-group; }
.figures tr { display: table-row; border: 0; }
.figures tbody th, .figures tbody td, .figures tr > :first-child, .figures tr > :last-child { display: table-cell; border: 0; padding: .22rem 0; min-width: 0; font-weight: 400; }
.figures tbody .number { text-align: right; padding-left: 1rem; }
.figures tbody th { white-space: nowrap; }
.figures .share { text-align: right; color: var(--quiet); font-variant-numeric: tabular-nums; }
@media screen and (max-width: 58rem) {

  .rows tbody tr { padding: .5rem 0; }
  .rows tr + tr { border-top: 1px solid var(--line); }
  .rows tbody th, .rows tbody td, .rows tr > :first-child, .rows tr > :last-child { padding: .18rem .9rem; }
  .rows td:has(> div > .none:only-child), .rows td:has(.zero):not(:has(.amount:not(.zero))) { display: none; }
  .rows td { display: flex; gap: 1rem; justify-content: space-between; align-items: baseline; }
  .rows td > :last-child { text-align: right; }
  .rows td[data-label]::before { flex: none; max-width: 45%; }
  .receipt .short { white-space: normal; }
  .filters > div { flex-basis: 8rem; }
  .key, .key.money { grid-template-columns: repeat(auto-fit, minmax(8.5rem, 1fr)); }
  .key .big, .key.money .big { font-size: 1.1rem; }
}
@media screen and (max-width: 36rem) {
  .rows.brief tbody tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; }
  .rows.brief tbody td[data-label]::before, .rows.brief td:nth-child(4) { display: none; }
  .rows.brief td:nth-child(2) { grid-row: 2; color: var(--quiet); font-size: .8rem; }
  .rows.brief td:nth-child(3) { grid-area: 1 / 2; }
}
@media screen and (min-width: 36rem) and (max-width: 58rem) {
  .rows tbody tr { display: grid; grid-template-columns: 1fr 1fr; column-gap: 1rem; }
  .rows tbody th { grid-column: 1 / -1; }
}
@media screen and (max-width: 30rem) {
  .filters > div, .more > div { max-width: none; }
  .filters > .search { flex-basis: 100%; }
  .tabs ul { gap: 0; font-size: .8125rem; justify-content: space-between; width: fit-content; max-width: 100%; }
  .tabs a { padding: .35rem .55rem; }
  .figures .share { display: none; }
}
.title .actions { margin: 0; }
@media print {
  :root { color-scheme: light; --page: #fff; }
  .top, .pages, .skip, .filters, .chips, .tabs, .pager, .title .button, .crumbs, .on-screen { display: none; }
  body { font-size: 10pt; }
  main { padding: 0; max-width: none; }
  a { color: inherit; }
  .wide { border: 0; overflow: visible; background: none; }
  .rows th, .rows td { padding: .2rem .3rem; font-size: 8pt; }
  .rows thead th, .rows td .quiet { font-size: 7pt; }
  .aged tbody th, .rows tbody td:nth-child(2) { min-width: 0; }
  .aged .amount { white-space: nowrap; }
  thead { display: table-header-group; }
  tr, .key div { break-inside: avoid; }
}
`;
