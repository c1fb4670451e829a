import { z } from "zod";
import { MOST_ENDED } from "../../src/core/gate/ended-access.ts";
import { ADMINS_READ, operation, SETTINGS_CHANGE } from "../../src/core/gate/operation.ts";
import { orNotFound } from "../../src/core/kernel/error.ts";
import { Uuid } from "../../src/core/kernel/wire-types.ts";
import { liftBlock, selectBlocked } from "./connection-queries.ts";

/** A revoked connection that still blocks its tokens. */
const BlockedConnection = z.strictObject({
  id: Uuid,
  email: z.string(),
  client_id: z.string(),
  created_at: z.string(),
  revoked_at: z.string().nullable(),
});

/** The blocked connections of a workspace, newest first; the latest {@link MOST_ENDED}. */
export const listBlocked = operation({
  id: "listBlockedAssistants",
  summary: "The connections through an external issuer that were revoked and still stop their tokens",
  ...ADMINS_READ,
  input: z.strictObject({}),
  output: z.array(BlockedConnection),
  run: ({ tx, actor }) => selectBlocked(tx, actor.tenantId).limit(MOST_ENDED).execute(),
});

/**
 * Unblocks the tokens of a revoked connection: their next use creates a new connection, and the revoked one stays
 * revoked. Throws `not_found` and `permission_denied`.
 */
export const allowAssistantAgain = operation({
  id: "allowAssistantAgain",
  summary: "Let the tokens of a revoked connection in again, as a new connection from their next use",
  ...SETTINGS_CHANGE,
  sideEffects: "Tokens that the external issuer goes on issuing are let in from their next use.",
  input: z.strictObject({ id: Uuid.describe("the revoked connection") }),
  output: BlockedConnection,
  allTenants: true,
  async run({ tx, actor, now, audit }, { id }) {
    const { tenantId } = actor;
    const blocked = orNotFound(
      await selectBlocked(tx, tenantId).where("connection.connection_id", "=", id).executeTakeFirst(),
      "revoked connection of an external issuer",
    );
    await liftBlock(tx, { tenantId, connectionId: id, now });
    audit({ type: "assistant_connection", id });
    return blocked;
  },
});
