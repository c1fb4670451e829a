import { z } from "zod";
import { lockItem, updateItem } from "../../attention-items/attention-queries.ts";
import { OPEN_AGAIN } from "../../gate/audit.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Instant, Uuid } from "../../kernel/wire-types.ts";

/**
 * Resolves an item, or opens one again that was resolved by mistake; a second call changes nothing and writes no audit entry. The
 * item opens again by itself when more happens, such as a larger refund. Throws `not_found`.
 */
export const resolveAttention = operation({
  id: "resolveAttentionItem",
  summary: "Say that an item is dealt with; it opens again when more of it happens",
  ...SETTINGS_CHANGE,
  sideEffects: "None: the item is no longer listed, or is again.",
  input: z.strictObject({
    id: Uuid.describe("the item, as `attention list` shows it"),
    open: z.boolean().default(false).describe("take that back: it needs a person still"),
  }),
  output: z.strictObject({
    id: Uuid,
    resolved_at: Instant.nullable(),
    already_resolved: z.boolean().describe("Somebody had said so before"),
  }),
  async run({ tx, actor, now, audit }, { id, open }) {
    const item = orNotFound(await lockItem(tx, actor.tenantId, { attention_item_id: id }), "attention item");
    const already_resolved = item.resolved_at !== null;
    // What nothing is left of stays resolved.
    const resolved_at = open && item.amount_minor !== "0" ? null : (item.resolved_at ?? now);
    const isSame = resolved_at === item.resolved_at;
    if (!isSame) await updateItem(tx, item, { resolved_at });
    audit(isSame ? null : { type: "attention_item", id, ...(open && { details: OPEN_AGAIN }) });
    return { id, resolved_at, already_resolved };
  },
});
