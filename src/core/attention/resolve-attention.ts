import { z } from "zod";
import { type Core, nowOf } from "../core.ts";
import { notFound } from "../error.ts";
import { assertManager, type Manager, recordManagement } from "../operator.ts";
import { parseInput, Uuid } from "../validation.ts";
import { lockItemById, updateItem } from "./attention-queries.ts";

const Resolve = z.strictObject({ id: Uuid });

/** An item that is dealt with. */
export interface ResolvedAttention {
  readonly id: string;
  readonly resolved_at: string;
  /** Somebody had said so before: nothing was changed. */
  readonly already_resolved: boolean;
}

/**
 * Says that an item is dealt with; again changes nothing, and leaves no second entry in the audit trail. It opens again when more of it happens, such as a larger refund.
 * Throws `not_found`, and `permission_denied` for a person who is no admin.
 */
export async function resolveAttention(
  core: Core,
  { actor, requestId }: { readonly actor: Manager; readonly requestId: string },
  input: z.input<typeof Resolve>,
): Promise<ResolvedAttention> {
  const { id } = parseInput(Resolve, input);
  const { tenantId } = actor;
  return core.store.write(tenantId, async (tx) => {
    const item = await lockItemById(tx, tenantId, id);
    if (item === undefined) throw notFound("attention item");
    if (item.resolved_at !== null) {
      await assertManager(tx, actor);
      return { id, resolved_at: item.resolved_at, already_resolved: true };
    }
    const resolvedAt = nowOf(core);
    await updateItem(tx, item, { resolved_at: resolvedAt });
    const act = { operation: "resolveAttentionItem", objectType: "attention_item", objectId: id, requestId };
    await recordManagement(tx, core, { actor, ...act });
    return { id, resolved_at: resolvedAt, already_resolved: false };
  });
}
