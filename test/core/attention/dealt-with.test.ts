import { describe, expect, it } from "vitest";
import { resolveAttention } from "../../../src/core/attention/operations/resolve-attention.ts";
import { openItems } from "../../../src/core/attention-items/attention-queries.ts";
import { readAuditTrail } from "../../../src/core/audit-trail/read-audit-trail.ts";
import { trailOf } from "../../support/stored.ts";
import { STORES } from "../../support/stores.ts";
import { useCollecting } from "../../support/use-collecting.ts";

describe.each(STORES)("what was dealt with, on $name", ({ open }) => {
  const { app, book, store, act } = useCollecting(open, "stripe");
  const itemsOf = (invoiceId: string) => store.read(book.tenantId, (tx) => openItems(tx, book.tenantId, { invoiceId }));

  it("is in the history of payment, link and invoice, and taken back once [completions.12.attention] [completions.12.attention.once]", async () => {
    const link = await book.issue();
    const { paymentIntent } = await app.stripe.pay(link.id);
    await app.stripe.refund(paymentIntent, 2_500);
    const [item] = await book.attention();
    const say = (open?: boolean) => act(resolveAttention, { id: item?.id ?? "", open });
    await say();
    for (const about of [
      { objectId: item?.payment_id },
      { objectId: item?.payment_link_id },
      { invoiceId: link.invoice_id },
    ]) {
      const history = await act(readAuditTrail, about);
      expect(history.entries.map(({ operation }) => operation)).toContain("resolveAttentionItem");
    }
    expect(await book.attention()).toEqual([]);
    expect(await itemsOf(link.invoice_id)).toMatchObject([{ attention_item_id: item?.id }]);
    app.clock.advance(1_000);
    expect(await say(true)).toMatchObject({ resolved_at: null, already_resolved: true });
    expect(await say(true)).toMatchObject({ resolved_at: null, already_resolved: false });
    expect(await book.attention()).toMatchObject([{ id: item?.id, amount: "25.00" }]);
    const [newest] = (await act(readAuditTrail, { operation: "resolveAttentionItem" })).entries;
    expect(newest?.details).toEqual([["changed", "open again"]]);
    expect(await trailOf(store, book.tenantId, "resolveAttentionItem")).toHaveLength(2);
  });

  it("is not offered to be taken back where the bank decided [completions.12.disputes]", async () => {
    const link = await book.issue();
    const { paymentIntent } = await app.stripe.pay(link.id);
    await app.stripe.dispute(paymentIntent);
    const [item] = await book.attention();
    expect(await itemsOf(link.invoice_id)).toHaveLength(1);
    await app.stripe.dispute(paymentIntent, "won");
    expect(await itemsOf(link.invoice_id)).toEqual([]);
    await act(resolveAttention, { id: item?.id ?? "", open: true });
    expect(await book.attention()).toEqual([]);
  });
});
