import type { OperatorIntegration } from "../../core/payment-integrations/operator-integration.ts";
import { PROVIDER_NAMES } from "../../core/provider-access/schema.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { copyable } from "../kit/copy.ts";
import { confirmation } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { disclosure } from "../kit/parts.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { inWords, timeElement } from "../kit/words.ts";
import { chip } from "../lists/figures.ts";
import { plainTable } from "../lists/table.ts";
import { CONNECT_FORMS } from "./integration-form.ts";

export type Provider = keyof typeof CONNECT_FORMS;

interface Section {
  visit: WorkspaceVisit;
  integrations: readonly OperatorIntegration[];
  /** What can be connected here. */
  offered: readonly Provider[];
}

/** A workspace's integrations, and a form for each provider that is not connected. */
export function integrationSection(section: Section): Html {
  const { visit, integrations, offered } = section;
  const connected = integrations.filter(({ status }) => status === "connected").map(({ provider }) => provider);
  return html`<section>
<h2>${visit.workspace.name}</h2>
${integrations.length === 0 ? NONE : integrationTable(section)}
${webhookEndpoint(section, connected.includes("stripe"))}
<div class="forms">${offered
    .filter((provider) => !connected.includes(provider))
    .map((provider) => connectForm(provider, section))}</div>
</section>`;
}

const NONE = html`<p class="quiet">No payment provider is connected yet: connect one below, and payment links can be \
made.</p>`;

/** What has to be set up at Stripe; needed before it is connected, for the secret comes from there. */
function webhookEndpoint({ visit }: Section, isConnected: boolean): Html {
  const address = `${visit.site.publicOrigin}/webhooks/stripe/${visit.workspace.tenantId}`;
  return disclosure(
    "Webhook endpoint to make in Stripe",
    !isConnected,
    html`<p class="address">Address: ${copyable("the address of the webhook", address)}</p>
<p>Events: <span class="id">${STRIPE_EVENT_TYPES.join(", ")}</span></p>`,
  );
}

function integrationTable({ visit, integrations }: Section): Html {
  const { tenantId, timezone } = visit.workspace;
  const { connected = [], disconnected = [] } = Object.groupBy(integrations, ({ status }) => status);
  return html`<p class="quiet">Times are in ${timezone}.</p>
${plainTable<OperatorIntegration>({
  caption: "Payment providers",
  rows: [...connected, ...disconnected],
  ended: ({ status }) => status !== "connected",
  columns: [
    {
      head: "Provider",
      cell: ({ id, provider }) => html`<span id="integration-${id}">${PROVIDER_NAMES[provider]}</span>`,
    },
    { head: "Status", cell: statusView },
    { head: "Mode", cell: ({ livemode }) => (livemode ? "Live" : "Test: no money moves") },
    { head: "Currencies", cell: ({ currencies }) => currencies.join(", ") },
    { head: "Since", cell: ({ created_at: created }) => timeElement(created, timezone) },
    {
      head: "Disconnect",
      kind: "acts",
      cell: ({ id, provider, status }) =>
        status === "connected" &&
        html`<a class="danger" href="/integrations/${tenantId}/${provider}/disconnect"
 aria-describedby="integration-${id}">Disconnect</a>`,
    },
  ],
})}`;
}

function statusView({ status, forgotten_at: forgotten, events_problem: problem }: OperatorIntegration): Html {
  const tone = status === "connected" ? "good" : "quiet";
  return html`${chip(forgotten === null ? inWords(status) : "Forgotten", tone)}
${forgotten !== null && html`<br><span class="quiet">Its payments are not recorded</span>`}
${
  problem !== null &&
  html`<p class="problem">Its events cannot be read: ${problem} Payments are seen by notifications only.</p>`
}`;
}

function connectForm(provider: Provider, { visit }: Section): Html {
  const { tenantId, name } = visit.workspace;
  const called = `Connect ${PROVIDER_NAMES[provider]}`;
  return CONNECT_FORMS[provider].view(visit, {
    path: `/integrations/${tenantId}/${provider}`,
    key: `${provider}-${tenantId}`,
    button: called,
    label: `${called} to ${name}`,
    look: "card",
    head: html`<h3>${called}</h3>
${provider === "sandbox" && html`<p class="quiet">Pay pages of this service. No money moves.</p>`}`,
  });
}

/** Asks an admin to confirm that a provider is to be disconnected. */
export function disconnectView(visit: WorkspaceVisit, provider: Provider): Html {
  const { tenantId, name } = visit.workspace;
  return confirmation(visit, {
    question: `Disconnect ${PROVIDER_NAMES[provider]} from ${name}?`,
    consequences: [
      "No new payment link is made with it, and what only it charges cannot be collected.",
      "Links that customers have can still be paid, and such payments are recorded.",
      provider === "stripe" && "Its secret key is forgotten. To connect it again, both secrets have to be given again.",
    ],
    path: `/integrations/${tenantId}/${provider}/disconnect`,
    button: "Disconnect",
    back: { path: "/integrations", words: "Keep it connected" },
  });
}
