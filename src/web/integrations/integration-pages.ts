import { type Request, type Response, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import type { Core } from "../../core/gate/core.ts";
import { notFound } from "../../core/gate/error.ts";
import { IntegrationInput } from "../../core/payment-integrations/integration-input.ts";
import { connectIntegration } from "../../core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../core/payment-integrations/operator-integration.ts";
import { administeredBy, administeredWorkspaces, adminsOnly } from "../kit/administered.ts";
import { html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import type { Site } from "../kit/site.ts";
import {
  type ConnectForm,
  type FormProblem,
  formProblemOf,
  missing,
  type Provider,
  readConnectForm,
} from "./integration-form.ts";
import { disconnectView, type FormField, integrationSection, noticeView } from "./integration-view.ts";

const TITLE = "Integrations";
const SIGN_IN = "/signin?next=%2Fintegrations";

/** A form that was not accepted, and whose it is. */
interface Refused {
  tenantId: string;
  form: ConnectForm;
  refusal: FormProblem;
}

/** `/integrations`: an admin connects payment providers and disconnects them. */
export function integrationPages(site: Site): Router {
  const router = Router();
  const fieldsFor =
    (request: Request, response: Response, session: WebSession): FormField =>
    (action) =>
      site.formField(request, response, action, session);

  async function show(
    request: Request,
    response: Response,
    session: WebSession,
    refused: Refused | null,
  ): Promise<void> {
    const workspaces = await administeredWorkspaces(site, session);
    if (workspaces.length === 0)
      return void response
        .status(403)
        .send(adminsOnly(session, TITLE, "Only an admin of a workspace manages its integrations"));
    const sections = [];
    for (const workspace of workspaces) {
      const integrations = await listIntegrations(site.core, workspace.tenantId);
      sections.push(
        integrationSection({
          workspace,
          integrations,
          offered: offeredBy(site.core, workspace),
          publicOrigin: site.publicOrigin,
          formField: fieldsFor(request, response, session),
          refused: refused?.tenantId === workspace.tenantId ? refused : null,
        }),
      );
    }
    const body = html`<h1>Integrations</h1>
<p class="quiet">Customers pay through a payment provider. Without one that charges an invoice's currency, no payment link can be made for it.</p>
${noticeView(request.query)}${sections}`;
    response.status(refused?.refusal.status ?? 200).send(renderPage({ title: TITLE, person: session, body }));
  }

  router.get("/integrations", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    await show(request, response, session, null);
  });

  router.post("/integrations/:tenantId/:provider", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, request.path, session);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const provider = providerOf(request.params.provider);
    if (!offeredBy(site.core, workspace).includes(provider)) throw notFound("payment provider");
    const form = readConnectForm(request, provider);
    const lacking = missing(form);
    const done = lacking === null ? await connect(site, response, workspace, form) : { refusal: lacking };
    if ("refusal" in done)
      return await show(request, response, session, { tenantId: workspace.tenantId, form, refusal: done.refusal });
    response.redirect(303, `/integrations?connected=${provider}&mode=${done.livemode ? "live" : "test"}`);
  });

  router.get("/integrations/:tenantId/:provider/disconnect", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const provider = providerOf(request.params.provider);
    const integrations = await listIntegrations(site.core, workspace.tenantId);
    if (!integrations.some((one) => one.provider === provider && one.status === "connected"))
      throw notFound("connected payment integration");
    const body = disconnectView({ workspace, provider, formField: fieldsFor(request, response, session) });
    response.send(renderPage({ title: "Disconnect", person: session, narrow: true, body }));
  });

  router.post("/integrations/:tenantId/:provider/disconnect", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    site.checkForm(request, request.path, session);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const provider = providerOf(request.params.provider);
    await site.act(response, workspace, disconnectIntegration, { provider });
    response.redirect(303, `/integrations?disconnected=${provider}`);
  });

  return router;
}

async function connect(
  site: Site,
  response: Response,
  workspace: Membership,
  form: ConnectForm,
): Promise<{ livemode: boolean } | { refusal: FormProblem }> {
  const { provider, codes, keys, confirmed } = form;
  const input = { provider, currencies: codes, ...(keys === null ? {} : { keys }), confirmed };
  try {
    const { livemode } = await site.act(response, workspace, connectIntegration, input);
    return { livemode };
  } catch (error) {
    return { refusal: formProblemOf(error, form) };
  }
}

/** The providers that can be connected here: the sandbox is none but in a demo. */
function offeredBy({ payments }: Core, { tenantId }: Membership): Provider[] {
  const hasSandbox = (payments?.({ tenantId, provider: "sandbox", keys: null, apiBase: null }) ?? null) !== null;
  return hasSandbox ? ["stripe", "sandbox"] : ["stripe"];
}

function providerOf(text: string | undefined): Provider {
  const provider = IntegrationInput.provider.safeParse(text).data;
  if (provider === undefined) throw notFound("payment provider");
  return provider;
}
