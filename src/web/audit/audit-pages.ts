import { type Request, type Response, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { type AuditQuery, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { administeredWorkspaces, adminsOnly } from "../kit/administered.ts";
import { renderPage } from "../kit/layout.ts";
import type { Site } from "../kit/site.ts";
import { auditView } from "./audit-view.ts";

const TITLE = "Audit trail";

/** `/audit` (completions §1): who did what in a workspace, for its admins. */
export function auditPages(site: Site): Router {
  const router = Router();

  router.get("/audit", async (request, response) => {
    const session = await site.person(request);
    if (session === null) return response.redirect(303, `/signin?next=${encodeURIComponent(request.originalUrl)}`);
    const workspaces = await administeredWorkspaces(site, session);
    if (workspaces.length === 0)
      return void response
        .status(403)
        .send(adminsOnly(session, TITLE, "Only an admin of a workspace sees its audit trail"));
    await show(request, response, session, workspaces);
  });

  async function show(
    request: Request,
    response: Response,
    session: WebSession,
    workspaces: readonly Membership[],
  ): Promise<void> {
    const workspace = chosen(workspaces, asked(request, "workspace"));
    const query = {
      personId: asked(request, "person"),
      connectionId: asked(request, "connection"),
      operation: asked(request, "operation"),
      cursor: asked(request, "cursor"),
    };
    const { trail, isLost } = await read(site, workspace.tenantId, query);
    const body = auditView({
      trail,
      workspace,
      workspaces,
      query: isLost ? { ...query, cursor: null } : query,
      isLost,
    });
    response.status(isLost ? 400 : 200).send(renderPage({ title: TITLE, person: session, body }));
  }

  return router;
}

/** A link to a page of other filters, or altered, leads to the newest page of these. */
async function read({ core }: Site, tenantId: string, query: AuditQuery) {
  try {
    return { trail: await readAuditTrail(core, tenantId, query), isLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_cursor") throw error;
    return { trail: await readAuditTrail(core, tenantId, { ...query, cursor: null }), isLost: true };
  }
}

function chosen(workspaces: readonly Membership[], tenantId: string | null): Membership {
  const found = tenantId === null ? workspaces[0] : workspaces.find((workspace) => workspace.tenantId === tenantId);
  if (found === undefined) throw notFound("workspace");
  return found;
}

/** A parameter of the address; null where it is empty, missing or given twice. */
function asked(request: Request, name: string): string | null {
  const value = request.query[name];
  return typeof value === "string" && value !== "" ? value : null;
}
