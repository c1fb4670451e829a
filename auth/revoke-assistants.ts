import { z } from "zod";
import { operation } from "../src/core/gate/operation.ts";
import { notFound } from "../src/core/kernel/error.ts";
import { Uuid } from "../src/core/kernel/wire-types.ts";
import type { Transaction } from "../src/store/store.ts";
import { selectConnections } from "./connection-queries.ts";
import { CONNECTION_REVOKED, endConnections } from "./connections.ts";
import { Email, findMember, noSuchMember } from "./members/member.ts";

const Which = z
  .strictObject({
    connection: Uuid.optional().describe("one connection, from assistant list"),
    email: Email.optional().describe("all connections of this member"),
    all: z.boolean().default(false).describe("all connections of the workspace"),
  })
  .refine((which) => Object.values(which).filter(Boolean).length === 1, {
    error: "must name one connection, the email of one member, or all",
  });

/** The live connections meant, of the actor's workspace only. Throws `not_found`. */
async function liveAmong(tx: Transaction, tenantId: string, { connection, email }: z.output<typeof Which>) {
  const member = email === undefined ? null : await findMember(tx, tenantId, { email });
  if (email !== undefined && member === undefined) throw noSuchMember({ email });
  const all = await selectConnections(tx, tenantId, member?.id ?? null);
  const meant = connection === undefined ? all : all.filter(({ id }) => id === connection);
  if (connection !== undefined && meant.length === 0)
    throw notFound("connection", `with the id ${connection}: assistant list shows all`);
  return meant.filter(({ revokedAt }) => revokedAt === null).map(({ id }) => id);
}

/** Ends one assistant connection, all of a person or all of a workspace, at once: also what they are at. Throws `not_found`. */
export const revokeAssistants = operation({
  id: "revokeAssistants",
  summary: "End one assistant connection, or all of a person or the workspace, and stop what they are at",
  callers: ["operator"],
  permission: "admin",
  scope: null,
  sideEffects: "Stops what the assistants are at. They can be approved again.",
  input: Which,
  output: z.strictObject({ revoked: z.int() }),
  allTenants: true,
  async stops({ tx, actor }, which) {
    return (await liveAmong(tx, actor.tenantId, which)).map((payload) => ({ topic: CONNECTION_REVOKED, payload }));
  },
  async run(context, which) {
    const { tx, actor, audit } = context;
    const ids = await liveAmong(tx, actor.tenantId, which);
    await endConnections(context, actor, ids);
    audit(ids.length === 0 ? null : { type: "workspace", id: actor.tenantId });
    return { revoked: ids.length };
  },
});
