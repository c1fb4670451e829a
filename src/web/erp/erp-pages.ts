import { type Request, type Response, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { erpConnectionStates, erpRemains } from "../../core/erp-connections/connection-states.ts";
import { connectErp } from "../../core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../core/erp-connections/operations/disconnect-erp.ts";
import { reconnectErp } from "../../core/erp-connections/operations/reconnect-erp.ts";
import { setErp } from "../../core/erp-connections/operations/set-erp.ts";
import { startErpSync } from "../../core/erp-connections/operations/start-erp-sync.ts";
import { listErp } from "../../core/erp-connections/operator-connection.ts";
import { notFound } from "../../core/gate/error.ts";

import { administeredBy, administeredWorkspaces, adminsOnly } from "../kit/administered.ts";
import { type Html, html } from "../kit/html.ts";
import { renderPage } from "../kit/layout.ts";
import { idIn, newsOf } from "../kit/news.ts";
import type { Site } from "../kit/site.ts";
import { type ErpFormProblem, erpFormProblemOf, readAccess, readCheck, readPulled, readSettings } from "./erp-form.ts";
import { disconnectErpView, erpSection } from "./erp-view.ts";

/** What happened, by the name under which the address tells of it. */
const SAID = {
  connected: "Connected: the ERP let the service in.",
  reconnected: "Reconnected: the ERP let the service in.",
  kept: "Saved. The ERP was not asked: the next sync will verify address, user and password.",
  saved: "The settings were saved. What is imported follows at the next sync; how receipts are pushed, from now on.",
  on: "Sync is switched on.",
  off: "Sync is switched off. If a pull was under way, it was ended.",
  started: "A pull has been started. Load this page again to see how it goes.",
  disconnected: "The ERP was disconnected, and its password forgotten.",
};

const TITLE = "ERP connections";
const SIGN_IN = "/signin?next=%2Ferp-connections";

/** A form of a workspace that was not accepted. */
interface Refused extends ErpFormProblem {
  tenantId: string;
}

/** Who sends a form, and for which of the workspaces they administer. */
interface Sender {
  response: Response;
  workspace: Membership;
}

/** `/erp-connections`: what a person does about an ERP in the application (service.md §1). */
export function erpPages(site: Site): Router {
  const { core } = site;
  const router = Router();
  const fieldsFor =
    (request: Request, response: Response, session: WebSession) =>
    (action: string): Html =>
      site.formField(request, response, action, session);

  async function show(request: Request, response: Response, session: WebSession, refused: Refused | null) {
    const workspaces = await administeredWorkspaces(site, session);
    if (workspaces.length === 0)
      return void response
        .status(403)
        .send(adminsOnly(session, TITLE, "Only an admin of a workspace manages its ERP connections"));
    const sections = [];
    for (const workspace of workspaces)
      sections.push(
        erpSection({
          workspace,
          states: await erpConnectionStates(core, workspace.tenantId),
          now: core.clock.now(),
          formField: fieldsFor(request, response, session),
          refused: refused?.tenantId === workspace.tenantId ? refused : null,
        }),
      );
    const body = html`<h1>ERP connections</h1>
<p class="quiet">Where a workspace's invoices come from, and its receipts go. Figures are only as fresh as the last pull that succeeded.</p>
${newsOf(SAID, request.query)}${sections}`;
    response.status(refused?.status ?? 200).send(renderPage({ title: TITLE, person: session, body }));
  }

  /** Does what a form asks and leads back, or shows the form again with what was wrong. */
  function act(
    path: string,
    form: ErpFormProblem["form"],
    done: string | ((request: Request) => string),
    work: (request: Request, sender: Sender, connectionId: string) => Promise<unknown>,
  ): void {
    router.post(path, async (request: Request<{ tenantId: string; connectionId?: string }>, response: Response) => {
      const session = await site.person(request);
      if (session === null) return response.redirect(303, SIGN_IN);
      site.checkForm(request, request.path, session);
      const workspace = await administeredBy(site, session, request.params.tenantId);
      const connectionId =
        request.params.connectionId === undefined ? null : idIn(request.params.connectionId, "ERP connection");
      try {
        await work(request, { response, workspace }, connectionId ?? "");
      } catch (error) {
        const refusal = erpFormProblemOf(error, request, { connectionId, form });
        return show(request, response, session, { ...refusal, tenantId: workspace.tenantId });
      }
      response.redirect(303, `/erp-connections?${typeof done === "string" ? done : done(request)}`);
    });
  }

  router.get("/erp-connections", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    await show(request, response, session, null);
  });

  router.get("/erp-connections/:tenantId/:connectionId/disconnect", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, SIGN_IN);
    const workspace = await administeredBy(site, session, request.params.tenantId);
    const connections = await listErp(core, workspace.tenantId);
    const found = connections.find(({ id, status }) => id === request.params.connectionId && status !== "disconnected");
    if (found === undefined) throw notFound("ERP connection");
    const remains = await erpRemains(core, workspace.tenantId, found.id);
    const body = disconnectErpView(workspace, { connection: found, remains }, fieldsFor(request, response, session));
    response.send(renderPage({ title: "Disconnect", person: session, narrow: true, body }));
  });

  const checked = (done: string) => (request: Request) => (readCheck(request) === "no" ? "kept" : done);
  act("/erp-connections/:tenantId", "connect", checked("connected"), (request, { response, workspace }) => {
    const given = { provider: "oracle_fusion" as const, ...readAccess(request), ...readPulled(request) };
    return site.act(response, workspace, connectErp, { ...given, check: readCheck(request) });
  });
  const one = "/erp-connections/:tenantId/:connectionId";
  act(`${one}/reconnect`, "reconnect", checked("reconnected"), (request, { response, workspace }, connectionId) => {
    const given = { connectionId, ...readAccess(request), check: readCheck(request) };
    return site.act(response, workspace, reconnectErp, given);
  });
  act(`${one}/settings`, "settings", "saved", (request, { response, workspace }, connectionId) =>
    site.act(response, workspace, setErp, { connectionId, ...readSettings(request) }),
  );
  act(`${one}/on`, "other", "on", (_request, { response, workspace }, connectionId) =>
    site.act(response, workspace, setErp, { connectionId, sync: true }),
  );
  act(`${one}/off`, "other", "off", (_request, { response, workspace }, connectionId) =>
    site.act(response, workspace, setErp, { connectionId, sync: false }),
  );
  act(`${one}/sync`, "other", "started", (_request, { response, workspace }, connectionId) =>
    site.act(response, workspace, startErpSync, { connection_id: connectionId }),
  );
  act(`${one}/disconnect`, "other", "disconnected", (_request, { response, workspace }, connectionId) =>
    site.act(response, workspace, disconnectErp, { connectionId }),
  );
  return router;
}
