import { z } from "zod";
import { notFound } from "../src/core/gate/error.ts";
import { operation } from "../src/core/gate/operation.ts";
import { Uuid } from "../src/core/shared/wire-types.ts";
import type { Transaction } from "../src/store/store.ts";
import { selectConnections, selectLive } from "./connection-queries.ts";
import { CONNECTION_REVOKED, endConnections } from "./connections.ts";
import { Email, findMember, noSuchMember } from "./members/member.ts";

const Which = z
  .strictObject({ connection: Uuid.optional(), email: Email.optional(), all: z.boolean().optional() })
  .refine(({ all, ...which }) => Object.values({ ...which, all: all || undefined }).filter(Boolean).length === 1, {
    error: "must name one connection, the email of one member, or all",
  });

/** The live connections meant, of the actor's workspace only. Throws `not_found`. */
async function liveAmong(tx: Transaction, tenantId: string, { connection, email }: z.output<typeof Which>) {
  if (email !== undefined) {
    const member = await findMember(tx, tenantId, { email });
    if (member === undefined) throw noSuchMember({ email });
    return selectLive(tx, { tenantId, memberId: member.id });
  }
  const live = await selectLive(tx, { tenantId });
  if (connection === undefined) return live;
  const known = await selectConnections(tx, tenantId, null);
  if (!known.some(({ id }) => id === connection))
    throw notFound("connection", `with the id ${connection}: assistant list shows all`);
  return live.filter(({ connection_id: id }) => id === connection);
}

/** Ends one assistant connection, all of a person or all of a workspace, at once: also what they are at. Throws `not_found`. */
export const revokeAssistants = operation({
  id: "revokeAssistants",
  summary: "Revoke assistants",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Stops what the assistants are at. They can be approved again.",
  input: Which,
  output: z.strictObject({ revoked: z.int() }),
  allTenants: true,
  async stops({ tx, actor }, which) {
    const live = await liveAmong(tx, actor.tenantId, which);
    return live.map(({ connection_id: payload }) => ({ topic: CONNECTION_REVOKED, payload }));
  },
  async run(context, which) {
    const { tx, actor, audit } = context;
    const live = await liveAmong(tx, actor.tenantId, which);
    const ids = live.map((connection) => connection.connection_id);
    await endConnections(context, actor, ids);
    audit(live.length === 0 ? null : { type: "workspace", id: actor.tenantId });
    return { revoked: live.length };
  },
});
