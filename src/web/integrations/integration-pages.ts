import type { Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { Core } from "../../core/gate/dependencies.ts";
import { notFound } from "../../core/kernel/error.ts";
import { parseInput } from "../../core/kernel/validation.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { AdminPage, type RefusedForm } from "../kit/admin-page.ts";
import type { Site } from "../kit/site.ts";
import {
  type ConnectForm,
  type FormProblem,
  faultsOf,
  formProblemOf,
  type Provider,
  readConnectForm,
} from "./integration-form.ts";
import { disconnectView, integrationSection, noticeView } from "./integration-view.ts";

/** A form that was not accepted, and why. */
interface RefusedConnection extends RefusedForm {
  form: ConnectForm;
  problem: FormProblem;
}

const INTRO =
  "Customers pay through a payment provider. Without one that charges an invoice's currency, no payment link can be made for it.";

/** `/integrations`: an admin connects payment providers and disconnects them. */
export function integrationPages(site: Site): Router {
  const { core, publicOrigin } = site;
  const page = new AdminPage<RefusedConnection>(site, {
    path: "/integrations",
    title: "Integrations",
    adminsOnly: "Only an admin of a workspace manages its integrations",
    hasCopies: true,
    intro: INTRO,
    notice: noticeView,
    section: async (workspace, visit, refused) =>
      integrationSection({
        workspace,
        integrations: await visit.act(workspace, listIntegrations, {}),
        offered: offeredBy(core, workspace),
        publicOrigin,
        formField: visit.formField,
        refused,
      }),
  });

  page.form("/:provider", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    if (!offeredBy(core, workspace).includes(provider)) throw notFound("payment provider");
    const form = readConnectForm(visit.request, provider);
    const refuse = (problem: FormProblem): RefusedConnection => {
      return { tenantId: workspace.tenantId, status: problem.status, form, problem };
    };
    const { codes, keys, confirmed } = form;
    const input = {
      provider,
      currencies: codes.map((code) => code.toUpperCase()),
      ...(keys === null ? {} : { keys }),
      confirmed,
    };
    const faults = faultsOf(form, () => parseInput(connectIntegration.input, input));
    if (faults !== null) return refuse(faults);
    try {
      const { livemode } = await visit.act(workspace, connectIntegration, input);
      return `/integrations?connected=${provider}&mode=${livemode ? "live" : "test"}`;
    } catch (error) {
      return refuse(formProblemOf(error, form));
    }
  });

  page.page("/:provider/disconnect", "Disconnect", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    const integrations = await visit.act(workspace, listIntegrations, {});
    if (!integrations.some((one) => one.provider === provider && one.status === "connected"))
      throw notFound("connected payment integration");
    return disconnectView(workspace, provider, visit.formField);
  });

  page.form("/:provider/disconnect", async (visit, workspace) => {
    const provider = providerOf(visit.request.params.provider);
    await visit.act(workspace, disconnectIntegration, { provider });
    return `/integrations?disconnected=${provider}`;
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
