import type { Role } from "../../src/core/gate/actor.ts";
import { type ApprovalOptions, type Approved, signInAndApprove } from "./oauth-client.ts";
import { PASSWORD, type People } from "./people.ts";

/** Somebody in a workspace of their own, with an assistant they have connected. */
export interface ConnectedPerson extends Approved {
  email: string;
  memberId: string;
  workspace: { id: string; name: string };
  /** The id of the connection, as the access token names it. */
  connectionId: string;
}

/** Makes one. */
export async function connectPerson(
  app: People & { origin: string },
  { role = "admin", ...options }: { role?: Role } & Partial<ApprovalOptions> = {},
): Promise<ConnectedPerson> {
  const workspace = await app.addWorkspace();
  const person = await app.addPerson(workspace.id, { role });
  const approved = await signInAndApprove(app.origin, { email: person.email, password: PASSWORD, ...options });
  const [, payload = ""] = approved.accessToken.split(".");
  const claims: { connection_id: string } = JSON.parse(Buffer.from(payload, "base64url").toString());
  return { ...approved, ...person, workspace, connectionId: claims.connection_id };
}
