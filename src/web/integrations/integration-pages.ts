import { minorDigits } from "../../core/kernel/currencies.ts";
import { notFound } from "../../core/kernel/error.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations, type OperatorIntegration } from "../../core/payment-integrations/operator-integration.ts";
import { PROVIDER_NAMES } from "../../core/provider-access/schema.ts";
import { STRIPE_EVENT_TYPES } from "../../gateways/payments/stripe/events.ts";
import { type Confirmation, copyable, disclosure, type Html, html, inWords, link, muted } from "../kit/markup.ts";
import { doing, type FieldWords, Form, type WorkspaceVisit } from "../kit/page.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import { chip, plainTable } from "../lists/list.ts";

const INTRO =
  "Customers pay through a payment provider. An invoice gets a payment link only if one charges its currency.";

const providerIn = (visit: WorkspaceVisit): Provider => {
  const provider = IntegrationInput.provider.safeParse(visit.request.params.provider).data;
  if (provider === undefined) throw notFound("payment provider");
  return provider;
};

const NONE = muted("No payment provider is connected yet: connect one below, and payment links can be made.");

/** `/integrations`: an admin connects payment providers and disconnects them. */
export const INTEGRATIONS = sectionsPage({
  path: "/integrations",
  title: "Integrations",
  settings: { group: "Collecting", words: "The payment providers that customers pay through." },
  adminsOnly: "Only an admin of a workspace manages its integrations",
  hasCopies: true,
  intro: INTRO,
  done: {
    test: "Stripe was connected with a test key: no money moves. Connect a live key to collect money.",
    connected:
      "The provider was connected. What it charges can be collected now, and mails that waited for one go out next.",
    disconnected: "The provider was disconnected. No new payment link is made with it.",
  },
  async section(visit) {
    const integrations = await visit.call(listIntegrations, {});
    const connected = integrations.filter(({ status }) => status === "connected").map(({ provider }) => provider);
    const offered = offeredTo(visit).filter((provider) => !connected.includes(provider));
    return html`${integrations.length === 0 ? NONE : integrationTable(visit, integrations)}
${webhookEndpoint(visit, connected.includes("stripe"))}
<div class="forms">${offered.map((provider) => connectForm(provider, visit))}</div>`;
  },
  acts: {
    "/:provider": {
      async send(visit) {
        const provider = providerIn(visit);
        if (!offeredTo(visit).includes(provider)) throw notFound("payment provider");
        const more = { provider, confirmed: visit.field("confirmed") };
        const { livemode } = await CONNECT_FORMS[provider].send(visit, more);
        return provider === "stripe" && !livemode ? "test" : "connected";
      },
    },
    "/:provider/disconnect": {
      title: "Disconnect",
      async ask(visit) {
        const provider = providerIn(visit);
        const integrations = await visit.call(listIntegrations, {});
        if (!integrations.some((one) => one.provider === provider && one.status === "connected"))
          throw notFound("connected payment integration");
        return disconnectView(visit, provider);
      },
      ...doing("disconnected", (visit: WorkspaceVisit) =>
        visit.call(disconnectIntegration, { provider: providerIn(visit) }),
      ),
    },
  },
});

/** The providers that can be connected here: the sandbox in a demo only. */
function offeredTo({ site: { core }, workspace: { tenantId } }: WorkspaceVisit): Provider[] {
  const hasSandbox = (core.payments?.({ tenantId, provider: "sandbox", keys: null, apiBase: null }) ?? null) !== null;
  return hasSandbox ? ["stripe", "sandbox"] : ["stripe"];
}

type Provider = keyof typeof CONNECT_FORMS;

/** What has to be set up at Stripe; needed before it is connected, for the secret comes from there. */
function webhookEndpoint(visit: WorkspaceVisit, isConnected: boolean): Html {
  const address = `${visit.site.publicOrigin}/webhooks/stripe/${visit.workspace.tenantId}`;
  return disclosure(
    "Webhook endpoint to make in Stripe",
    !isConnected,
    html`<p class="address">Address: ${copyable("the address of the webhook", address)}</p>
<p>Events: <span class="id">${STRIPE_EVENT_TYPES.join(", ")}</span></p>`,
  );
}

function integrationTable(visit: WorkspaceVisit, integrations: readonly OperatorIntegration[]): Html {
  const { tenantId, timezone } = visit.workspace;
  const { connected = [], disconnected = [] } = Object.groupBy(integrations, ({ status }) => status);
  const disconnect = ({ id, provider, status }: OperatorIntegration): Html | false => {
    const about = html` class="danger" aria-describedby="integration-${id}"`;
    return status === "connected" && link(`/integrations/${tenantId}/${provider}/disconnect`, "Disconnect", about);
  };
  return html`${muted(`Times are in ${timezone}.`)}
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
    { head: "Since", cell: ({ created_at: created }) => visit.time(created) },
    { head: "Disconnect", kind: "acts", cell: disconnect },
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

function connectForm(provider: Provider, visit: WorkspaceVisit): Html {
  const { tenantId, name } = visit.workspace;
  const called = `Connect ${PROVIDER_NAMES[provider]}`;
  return CONNECT_FORMS[provider].view(visit, {
    path: `/integrations/${tenantId}/${provider}`,
    key: `${provider}-${tenantId}`,
    button: called,
    label: `${called} to ${name}`,
    look: "card",
    head: html`<h3>${called}</h3>
${provider === "sandbox" && muted("Pay pages of this service. No money moves.")}`,
  });
}

/** Asks an admin to confirm that a provider is to be disconnected. */
function disconnectView(visit: WorkspaceVisit, provider: Provider): Confirmation {
  const { name } = visit.workspace;
  return {
    question: `Disconnect ${PROVIDER_NAMES[provider]} from ${name}?`,
    consequences: [
      "No new payment link is made with it. Currencies that only it charges cannot be collected.",
      "Links that customers have can still be paid, and such payments are recorded.",
      provider === "stripe" && "Its secret key is forgotten. To connect it again, both secrets have to be given again.",
    ],
    button: "Disconnect",
    stay: "Keep it connected",
  };
}

const codesIn = (typed: string): string[] => typed.match(/[^\s,;]+/g) ?? [];

const CURRENCIES: FieldWords = {
  label: "Currencies",
  hint: "ISO 4217 codes of what it may charge, such as USD, EUR.",
  attributes: html`maxlength="1000" autocomplete="off"`,
  read: (typed) => codesIn(typed.toUpperCase()),
  say(message, typed, index) {
    const codes = codesIn(typed);
    if (codes.length === 0) return "Give at least one currency.";
    const code = codes[index];
    if (code === undefined) return message;
    return minorDigits(code.toUpperCase()) === undefined
      ? `${code} is no currency of ISO 4217: give a code such as USD.`
      : `${code} ${message}`;
  },
};

/** A key of Stripe, which begins with one of `prefixes`. */
function key(label: string, prefixes: readonly string[], hint: string): FieldWords {
  const begins = `Starts with ${prefixes.join(" or ")}`;
  return {
    label,
    hint: `${begins}${hint}`,
    type: "secret",
    attributes: html`autocomplete="off" pattern="(${prefixes.join("|")}).+" title="${begins}"`,
    say: (message, typed) => (typed.trim() === "" ? `Give the ${label.toLowerCase()}.` : message),
  };
}

const NOT_CONNECTED = "The provider was not connected.";

/** The forms that connect a provider. */
const CONNECT_FORMS = {
  stripe: new Form(
    connectIntegration,
    {
      "keys.secretKey": key("Secret key", ["sk_", "rk_"], ". It is kept encrypted and never shown again."),
      "keys.webhookSecret": key("Webhook secret", ["whsec_"], ": Stripe shows it with the webhook endpoint."),
      currencies: CURRENCIES,
    },
    NOT_CONNECTED,
  ),
  sandbox: new Form(connectIntegration, { currencies: CURRENCIES }, NOT_CONNECTED),
};
