import type { Request, Router } from "express";
import type { Membership } from "../../../auth/connections.ts";
import { type AuditQuery, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { administeredWorkspaces, forAdminsOnly } from "../kit/admin-page.ts";
import { SignedInRoutes, type Visit } from "../kit/signed-in.ts";
import type { Site } from "../kit/site.ts";
import { parameter } from "../kit/workspace-pages.ts";
import { sendCsv } from "../lists/download.ts";
import { auditView } from "./audit-view.ts";
import { AUDIT_COLUMNS, auditRow, CALLERS } from "./entry-words.ts";

const TITLE = "Audit trail";
const PATH = "/audit";

/** `/audit` (completions §1): who did what in a workspace, for its admins; and `/audit.csv`, the same as a file. */
export function auditPages(site: Site): Router {
  const routes = new SignedInRoutes(site, null);

  async function enter(
    visit: Visit,
    show: (workspace: Membership, workspaces: readonly Membership[]) => Promise<void>,
  ): Promise<void> {
    const workspaces = await administeredWorkspaces(site, visit.session);
    if (workspaces.length === 0)
      return forAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    await show(chosen(workspaces, parameter(visit.request, "workspace")), workspaces);
  }

  routes.get(PATH, (visit) =>
    enter(visit, async (workspace, workspaces) => {
      const query = queryOf(visit.request);
      const { trail, isLost } = await read(visit, workspace, query);
      const shown = isLost ? { ...query, cursor: null } : query;
      const body = auditView({ trail, workspace, workspaces, query: shown, isLost });
      visit.show({ title: TITLE, body }, isLost ? 400 : 200);
    }),
  );

  routes.get(`${PATH}.csv`, (visit) =>
    enter(visit, (workspace) => {
      const query = queryOf(visit.request);
      return sendCsv(
        { visit, workspace },
        {
          name: "audit-trail",
          columns: AUDIT_COLUMNS.map((name) => ({ name, path: [name] })),
          async read(cursor) {
            const counted = cursor === null;
            const trail = await visit.act(workspace, readAuditTrail, { ...query, cursor, counted });
            return { rows: trail.entries.map(auditRow), next: trail.older, total: trail.total ?? undefined };
          },
        },
      );
    }),
  );
  return routes.router;
}

function queryOf(request: Request<Readonly<Record<string, string>>>): AuditQuery {
  const asked = (name: string) => parameter(request, name);
  return {
    personId: asked("person"),
    email: null,
    connectionId: asked("connection"),
    operation: asked("operation"),
    invoiceId: asked("invoice"),
    objectId: asked("object"),
    kind: CALLERS.find((kind) => kind === asked("through")) ?? null,
    from: asked("from"),
    to: asked("to"),
    cursor: asked("cursor"),
  };
}

/** The page asked for; the newest one where the cursor is altered or belongs to other filters. */
async function read(visit: Visit, workspace: Membership, query: AuditQuery) {
  try {
    return { trail: await visit.act(workspace, readAuditTrail, query), isLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_cursor") throw error;
    return { trail: await visit.act(workspace, readAuditTrail, { ...query, cursor: null }), isLost: true };
  }
}

function chosen(workspaces: readonly Membership[], tenantId: string | null): Membership {
  const found = tenantId === null ? workspaces[0] : workspaces.find((workspace) => workspace.tenantId === tenantId);
  if (found === undefined) throw notFound("workspace");
  return found;
}
