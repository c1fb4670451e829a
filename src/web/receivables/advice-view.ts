import type { Act, Advice } from "../../core/attention/advice.ts";
import { type Html, html, type Inserted } from "../kit/html.ts";

/** Advice in a sentence, and what can be done elsewhere or here; `show` has the acts that the page offers itself. */
export function adviceView({ say, steps }: Advice, show: ((act: Act) => Inserted) | null): Html {
  const acts = show === null ? [] : steps.map(({ act }) => elsewhere(act) ?? show(act)).filter((one) => one !== null);
  return html`<p>${say}</p>${acts.length > 0 && html`<div class="acts">${acts}</div>`}`;
}

/** What is mended on another page, as a link to it. */
function elsewhere({ kind }: Act): Html | null {
  if (kind !== "set_receipt_method" && kind !== "reconnect_erp") return null;
  return html`<a class="button plain" href="/erp-connections">${kind === "reconnect_erp" ? "Reconnect the ERP" : "Open the ERP connections"}</a>`;
}
