import type { Membership } from "../../../auth/connections.ts";
import type { ErpConnectionState, OperatorConnection } from "../../core/erp-connections/operator-connection.ts";
import type { Remains } from "../../core/erp-connections/remains-queries.ts";
import { remainsInWords } from "../../core/erp-connections/remains-words.ts";
import { select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { planConfirmation } from "../kit/plan-confirmation.ts";
import { dateTime } from "../kit/words.ts";
import { accessFields, alert, NEW_CONNECTION, pulledFields } from "./erp-fields.ts";
import type { ErpFormProblem } from "./erp-form.ts";
import { erpHealth } from "./erp-words.ts";

/** A workspace's connections as its admin sees them. */
interface ErpView {
  workspace: Membership;
  states: readonly ErpConnectionState[];
  now: Date;
  /** The hidden field of a form with this action. */
  formField: (action: string) => Html;
  /** A form of this workspace that was not accepted. */
  refused: ErpFormProblem | null;
}

const PROVIDERS = { oracle_fusion: "Oracle Fusion" } as const;
const PUSH_MODES = [
  { value: "automatic", label: "At once" },
  { value: "held", label: "When somebody pushes them" },
];

/** The section of a workspace: each connection, and the form of a new one. */
export function erpSection(view: ErpView): Html {
  const { workspace, states } = view;
  return html`<section>
<h2>${workspace.name}</h2>
<p class="quiet">${states.length === 0 ? "No ERP is connected." : `Times are in ${workspace.timezone}.`}</p>
${states.map((state) => connectionCard(state, view))}
${connectForm(view)}
</section>`;
}

function connectionCard(state: ErpConnectionState, view: ErpView): Html {
  const { connection } = state;
  const { id, provider, url, username, status, sync_enabled: syncs } = connection;
  const { workspace, formField } = view;
  const { word, tone, sentences } = erpHealth(state, { now: view.now, timezone: workspace.timezone });
  const path = `/erp-connections/${workspace.tenantId}/${id}`;
  const button = (verb: string, label: string): Html =>
    html`<form class="inline" method="post" action="${path}/${verb}">${formField(`${path}/${verb}`)}<button class="plain" aria-describedby="erp-${id}">${label}</button></form>`;
  const refused = view.refused?.connectionId === id ? view.refused : null;
  return html`<article class="card" aria-labelledby="erp-${id}">
<div class="head"><h3 id="erp-${id}">${PROVIDERS[provider]} at ${hostOf(url)}</h3><span class="state ${tone}">${word}</span></div>
${refused?.form === "other" && html`<p class="alert" role="alert">${refused.message}</p>`}
${state.twin !== null && html`<p class="alert">${twinSentence(state.twin, workspace.timezone)}</p>`}
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
<dl class="facts">
<dt>Address</dt><dd>${url}</dd>
<dt>Signs in as</dt><dd>${username}</dd>
<dt>Invoices</dt><dd>${connection.pull_invoice_date_from === null ? "Of any date" : `Dated ${connection.pull_invoice_date_from} or later`}</dd>
<dt>Names of contacts</dt><dd>${connection.pull_contact_name ? "Taken over" : "Left out"}</dd>
<dt>Automatic pulls</dt><dd>${connection.auto_sync_enabled ? `On, at least ${connection.auto_sync_interval_minutes} minutes apart` : "Off"}</dd>
<dt>Receipts</dt><dd>${connection.payment_push_mode === "held" ? "Written back when somebody pushes them" : "Written back at once"}</dd>
</dl>
${
  status !== "disconnected" &&
  html`<div class="actions">${syncs && button("sync", "Pull now")}${button(syncs ? "off" : "on", syncs ? "Switch sync off" : "Switch sync on")}<a class="danger" href="${path}/disconnect" aria-describedby="erp-${id}">Disconnect</a></div>`
}
${settingsForm(connection, path, view, refused?.form === "settings" ? refused : null)}
${reconnectForm(connection, path, view, refused?.form === "reconnect" ? refused : null)}
</article>`;
}

function settingsForm(
  connection: OperatorConnection,
  path: string,
  { formField }: ErpView,
  refused: ErpFormProblem | null,
): Html {
  const { id } = connection;
  const action = `${path}/settings`;
  return html`<details${refused !== null && html` open`}>
<summary>What is pulled, and when</summary>
<form method="post" action="${action}">${formField(action)}
${alert(refused)}
${pulledFields(id, connection, refused)}
${select({ id: `push-${id}`, name: "push_mode", label: "Receipts of payments are written back" }, PUSH_MODES, refused?.typed.push_mode ?? connection.payment_push_mode)}
<div class="actions"><button>Save</button></div></form>
</details>`;
}

function reconnectForm(
  { id, url, username, status }: OperatorConnection,
  path: string,
  { formField }: ErpView,
  refused: ErpFormProblem | null,
): Html {
  const action = `${path}/reconnect`;
  const isNeeded = status === "requires_reauthentication" || status === "disconnected";
  return html`<details${(refused !== null || isNeeded) && html` open`}>
<summary>Reconnect with another password</summary>
<form method="post" action="${action}">${formField(action)}
${alert(refused)}
${accessFields(id, { url: refused?.typed.url ?? url, user: refused?.typed.user ?? username }, refused)}
${refused?.toConfirm !== undefined && planConfirmation({ ...refused.toConfirm, button: "Reconnect" })}
<div class="actions"><button>Reconnect</button></div></form>
</details>`;
}

function connectForm({ workspace: { tenantId, name }, states, formField, refused: latest }: ErpView): Html {
  const action = `/erp-connections/${tenantId}`;
  const refused = latest?.form === "connect" ? latest : null;
  const form = html`<form method="post" action="${action}" aria-label="Connect an ERP to ${name}">${formField(action)}
${alert(refused)}
${select({ id: `provider-${tenantId}`, name: "provider", label: "ERP" }, [{ value: "oracle_fusion", label: "Oracle Fusion Cloud Receivables" }])}
${accessFields(tenantId, { url: refused?.typed.url ?? "", user: refused?.typed.user ?? "" }, refused)}
${pulledFields(tenantId, NEW_CONNECTION, refused)}
<div class="actions"><button>Connect ERP</button></div></form>`;
  return html`<details class="card"${(states.length === 0 || refused !== null) && html` open`}>
<summary>Connect an ERP</summary>
${form}
</details>`;
}

/** Warns that the same ERP is connected twice; the other is identified by when it was connected. */
function twinSentence({ created_at: at }: OperatorConnection, timezone: string): Html {
  const when = html`<time datetime="${at}">${dateTime(at, timezone)}</time>`;
  return html`This ERP is connected twice as the same user, here and by the connection of ${when}: every invoice comes twice, and every customer is asked twice. Disconnect one of the two.`;
}

/** Asks an admin to confirm that an ERP is to be disconnected. */
export function disconnectErpView(
  { tenantId, name }: Membership,
  { connection: { id, provider, url }, remains }: { connection: OperatorConnection; remains: Remains },
  formField: (action: string) => Html,
): Html {
  const action = `/erp-connections/${tenantId}/${id}/disconnect`;
  return html`<h1>Disconnect ${PROVIDERS[provider]} at ${hostOf(url)} from ${name}?</h1>
<ul>
<li>Nothing is pulled from it any more, and no receipt is written back to it.</li>
<li>Its password is forgotten. To connect it again, it has to be given again.</li>
${remainsInWords(remains).map((sentence) => html`<li>${sentence}</li>`)}
</ul>
<form method="post" action="${action}">${formField(action)}
<div class="actions"><button class="danger">Disconnect</button></div></form>
<p><a href="/erp-connections">Keep it connected</a></p>`;
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url;
}
