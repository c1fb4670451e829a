import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import { notFound } from "../../core/kernel/error.ts";
import { WORKSPACE, withQuery } from "./address.ts";
import { checkClosed } from "./closed.ts";
import { cookie } from "./cookies.ts";
import { TO_START } from "./parts.ts";
import { Door } from "./routes.ts";
import type { PageRequest } from "./site.ts";
import { type OpenVisit, Visit, WorkspaceVisit } from "./visit.ts";

/** Who is signed in; others are sent to sign in, where they sent no form, whose {@link Door} does it. */
async function signedIn(asked: PageRequest) {
  const { site, request, response } = asked;
  const session = await site.person(request);
  if (session !== null) return new Visit({ ...asked, session });
  if (request.method !== "POST") response.redirect(303, withQuery("/signin", { next: request.originalUrl }));
  return null;
}

/** How long a browser remembers the workspace that was looked at last. */
const REMEMBERED_SECONDS = 90 * 86_400;

/**
 * Enters the workspace in the address, else the one looked at last, else the first by name. Null for members of none,
 * who are told so.
 */
export async function enterWorkspace(visit: Visit) {
  const { site, session, request, response } = visit;
  const workspaces = await membershipsOf(site.core, session);
  const asked = visit.parameter(WORKSPACE);
  const last = cookie("workspace", site.publicOrigin);
  const find = (tenantId: string | undefined) => workspaces.find((one) => one.tenantId === tenantId);
  const workspace = asked === null ? (find(last.read(request)) ?? workspaces[0]) : find(asked);
  if (workspace !== undefined) {
    site.entered(request, workspace);
    if (asked !== null && request.method === "GET") last.set(response, asked, REMEMBERED_SECONDS);
    return new WorkspaceVisit(visit, workspace, workspaces);
  }
  await checkClosed(visit, asked);
  if (asked !== null) throw notFound("workspace");
  visit.showNarrow("No workspace", "No workspace yet", [NO_WORKSPACE]);
  return null;
}

const NO_WORKSPACE =
  "You are not a member of any workspace. Ask an admin of yours to invite you: the invitation comes by mail.";

/** Shows a person who is not an admin why they cannot see an admin's page: `what` begins the sentence. */
export function showAdminsOnly(visit: Visit, title: string, what: string) {
  const parts = [`${what}, and you are not one. Ask an admin of the workspace.`, TO_START];
  visit.showNarrow(title, "For admins only", parts, 403);
}

function openDoor(
  name: "nobody" | "anybody",
  { leadsAway = false, isPaced = name === "nobody" } = {},
): Door<OpenVisit> {
  return new Door<OpenVisit>({
    ...{ name, leadsAway, isPaced },
    async enter(asked) {
      const session = name === "nobody" ? null : await asked.site.person(asked.request);
      return new Visit({ ...asked, session, leadsAway });
    },
  });
}

/** Nobody is looked up: forms name no session. */
export const nobody = openDoor("nobody");
export const anybody = openDoor("anybody");
/** Nobody, too: who has a link's token, which is looked up. */
export const tokenHolder = openDoor("nobody", { isPaced: false });
/** The same on pages of an OAuth request. */
export const nobodyAway = openDoor("nobody", { leadsAway: true });
export const anybodyAway = openDoor("anybody", { leadsAway: true });

/** Those who are signed in; everybody else is sent to sign in first, and then comes back. */
export const people = new Door<Visit>({ name: "people", enter: signedIn });

function memberDoor(name: string, refuse: (visit: WorkspaceVisit) => boolean): Door<WorkspaceVisit> {
  return new Door<WorkspaceVisit>({
    name,
    async enter(asked) {
      const visit = await signedIn(asked);
      const found = visit && (await enterWorkspace(visit));
      return found === null || refuse(found) ? null : found;
    },
    check(visit) {
      if (visit.parameter(WORKSPACE) === null) throw notFound("workspace");
    },
  });
}

/** Members of a workspace. A form is about the one that its address names. */
export const members = memberDoor("members", () => false);

/** Admins of the workspace; a member is told `what` only admins do. */
export const adminsWho = (what: string, title = "For admins only"): Door<WorkspaceVisit> =>
  memberDoor("admins", (visit) => {
    if (!visit.isAdmin) showAdminsOnly(visit, title, what);
    return !visit.isAdmin;
  });

/** Admins of the workspace whose id is in the path. */
export const adminsHere = new Door<WorkspaceVisit>({
  name: "adminsHere",
  async enter(asked) {
    const visit = await signedIn(asked);
    if (visit === null) return null;
    const here = visit.request.params.tenantId ?? "";
    const workspace = (await administeredBy(visit, here)).find(({ tenantId }) => tenantId === here);
    if (workspace === undefined) throw notFound("workspace");
    visit.site.entered(visit.request, workspace);
    return new WorkspaceVisit(visit, workspace);
  },
});

/** The workspaces a person is an admin of now, by name. Throws as {@link checkClosed} for the one that is asked for. */
export async function administeredBy(visit: Visit, asked: string | null = null) {
  const isAdmin = ({ role }: Membership) => role === "admin";
  const workspaces = (await membershipsOf(visit.site.core, visit.session)).filter(isAdmin);
  if (!workspaces.some(({ tenantId }) => asked === null || tenantId === asked))
    await checkClosed(visit, asked, isAdmin);
  return workspaces;
}

export const admins = adminsWho("Only an admin of the workspace can do that");
