import type { Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { Core } from "../../core/gate/dependencies.ts";
import { notFound } from "../../core/kernel/error.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { AdminPage } from "../kit/admin-page.ts";
import type { Site } from "../kit/site.ts";
import { CONNECT_FORMS } from "./integration-form.ts";
import { disconnectView, integrationSection, type Provider } from "./integration-view.ts";

const INTRO =
  "Customers pay through a payment provider. Without one that charges an invoice's currency, no payment link can be made for it.";

/** The notice after a form, by the name in the query. */
const NOTICES = {
  test: "Stripe was connected with a test key: no money moves, and live payments are not seen. Connect a live key to collect money.",
  connected: "The provider was connected. What it charges can be collected now.",
  disconnected: "The provider was disconnected. No new payment link is made with it.",
};

/** `/integrations`: an admin connects payment providers and disconnects them. */
export function integrationPages(site: Site): Router {
  const { core } = site;
  const page = new AdminPage(site, {
    path: "/integrations",
    title: "Integrations",
    adminsOnly: "Only an admin of a workspace manages its integrations",
    hasCopies: true,
    intro: INTRO,
    notices: NOTICES,
    section: async (workspace, visit) =>
      integrationSection({
        workspace,
        integrations: await visit.act(workspace, listIntegrations, {}),
        offered: offeredBy(core, workspace),
        visit,
      }),
  });

  page.form("/:provider", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    if (!offeredBy(core, workspace).includes(provider)) throw notFound("payment provider");
    const more = { provider, confirmed: visit.field("confirmed") };
    const { livemode } = await CONNECT_FORMS[provider].send({ visit, workspace }, more);
    return provider === "stripe" && !livemode ? "test" : "connected";
  });

  page.page("/:provider/disconnect", "Disconnect", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    const integrations = await visit.act(workspace, listIntegrations, {});
    if (!integrations.some((one) => one.provider === provider && one.status === "connected"))
      throw notFound("connected payment integration");
    return disconnectView(workspace, provider, visit);
  });

  page.form("/:provider/disconnect", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    await visit.act(workspace, disconnectIntegration, { provider });
    return "disconnected";
  });

  return page.router;
}

/** The providers that can be connected here: the sandbox in a demo only. */
function offeredBy({ payments }: Core, { tenantId }: Membership): Provider[] {
  const hasSandbox = (payments?.({ tenantId, provider: "sandbox", keys: null, apiBase: null }) ?? null) !== null;
  return hasSandbox ? ["stripe", "sandbox"] : ["stripe"];
}

function providerOf(text: string | undefined): Provider {
  const provider = IntegrationInput.provider.safeParse(text).data;
  if (provider === undefined) throw notFound("payment provider");
  return provider;
}
