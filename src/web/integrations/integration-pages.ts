import { notFound } from "../../core/kernel/error.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { sectionsPage } from "../kit/sections-page.ts";
import type { WorkspaceVisit } from "../kit/visit.ts";
import { CONNECT_FORMS } from "./integration-form.ts";
import { disconnectView, integrationSection, type Provider } from "./integration-view.ts";

const INTRO =
  "Customers pay through a payment provider. Without one that charges an invoice's currency, no payment link can be made for it.";

const providerIn = (visit: WorkspaceVisit): Provider => {
  const provider = IntegrationInput.provider.safeParse(visit.request.params.provider).data;
  if (provider === undefined) throw notFound("payment provider");
  return provider;
};

/** `/integrations`: an admin connects payment providers and disconnects them. */
export const INTEGRATIONS = sectionsPage({
  path: "/integrations",
  title: "Integrations",
  settings: { group: "Collecting", words: "The payment providers that customers pay through." },
  adminsOnly: "Only an admin of a workspace manages its integrations",
  hasCopies: true,
  intro: INTRO,
  done: {
    test: "Stripe was connected with a test key: no money moves, and live payments are not seen. Connect a live key to \
collect money.",
    connected: "The provider was connected. What it charges can be collected now.",
    disconnected: "The provider was disconnected. No new payment link is made with it.",
  },
  section: async (visit) =>
    integrationSection({
      visit,
      integrations: await visit.call(listIntegrations, {}),
      offered: offeredTo(visit),
    }),
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
      async send(visit) {
        await visit.call(disconnectIntegration, { provider: providerIn(visit) });
        return "disconnected";
      },
    },
  },
});

/** The providers that can be connected here: the sandbox in a demo only. */
function offeredTo({ site: { core }, workspace: { tenantId } }: WorkspaceVisit): Provider[] {
  const hasSandbox = (core.payments?.({ tenantId, provider: "sandbox", keys: null, apiBase: null }) ?? null) !== null;
  return hasSandbox ? ["stripe", "sandbox"] : ["stripe"];
}
