import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import { verifyRollup } from "../../src/core/aging/verify-rollup.ts";
import type { ApiKeyActor } from "../../src/core/gate/actor.ts";
import { call } from "../support/lists.ts";
import { erpItem, usePullWorld } from "../support/pulls.ts";
import { storesOf } from "../support/stores.ts";

/** What Fusion sends for no day. */
const NO_DAY = "4712-12-31";

/** An invoice of one installment, due on 10 January 2026: settled on a day, or open. */
const invoice = (place: number, settled: string | null) =>
  erpItem({
    id: 300_100_180_000_000_000n + BigInt(place * 10),
    number: `INV-${place}`,
    date: "2025-12-11",
    parts: [{ dueDate: "2026-01-10", ...(settled === null ? {} : { balanceMinor: 0n, closedDate: settled }) }],
  });

describe.each(storesOf(import.meta.url))("closing dates of an ERP on $name", ({ open }) => {
  const world = usePullWorld(open);
  const { core, clock, erp, pull, book, act } = world;

  it("come by a pull; what was stored without one is read again, though unchanged [completions.10.closing-dates]", async () => {
    const actor: ApiKeyActor = {
      kind: "api_key",
      tenantId: world.tenantId,
      keyId: randomUUID(),
      permission: "readonly",
    };
    const history = async () => (await call(core, listCustomerAging, actor, { include: "payment_history" })).data;
    const days = async () =>
      [...(await book()).values()].flatMap((row) => row.installments.map((part) => part.closed_on));
    // As the version before stored them: closed, and without a day.
    erp.putInvoices(...[1, 2, 3].map((place) => invoice(place, NO_DAY)), invoice(4, null));
    await pull();
    expect(await days()).toEqual([null, null, null, null]);
    expect(await history()).toMatchObject([{ paid_installments: 0, median_days_late: null }]);

    erp.putInvoices(invoice(1, "2026-01-08"), invoice(2, "2026-01-14"), invoice(3, "2026-02-10"));
    clock.advance(60_000);
    expect(await pull()).toMatchObject({ status: "succeeded", invoices_read: 4, invoices_updated: 3 });
    expect((await days()).toSorted()).toEqual(["2026-01-08", "2026-01-14", "2026-02-10", null]);
    expect(await history()).toMatchObject([
      { paid_installments: 3, median_days_late: 4, average_days_late: 11, on_time_share: 0.33 },
    ]);
    clock.advance(60_000);
    expect(await pull()).toMatchObject({ invoices_updated: 0 });

    erp.putInvoices(invoice(3, null));
    clock.advance(60_000);
    await pull();
    expect(await history()).toMatchObject([{ paid_installments: 2, average_days_late: 1 }]);
    expect(await act(verifyRollup, {})).toMatchObject({ differences: 0 });
  });
});
