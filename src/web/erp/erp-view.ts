import type { Membership } from "../../../auth/connections.ts";
import { erpName } from "../../core/erp-access/erp-name.ts";
import type { ErpConnectionState, OperatorConnection } from "../../core/erp-connections/operator-connection.ts";
import type { Remains } from "../../core/erp-connections/remains-queries.ts";
import { remainsInWords } from "../../core/erp-connections/remains-words.ts";
import { counted } from "../../core/kernel/counted.ts";
import { money } from "../../core/kernel/money.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import type { HeldRetirement } from "../../core/sync-runs/held-queries.ts";
import { missingByUnit } from "../../core/sync-runs/held-words.ts";
import { failureInWords } from "../../core/sync-runs/queries.ts";
import { refusalNote } from "../kit/acts.ts";
import { buttonForm, confirmation, type FormField, select } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { planConfirmation } from "../kit/plan-confirmation.ts";
import { ago, timeElement } from "../kit/words.ts";
import { withQuery } from "../kit/workspace-pages.ts";
import { chip } from "../lists/figures.ts";
import { accessFields, type ErpFormProblem, NEW_CONNECTION, pulledFields } from "./erp-form.ts";

/** A workspace's connections as its admin sees them. */
interface ErpView {
  workspace: Membership;
  states: readonly ErpConnectionState[];
  now: Date;
  formField: FormField;
  /** The hidden field that names the form of a new connection. */
  once: Html;
  /** Connections whose last complete sync retired nothing, for it would have been too much. */
  /** A form of this workspace that was not accepted. */
  refused: ErpFormProblem | null;
}

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
  const { connection, held } = state;
  const { id, url, username, status, sync_enabled: syncs } = connection;
  const { workspace, formField } = view;
  const { word, tone, sentences } = erpHealth(state, view);
  const path = `/erp-connections/${workspace.tenantId}/${id}`;
  const button = (verb: string, label: string): Html =>
    buttonForm(
      formField,
      `${path}/${verb}`,
      html`<button class="plain" aria-describedby="erp-${id}">${label}</button>`,
    );
  const refused = view.refused?.connectionId === id ? view.refused : null;
  const runs = withQuery("/sync-runs", { connection_id: id, workspace: workspace.tenantId });
  const history = state.latestRun !== null && html`<a href="${runs}" aria-describedby="erp-${id}">Sync history</a>`;
  return html`<article class="card" aria-labelledby="erp-${id}">
<div class="head"><h3 id="erp-${id}">${erpName(connection)}</h3>${chip(word, tone)}</div>
${refused?.form === "other" && html`<p class="alert" role="alert">${refused.message}</p>`}
${state.twin !== null && html`<p class="warn">This ERP is connected twice, here and as ${state.twin.username}: an invoice that both users see comes twice, and its customer is asked twice. If they see the same invoices, have the ERP show each to one of the two only: the next syncs retire what a user no longer sees. Disconnecting one stops its syncs, but its invoices and payment links stay.</p>`}
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${held !== null && html`<p class="alert">The ERP no longer shows many of its invoices. They are kept until you confirm that they are gone. <a href="${path}/retire">See what would be retired</a></p>`}
<dl class="facts">
<dt>Address</dt><dd>${url}</dd>
<dt>Signs in as</dt><dd>${username}</dd>
<dt>Invoices</dt><dd>${connection.pull_invoice_date_from === null ? "Of any date" : `Dated ${readableDate(connection.pull_invoice_date_from)} or later`}</dd>
<dt>Names of contacts</dt><dd>${connection.pull_contact_name ? "Imported" : "Left out"}</dd>
<dt>Syncs start</dt><dd>${startsOf(connection)}</dd>
<dt>Receipts</dt><dd>${connection.payment_push_mode === "held" ? "Written back when somebody pushes them" : "Written back at once"}</dd>
</dl>
${
  status !== "disconnected" &&
  html`<div class="actions">${syncs && button("sync", "Sync now")}${button(syncs ? "off" : "on", syncs ? "Switch sync off" : "Switch sync on")}${history}<a class="danger" href="${path}/disconnect" aria-describedby="erp-${id}">Disconnect</a></div>`
}
${status === "disconnected" && history && html`<p>${history}</p>`}
${settingsForm(connection, path, view, refused?.form === "settings" ? refused : null)}
${reconnectForm(connection, path, view, refused?.form === "reconnect" ? refused : null)}
</article>`;
}

/** What starts a sync of a connection. */
function startsOf({
  sync_enabled: syncs,
  auto_sync_enabled: isAutomatic,
  auto_sync_interval_minutes: minutes,
}: OperatorConnection): string {
  if (!syncs) return "Not at all: sync is switched off";
  return isAutomatic ? `By themselves, at least ${minutes} minutes apart` : "By hand only";
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
${refusalNote(refused)}
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
${refusalNote(refused)}
${accessFields(id, { url: refused?.typed.url ?? url, user: refused?.typed.user ?? username }, refused)}
${refused?.toConfirm !== undefined && planConfirmation({ ...refused.toConfirm, button: "Reconnect" })}
<div class="actions"><button>Reconnect</button></div></form>
</details>`;
}

function connectForm({ workspace: { tenantId, name }, states, formField, once, refused: latest }: ErpView): Html {
  const action = `/erp-connections/${tenantId}`;
  const refused = latest?.form === "connect" ? latest : null;
  return html`<details class="card"${(states.length === 0 || refused !== null) && html` open`}>
<summary>Connect an ERP</summary>
<form method="post" action="${action}" aria-label="Connect an ERP to ${name}">${formField(action)}${once}
${refusalNote(refused)}
${select({ id: `provider-${tenantId}`, name: "provider", label: "ERP" }, [{ value: "oracle_fusion", label: "Oracle Fusion Cloud Receivables" }])}
${accessFields(tenantId, { url: refused?.typed.url ?? "", user: refused?.typed.user ?? "" }, refused)}
${pulledFields(tenantId, NEW_CONNECTION, refused)}
<div class="actions"><button>Connect ERP</button></div></form>
</details>`;
}

/** Asks an admin to confirm that an ERP is to be disconnected. */
export function disconnectErpView(
  { tenantId, name }: Membership,
  { connection, remains }: { connection: OperatorConnection; remains: Remains },
  formField: FormField,
): Html {
  return confirmation({
    question: `Disconnect ${erpName(connection)} from ${name}?`,
    consequences: [
      "Nothing is pulled from it any more, and no receipt is written back to it.",
      "Its password is forgotten. To connect it again, it has to be given again.",
      ...remainsInWords(remains),
    ],
    action: `/erp-connections/${tenantId}/${connection.id}/disconnect`,
    formField,
    button: "Disconnect",
    back: { path: "/erp-connections", words: "Keep it connected" },
  });
}

/** Asks an admin to confirm that what the ERP no longer shows is gone. */
export function retireView({ tenantId, name }: Membership, held: HeldRetirement, formField: FormField): Html {
  const units = missingByUnit(held.would_retire);
  return confirmation({
    question: `Retire what ${erpName({ ...held, url: held.base_url })} no longer shows in ${name}?`,
    consequences: [
      ...units.map(({ unit, invoices, amounts }) =>
        [
          `${unit ?? "No business unit"}: ${counted(invoices, "invoice")}`,
          ...amounts.map(({ outstanding, currency }) => owedInWords(outstanding, currency)),
        ].join(", "),
      ),
      "The next complete sync retires those of them that are still missing: nobody is asked to pay them any more, their payment links are withdrawn and their tasks end.",
      "Invoices that go missing later are not part of this confirmation. An invoice that the ERP shows again comes back by itself; a withdrawn link does not.",
      "If the ERP's user only lost sight of them, leave them, and have it given access again.",
    ],
    action: `/erp-connections/${tenantId}/${held.connection_id}/retire`,
    formField: (action) => html`${formField(action)}<input type="hidden" name="run" value="${held.sync_run_id}">`,
    button: "Confirm that they are gone",
    back: { path: "/erp-connections", words: "Leave them" },
  });
}

const owedInWords = (outstanding: string, currency: string | null): string =>
  currency === null ? `${outstanding} of an unknown currency` : readableMoney(money(outstanding), currency);

/** The words of each status. */
const STATUS = {
  connected: { word: "Connected", tone: "good", means: null },
  requires_reauthentication: {
    word: "Password refused",
    tone: "failed",
    means: "The ERP does not accept the password any more. Every sync fails until it is reconnected below.",
  },
  temporarily_unavailable: {
    word: "Not reachable at the moment",
    tone: "waits",
    means: "The ERP could not be reached. That usually clears itself.",
  },
  disconnected: {
    word: "Disconnected",
    tone: "quiet",
    means: "It holds no password and nothing is pulled.",
  },
} as const;

const WHAT_STAYS = "What it brought in stays; Auto Generate makes no payment links for it.";

/** A connection's state (service.md §3.1) and how fresh its figures are: a word, a tone, and sentences. */
function erpHealth(state: ErpConnectionState, { now, workspace }: Pick<ErpView, "now" | "workspace">) {
  const { connection, latestRun } = state;
  const { status, sync_enabled: syncs, last_sync_at: last, last_successful_sync_at: fresh } = connection;
  const time = (instant: string): Html => timeElement(instant, workspace.timezone);
  const runPath = (runId: string): string => withQuery(`/sync-runs/${runId}`, { workspace: workspace.tenantId });
  const { means, ...shown } = STATUS[status];
  const isOff = !syncs && status !== "disconnected";
  const isTried = status === "requires_reauthentication" || status === "temporarily_unavailable";
  const failsStill = isTried && last !== null && (fresh === null || last > fresh);
  const sentences = [
    means !== null && html`${means}`,
    isOff && html`Sync is switched off: nothing is pulled, neither by itself nor by hand.`,
    latestRun?.status === "running" &&
      html`A sync is under way since ${time(latestRun.started_at)}, with ${counted(latestRun.invoices_read, "invoice")} read so far. <a href="${runPath(latestRun.sync_run_id)}">See how far it is now</a>`,
    status === "disconnected" && fresh !== null && html`${WHAT_STAYS}`,
    fresh === null
      ? html`${status === "disconnected" ? "No sync ever succeeded." : "No sync has succeeded at this address yet, so there are no figures from it."}`
      : html`Its figures are as of ${time(fresh)}, ${ago(fresh, now)}.`,
    failsStill && last !== null && html`Syncs are tried and fail, the last time on ${time(last)}.`,
    latestRun?.status === "failed" &&
      html`The last sync ended with: ${failureInWords(latestRun)} <a href="${runPath(latestRun.sync_run_id)}">What it means</a>`,
  ].filter((sentence) => sentence !== false);
  return isOff && status === "connected"
    ? { word: "Sync is off", tone: "waits" as const, sentences }
    : { ...shown, sentences };
}
