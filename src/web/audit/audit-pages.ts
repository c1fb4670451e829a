import type { Membership } from "../../../auth/connections.ts";
import { type AuditQuery, readAuditTrail } from "../../core/audit-trail/read-audit-trail.ts";
import { notFound, ServiceError } from "../../core/kernel/error.ts";
import { WORKSPACE } from "../kit/address.ts";
import { administeredBy, people, showAdminsOnly } from "../kit/doors.ts";
import type { PageRoutes } from "../kit/routes.ts";
import { type Visit, WorkspaceVisit } from "../kit/visit.ts";
import { sendCsv } from "../lists/download.ts";
import { auditView } from "./audit-view.ts";
import { AUDIT_COLUMNS, auditRow, CALLERS } from "./entry-words.ts";

const PATH = "/audit";
const TITLE = "Audit trail";

/** `/audit` (completions §1): who did what in a workspace, for its admins; and `/audit.csv`, the same as a file. */
export const AUDIT_PAGES: PageRoutes = {
  listing: {
    ...{ path: PATH, name: TITLE },
    settings: {
      ...{ group: "People", words: "Who changed what, and through which assistant or key.", forAdmins: true },
    },
  },
  routes: [people.get(PATH, entering(show)), people.get(`${PATH}.csv`, entering(sendFile))],
};

type Enter = (visit: WorkspaceVisit, workspaces: readonly Membership[]) => Promise<void>;

/** Enters the workspace in the address, else the first of those that the person administers. */
function entering(enter: Enter) {
  return async (visit: Visit): Promise<void> => {
    const workspaces = await administeredBy(visit);
    if (workspaces.length === 0)
      return showAdminsOnly(visit, TITLE, "Only an admin of a workspace sees its audit trail");
    const asked = visit.parameter(WORKSPACE);
    const workspace = workspaces.find(({ tenantId }) => asked === null || tenantId === asked);
    if (workspace === undefined) throw notFound("workspace");
    await enter(new WorkspaceVisit(visit, workspace), workspaces);
  };
}

async function show(visit: WorkspaceVisit, workspaces: readonly Membership[]): Promise<void> {
  const { workspace } = visit;
  const query = queryOf(visit);
  const { trail, isLost } = await read(visit, query);
  const shown = isLost ? { ...query, cursor: null } : query;
  const body = auditView({ trail, workspace, workspaces, query: shown, isLost });
  visit.show({ title: TITLE, body }, isLost ? 400 : 200);
}

async function sendFile(visit: WorkspaceVisit): Promise<void> {
  const query = queryOf(visit);
  await sendCsv(visit, {
    name: "audit-trail",
    columns: AUDIT_COLUMNS.map((name) => ({ name, path: [name] })),
    async read(cursor) {
      const trail = await visit.call(readAuditTrail, { ...query, cursor, counted: cursor === null });
      return { rows: trail.entries.map(auditRow), next: trail.older, total: trail.total ?? undefined };
    },
  });
}

function queryOf(visit: Visit): AuditQuery {
  const asked = (name: string) => visit.parameter(name);
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
async function read(visit: WorkspaceVisit, query: AuditQuery) {
  try {
    return { trail: await visit.call(readAuditTrail, query), isLost: false };
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "invalid_cursor") throw error;
    return { trail: await visit.call(readAuditTrail, { ...query, cursor: null }), isLost: true };
  }
}
