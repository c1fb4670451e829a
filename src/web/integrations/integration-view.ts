import type { Membership } from "../../../auth/connections.ts";
import type { OperatorIntegration } from "../../core/payment-integrations/operator-integration.ts";
import { PROVIDER_NAMES } from "../../core/provider-access/schema.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { copyable } from "../kit/copy.ts";
import { confirmation, type FormField, input, secretInput } from "../kit/fields.ts";
import { type Html, html } from "../kit/html.ts";
import { planConfirmation } from "../kit/plan-confirmation.ts";
import { inWords, timeElement } from "../kit/words.ts";
import { chip } from "../lists/figures.ts";
import type { ConnectForm, FieldName, FormProblem, Provider } from "./integration-form.ts";

interface Section {
  workspace: Membership;
  integrations: readonly OperatorIntegration[];
  /** What can be connected here. */
  offered: readonly Provider[];
  publicOrigin: string;
  formField: FormField;
  /** A form of this workspace that was not accepted. */
  refused: { form: ConnectForm; problem: FormProblem } | null;
}

/** The notice after a form, by the query of the address. */
export function noticeView(query: Readonly<Record<string, unknown>>): Html | null {
  if (query.connected === "stripe" && query.mode === "test")
    return html`<p class="status" role="status">Stripe was connected with a test key: no money moves, and live payments are not seen. Connect a live key to collect money.</p>`;
  if (query.connected !== undefined)
    return html`<p class="status" role="status">The provider was connected. What it charges can be collected now.</p>`;
  if (query.disconnected !== undefined)
    return html`<p class="status" role="status">The provider was disconnected. No new payment link is made with it.</p>`;
  return null;
}

/** A workspace's integrations, and a form for each provider that is not connected. */
export function integrationSection(section: Section): Html {
  const { workspace, integrations, offered } = section;
  const connected = integrations.filter(({ status }) => status === "connected").map(({ provider }) => provider);
  return html`<section>
<h2>${workspace.name}</h2>
${integrations.length === 0 ? html`<p class="quiet">No payment provider is connected yet: connect one below, and payment links can be made.</p>` : table(section)}
${webhookEndpoint(section, connected.includes("stripe"))}
<div class="forms">${offered.filter((provider) => !connected.includes(provider)).map((provider) => connectForm(provider, section))}</div>
</section>`;
}

/** What has to be set up at Stripe; needed before it is connected, for the secret comes from there. */
function webhookEndpoint({ workspace, publicOrigin }: Section, isConnected: boolean): Html {
  return html`<details${!isConnected && html` open`}>
<summary>Webhook endpoint to make in Stripe</summary>
<p class="address">Address: ${copyable("the address of the webhook", `${publicOrigin}/webhooks/stripe/${workspace.tenantId}`)}</p>
<p>Events: <span class="id">${STRIPE_EVENT_TYPES.join(", ")}</span></p>
</details>`;
}

function table(section: Section): Html {
  const { connected = [], disconnected = [] } = Object.groupBy(section.integrations, ({ status }) => status);
  return html`<p class="quiet">Times are in ${section.workspace.timezone}.</p>
<div class="wide"><table>
<thead><tr><th scope="col">Provider</th><th scope="col">Status</th><th scope="col">Mode</th><th scope="col">Currencies</th><th scope="col">Since</th><th scope="col">Disconnect</th></tr></thead>
<tbody>${[...connected, ...disconnected].map((integration) => row(integration, section))}</tbody>
</table></div>`;
}

function row(integration: OperatorIntegration, { workspace }: Section): Html {
  const {
    id,
    provider,
    status,
    currencies,
    livemode,
    events_problem: problem,
    created_at: created,
    forgotten_at: forgotten,
  } = integration;
  const isConnected = status === "connected";
  const isForgotten = forgotten !== null;
  const state = chip(isForgotten ? "Forgotten" : inWords(status), isConnected ? "good" : "quiet");
  const action = `/integrations/${workspace.tenantId}/${provider}/disconnect`;
  return html`<tr${!isConnected && html` class="ended"`}>
<th scope="row"><span id="integration-${id}">${PROVIDER_NAMES[provider]}</span></th>
<td data-label="Status">${state}${isForgotten && html`<br><span class="quiet">Its payments are not recorded</span>`}${problem !== null && html`<p class="problem">Its events cannot be read: ${problem} Payments are seen by notifications only.</p>`}</td>
<td data-label="Mode">${livemode ? "Live" : "Test: no money moves"}</td>
<td data-label="Currencies">${currencies.join(", ")}</td>
<td data-label="Since">${timeElement(created, workspace.timezone)}</td>
<td>${isConnected && html`<a class="danger" href="${action}" aria-describedby="integration-${id}">Disconnect</a>`}</td>
</tr>`;
}

function connectForm(provider: Provider, { workspace: { tenantId, name }, formField, refused: latest }: Section): Html {
  const action = `/integrations/${tenantId}/${provider}`;
  const refused = latest?.form.provider === provider ? latest : null;
  const fieldOf = (name: FieldName, label: string, hint: string) => {
    return { id: `${provider}-${name}-${tenantId}`, name, label, hint, problem: refused?.problem.fields[name] };
  };
  const secret = (name: FieldName, label: string, hint: string, shape: Html): Html =>
    secretInput(fieldOf(name, label, hint), html`required autocomplete="off" maxlength="500" ${shape}`, {
      isAgain: refused !== null,
    });
  const currencies = refused?.form.currencies ?? "";
  return html`<form class="card" method="post" action="${action}" aria-label="Connect ${PROVIDER_NAMES[provider]} to ${name}">${formField(action)}
<h3>Connect ${PROVIDER_NAMES[provider]}</h3>
${refused !== null && html`<p class="alert" role="alert">${refused.problem.message}</p>`}
${provider === "sandbox" && html`<p class="quiet">Pay pages of this service. No money moves.</p>`}
${
  provider === "stripe" && [
    secret(
      "secret_key",
      "Secret key",
      "Starts with sk_ or rk_. It is kept encrypted and never shown again.",
      html`pattern="(sk|rk)_.+" title="Starts with sk_ or rk_"`,
    ),
    secret(
      "webhook_secret",
      "Webhook secret",
      "Starts with whsec_: Stripe shows it with the webhook endpoint.",
      html`pattern="whsec_.+" title="Starts with whsec_"`,
    ),
  ]
}
${input(fieldOf("currencies", "Currencies", "ISO 4217 codes of what it may charge, such as USD, EUR."), html`required value="${currencies}" autocomplete="off" maxlength="1000"`)}
${refused?.problem.toConfirm !== undefined && planConfirmation({ ...refused.problem.toConfirm, button: "Connect" })}
<div class="actions"><button>Connect ${PROVIDER_NAMES[provider]}</button></div></form>`;
}

/** Asks an admin to confirm that a provider is to be disconnected. */
export function disconnectView({ tenantId, name }: Membership, provider: Provider, formField: FormField): Html {
  return confirmation({
    question: `Disconnect ${PROVIDER_NAMES[provider]} from ${name}?`,
    consequences: [
      "No new payment link is made with it, and what only it charges cannot be collected.",
      "Links that customers have can still be paid, and such payments are recorded.",
      provider === "stripe" && "Its secret key is forgotten. To connect it again, both secrets have to be given again.",
    ],
    action: `/integrations/${tenantId}/${provider}/disconnect`,
    formField,
    button: "Disconnect",
    back: { path: "/integrations", words: "Keep it connected" },
  });
}
