import { type Membership, membershipsOf } from "../../../auth/connections.ts";
import type { WebSession } from "../../../auth/sessions.ts";
import { notFound } from "../../core/gate/error.ts";
import { type Html, html } from "./html.ts";
import { renderPage } from "./layout.ts";
import type { Site } from "./site.ts";

/** The workspaces a person is an admin of now, by name. */
export async function administeredWorkspaces(site: Site, session: WebSession): Promise<Membership[]> {
  const memberships = await membershipsOf(site.core, session);
  return memberships.filter(({ role }) => role === "admin");
}

/** The person's place in a workspace they are an admin of now. Throws `not_found` for any other. */
export async function administeredBy(
  site: Site,
  session: WebSession,
  tenantId: string | undefined,
): Promise<Membership> {
  const found = (await administeredWorkspaces(site, session)).find((membership) => membership.tenantId === tenantId);
  if (found === undefined) throw notFound("workspace");
  return found;
}

/** What a person who is not an admin is shown instead of an admin's page. */
export function adminsOnly(session: WebSession, title: string, what: string): string {
  const body: Html = html`<h1>For admins only</h1>
<p>${what}, and you are not one. Ask an admin of the workspace.</p>
<p><a href="/">To the start page</a></p>`;
  return renderPage({ title, person: session, narrow: true, body });
}
