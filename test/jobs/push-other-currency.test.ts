import { describe, expect, it } from "vitest";
import { usePushWorld } from "../support/pushes.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

describe.each(A_STORE)("the push of a receipt in another currency on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, erp, pay, push, payment } = world;

  it("waits for a person when the ERP has come to bill the invoice in another currency [service.3.3.waits]", async () => {
    const id = await pay("two", "10");
    await setRows(core.store, world.tenantId, "invoices", { currency: "EUR" });
    await push();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "billed_otherwise" },
      push_retryable: false,
    });
    expect(erp.receipts).toEqual([]);
  });
});
