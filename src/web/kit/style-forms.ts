/** The styles of forms that collect: links, invoices, receipts. */
export const FORM_STYLES = `
button.small { padding: .3rem .7rem; font-size: .875rem; }
button.plain { border-color: var(--line); }
a.button.plain.danger { color: var(--danger); }
form.links, form.invoice { max-width: 46rem; }
.asked { display: grid; grid-template-columns: minmax(0, 1fr) 13rem; gap: .25rem 1rem; align-items: center; padding: .75rem 0; border-bottom: 1px solid var(--line); }
.asked:first-of-type { padding-top: 0; }
.asked label { margin: 0; }
.asked > div label { font-size: .8rem; font-weight: 500; color: var(--quiet); }
.asked p { margin: 0; }
.asked .quiet { display: block; }
.asked input:not([type="checkbox"]) { padding: .4rem .6rem; }
.pair { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 17rem), 1fr)); gap: .75rem 1rem; }
.pair label { margin-top: 0; }
.pair + .pair { margin-top: .75rem; }
fieldset { border: 0; padding: 0; margin: 1.5rem 0 0; min-width: 0; }
legend { font-weight: 630; font-size: 1.05rem; padding: 0; }
.installment { display: grid; grid-template-columns: 1.5rem minmax(0, 1fr) minmax(0, 1fr) auto; gap: .25rem .75rem; align-items: start; padding: .6rem 0; border-top: 1px solid var(--line); }
.installment label { margin: 0; font-size: .8rem; font-weight: 500; color: var(--quiet); }
.installment input { padding: .45rem .6rem; }
.installment > .number, .installment > button { margin-top: 1.45rem; }
.installment > .number { text-align: left; padding-top: .25rem; }
.tick { margin: 0; }
form.row { display: flex; flex-wrap: wrap; gap: .5rem 1rem; align-items: end; margin-top: 1rem; }
form.row > div:not(.actions) { flex: 0 1 13rem; min-width: 0; }
form.row:has([aria-invalid]) { align-items: start; }
form.row:has([aria-invalid]) > .actions { margin-top: 1.9rem; }
form.row label { margin: 0 0 .25rem; }
form.row .actions { margin: 0; }
.settle { max-width: 30rem; border-top: 1px solid var(--line); margin-top: 1.25rem; padding-top: .25rem; }
.settle h3 { margin: 1rem 0 0; }
.acts { display: flex; flex-wrap: wrap; gap: .5rem .75rem; align-items: start; margin-top: .75rem; }
.acts form.inline { margin: 0; }
.acts button, .acts .button { padding: .4rem .9rem; font-size: .925rem; }
.card + .key, p + .key, p + form.card { margin-top: 1rem; }
.quote { margin: .75rem 0; padding: .5rem .9rem; border-left: .2rem solid var(--line); }
.quote blockquote { margin: 0; overflow-wrap: anywhere; }
.needs .item { padding: .9rem 1rem; }
.item .head { display: flex; flex-wrap: wrap; gap: .25rem .75rem; align-items: baseline; }
.item .head > .quiet { margin-left: auto; }
.item p { margin: .3rem 0; }
@media (max-width: 40rem) {
  .asked { grid-template-columns: minmax(0, 1fr); }
  .installment { grid-template-columns: 1.25rem minmax(0, 1fr); }
  .installment > div, .installment > button { grid-column: 2; justify-self: stretch; }
  .installment > button { margin-top: .25rem; justify-self: start; }
  .item .head > .quiet { margin-left: 0; width: 100%; }
}
`;
