import type { ErpConnectionState, OperatorConnection } from "../../core/erp-connections/operator-connection.ts";
import type { Remains } from "../../core/erp-connections/remains-queries.ts";
import { remainsInWords } from "../../core/erp-connections/remains-words.ts";
import { counted } from "../../core/kernel/counted.ts";
import { readableDate, readableMoney } from "../../core/mail/readable.ts";
import type { HeldRetirement } from "../../core/sync-runs/finish-queries.ts";
import { missingByUnit } from "../../core/sync-runs/queries.ts";
import {
  actions,
  type Confirmation,
  disclosure,
  facts,
  type Html,
  hidden,
  html,
  link,
  muted,
  warning,
} from "../kit/markup.ts";
import { type WorkspaceVisit, withQuery } from "../kit/page.ts";
import { chip } from "../lists/list.ts";
import { cutNote } from "../lists/table.ts";
import { erpHealth } from "./connection-health.ts";
import { CONNECT_ERP, ERP_SETTINGS, RECONNECT_ERP } from "./erp-form.ts";

/** Each connection of a workspace, and the form of a new one. */
export function erpSection(visit: WorkspaceVisit, states: readonly ErpConnectionState[]): Html {
  const { tenantId, name, timezone } = visit.workspace;
  const path = `/erp-connections/${tenantId}`;
  const form = { path, key: tenantId, button: "Connect ERP", once: true, label: `Connect an ERP to ${name}` } as const;
  const isOpen = states.length === 0 || visit.refusedAt(path) !== null;
  return html`${muted(states.length === 0 ? "No ERP is connected." : `Times are in ${timezone}.`)}
${states.map((state) => connectionCard(state, visit))}
${cutNote(states.filter(({ connection }) => connection.status === "disconnected").length)}
<div class="card">${disclosure("Connect an ERP", isOpen, CONNECT_ERP.view(visit, form))}</div>`;
}

function connectionCard(state: ErpConnectionState, visit: WorkspaceVisit): Html {
  const { connection, name, twin, held } = state;
  const { id, url, username, status, sync_enabled: syncs, pull_invoice_date_from: from } = connection;
  const { tenantId } = visit.workspace;
  const { word, tone, sentences } = erpHealth(state, visit);
  const path = `/erp-connections/${tenantId}/${id}`;
  const about = html` aria-describedby="erp-${id}"`;
  const button = (verb: string, label: string): Html => visit.act(`${path}/${verb}`, label, `erp-${id}`, "plain");
  const runs = withQuery("/sync-runs", { connection_id: id, workspace: tenantId });
  const history = state.latestRun !== null && link(runs, "Sync history", about);
  const forms = [settingsForm(connection, path, visit), reconnectForm(connection, path, visit)];
  return html`<article class="card" aria-labelledby="erp-${id}">
<div class="head"><h3 id="erp-${id}">${name}</h3>${chip(word, tone)}</div>
${visit.refusedBelow(`${path}/`)}
${twin !== null && warning(twinInWords(twin.username))}
${sentences.map((sentence) => html`<p>${sentence}</p>`)}
${held !== null && html`<p class="alert">${HELD} <a href="${path}/retire">See what would be retired</a></p>`}
${facts([
  ["Address", url],
  ["Signs in as", username],
  ["Invoices", from === null ? "Of any date" : `Dated ${readableDate(from)} or later`],
  ["Contact names", connection.pull_contact_name ? "Imported" : "Left out"],
  ["Syncs start", startsOf(connection)],
  ["Receipts", `Written back ${connection.payment_push_mode === "held" ? "when somebody pushes them" : "at once"}`],
])}
${
  status === "disconnected"
    ? history && html`<p>${history}</p>`
    : actions(
        syncs && button("sync", "Sync now"),
        syncs ? button("off", "Switch sync off") : button("on", "Switch sync on"),
        history,
        link(`${path}/disconnect`, "Disconnect", html` class="danger"${about}`),
      )
}
${forms}
</article>`;
}

const HELD = "The ERP no longer shows many of its invoices. They are kept until you confirm that they are gone.";

const twinInWords = (username: string): string =>
  `This ERP is connected twice, here and as ${username}: an invoice that both users see comes twice, and its customer \
is asked twice. If they see the same invoices, have the ERP show each to one of the two only: the next syncs retire \
what a user no longer sees. Disconnecting one stops its syncs, but its invoices and payment links stay.`;

/** What starts a sync of a connection. */
function startsOf({
  sync_enabled: syncs,
  auto_sync_enabled: isAutomatic,
  auto_sync_interval_minutes: minutes,
}: OperatorConnection): string {
  if (!syncs) return "Not at all: sync is switched off";
  return isAutomatic ? `By themselves, at least ${minutes} minutes apart` : "By hand only";
}

function settingsForm(connection: OperatorConnection, base: string, visit: WorkspaceVisit): Html {
  const path = `${base}/settings`;
  const now = {
    name: connection.name,
    pullFrom: connection.pull_invoice_date_from,
    contactName: connection.pull_contact_name,
    autoSync: connection.auto_sync_enabled,
    intervalMinutes: connection.auto_sync_interval_minutes,
    applyMode: connection.apply_mode,
    receiptMethod: connection.receipt_method,
    paymentPushMode: connection.payment_push_mode,
  };
  const form = ERP_SETTINGS.view(visit, { path, key: connection.id, button: "Save", now, isPartial: true });
  return disclosure("Settings", visit.refusedAt(path) !== null, form);
}

function reconnectForm(connection: OperatorConnection, base: string, visit: WorkspaceVisit): Html {
  const path = `${base}/reconnect`;
  const { id, status } = connection;
  const isNeeded = status === "requires_reauthentication" || status === "disconnected";
  const form = RECONNECT_ERP.view(visit, { path, key: id, button: "Reconnect", now: connection, isPartial: true });
  return disclosure("Address and password", isNeeded || visit.refusedAt(path) !== null, form);
}

/** Asks an admin to confirm that an ERP is to be disconnected. */
export function disconnectErpView(visit: WorkspaceVisit, erp: string, remains: Remains): Confirmation {
  return {
    question: `Disconnect ${erp} from ${visit.workspace.name}?`,
    consequences: [
      "Nothing is pulled from it any more, and no receipt is written back to it.",
      "Its password is forgotten. To connect it again, it has to be given again.",
      ...remainsInWords(remains),
    ],
    button: "Disconnect",
    stay: "Keep it connected",
  };
}

/** Asks an admin to confirm that what the ERP no longer shows is gone. */
export function retireView(visit: WorkspaceVisit, erp: string, held: HeldRetirement): Confirmation {
  const units = missingByUnit(held.would_retire);
  return {
    question: `Retire what ${erp} no longer shows in ${visit.workspace.name}?`,
    consequences: [
      ...units.map(({ unit, invoices, amounts }) =>
        [
          `${unit ?? "No business unit"}: ${counted(invoices, "invoice")}`,
          ...amounts.map(({ outstanding, currency }) => owedInWords(outstanding, currency)),
        ].join(", "),
      ),
      "The next complete sync retires those of them that are still missing: nobody is asked to pay them any more, \
their payment links are withdrawn and their tasks end.",
      "Invoices that go missing later are not part of this confirmation. An invoice that the ERP shows again comes \
back by itself; a withdrawn link does not.",
      "If the ERP's user only lost sight of them, leave them, and have it given access again.",
    ],
    fields: hidden("run", held.sync_run_id),
    button: "Confirm that they are gone",
    stay: "Leave them",
  };
}

const owedInWords = (outstanding: string, currency: string | null): string =>
  currency === null ? `${outstanding} of an unknown currency` : readableMoney(outstanding, currency);
