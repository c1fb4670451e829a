import { z } from "zod";
import { lockItem, updateItem } from "../../attention-items/attention-queries.ts";
import { operation, SETTINGS_CHANGE } from "../../gate/operation.ts";
import { orNotFound } from "../../kernel/error.ts";
import { Instant, Uuid } from "../../kernel/wire-types.ts";

/**
 * Resolves an item; a second call changes nothing and writes no audit entry. The item opens again when more happens, such as a
 * larger refund. Throws `not_found`.
 */
export const resolveAttention = operation({
  id: "resolveAttentionItem",
  summary: "Say that an item is dealt with; it opens again when more of it happens",
  ...SETTINGS_CHANGE,
  sideEffects: "None: the item is no longer listed.",
  input: z.strictObject({ id: Uuid.describe("the item, as `attention list` shows it") }),
  output: z.strictObject({
    id: Uuid,
    resolved_at: Instant,
    already_resolved: z.boolean().describe("Somebody had said so before: nothing was changed"),
  }),
  async run({ tx, actor, now, audit }, { id }) {
    const item = orNotFound(await lockItem(tx, actor.tenantId, { attention_item_id: id }), "attention item");
    audit(item.resolved_at === null ? { type: "attention_item", id } : null);
    if (item.resolved_at !== null) return { id, resolved_at: item.resolved_at, already_resolved: true };
    await updateItem(tx, item, { resolved_at: now });
    return { id, resolved_at: now, already_resolved: false };
  },
});
