import type { Request, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import { type AuditQuery, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/gate/error.ts";
import { administeredWorkspaces, forAdminsOnly } from "../kit/admin-page.ts";
import { SignedInRoutes } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { auditView } from "./audit-view.ts";

const TITLE = "Audit trail";

/** `/audit` (completions §1): who did what in a workspace, for its admins. */
export function auditPages(site: Site): Router {
  const routes = new SignedInRoutes(site, null);
  routes.get("/audit", async (visit) => {
    const workspaces = await administeredWorkspaces(site, visit.session);
    if (workspaces.length === 0)
      return forAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    const asked = (name: string) => parameter(visit.request, name);
    const workspace = chosen(workspaces, asked("workspace"));
    const query = {
      personId: asked("person"),
      connectionId: asked("connection"),
      operation: asked("operation"),
      cursor: asked("cursor"),
    };
    const { trail, isLost } = await read(site, workspace.tenantId, query);
    const shown = isLost ? { ...query, cursor: null } : query;
    const body = auditView({ trail, workspace, workspaces, query: shown, isLost });
    visit.show({ title: TITLE, body }, isLost ? 400 : 200);
  });
  return routes.router;
}

/** The page asked for; the newest one where the cursor is altered or belongs to other filters. */
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

/** A parameter of the query; null where it is empty, missing or given twice. */
function parameter({ query }: Pick<Request, "query">, name: string): string | null {
  const value = query[name];
  return typeof value === "string" && value !== "" ? value : null;
}
