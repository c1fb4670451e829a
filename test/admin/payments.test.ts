import { describe, expect, it } from "vitest";
import { usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";
import { terminalOn } from "./support.ts";

describe.each(A_STORE)("payments at the terminal on $name", ({ open }) => {
  const world = usePushWorld(open);

  const json = async (line: string) => {
    const { code, out, err } = await terminalOn(world().core)(`${line} --workspace ${world().tenantId} --json`);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    return JSON.parse(out);
  };
  const refused = (line: string) => terminalOn(world().core)(`${line} --workspace ${world().tenantId}`);

  it("are listed with what became of their receipts, latest first [contract.admin.payment]", async () => {
    const { erp, clock, pull, pay, push } = world();
    await pull();
    const applied = await pay("one", "400");
    await push();
    clock.advance(60_000);
    const failed = await pay("yen", "1200");
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await push();
    const rows = await json("payment list");
    expect(rows).toEqual([
      {
        payment: failed,
        invoice: "yen",
        customer: "Globex",
        amount: "1200",
        currency: "JPY",
        paid_at: clock.now().toISOString(),
        status: "failed",
        receipt_number: null,
        settled_by_hand: false,
        refunded: null,
        disputed: false,
        reason: expect.stringMatching(/^The accounting period .+ The ERP says: “.+”$/),
      },
      expect.objectContaining({ payment: applied, amount: "400.00", status: "applied", reason: null }),
    ]);
    expect(await json("payment list --status failed")).toHaveLength(1);
    expect(await json("payment list --status held")).toEqual([]);
    expect(await json("payment list --limit 1")).toEqual([rows[0]]);
    expect(await refused("payment list --status lost")).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^error: --status must be /),
    });
    expect(await refused("payment list --limit 0")).toMatchObject({ code: 2 });
  });

  it("are retried and settled by hand, or refused with the state they are in [contract.admin.payment]", async () => {
    const { erp, pull, pay, push, payment } = world();
    await pull();
    const id = await pay("one", "400");
    erp.enterReceipt({ invoice: "one", amount: "400", number: "CHK-1" });
    await push();
    expect(await json(`payment retry --payment ${id}`)).toEqual({ payment_id: id, erp_push_status: "pending" });
    await push();
    expect((await payment(id)).erp_push_status).toBe("failed");
    const settle = `payment settle-by-hand --payment ${id} --receipt-number`;
    expect(await refused(`${settle} CHK-7`)).toMatchObject({
      code: 1,
      err: expect.stringContaining("--receipt-number is no receipt that the ERP shows."),
    });
    erp.enterReceipt({ invoice: "two", amount: "5", number: "CHK-5" });
    erp.enterReceipt({ invoice: "yen", amount: "400", number: "CHK-Y" });
    expect((await refused(`${settle} CHK-5`)).err).toContain(
      "is a receipt of 5.00 USD: it cannot hold the payment's 400.00 USD.",
    );
    expect((await refused(`${settle} CHK-Y`)).err).toContain("is a receipt in JPY, and the payment is in USD.");
    expect((await payment(id)).erp_push_status).toBe("failed");
    expect(await json(`${settle} CHK-1`)).toEqual({
      payment_id: id,
      erp_push_status: "applied",
      erp_receipt_number: "CHK-1",
      in_the_erp: { amount: "400", currency: "USD", receipt_date: expect.any(String), state: "applied" },
    });
    const second = await pay("one", "400");
    erp.control({ mode: "refuse", resource: "standardReceipts", method: "POST" });
    await push();
    erp.control({ mode: "ok" });
    expect((await refused(`payment settle-by-hand --payment ${second} --receipt-number CHK-1`)).err).toContain(
      `is a receipt of 400.00 USD, of which ${id} took a part: it cannot hold the payment's 400.00 USD.`,
    );
    expect(await refused(`${settle} CHK-2 --unchecked`)).toMatchObject({
      code: 1,
      err: `error: The receipt of payment ${id} is settled by hand.\n`,
    });
    expect(await json(`payment retry --payment ${id} --anyway`)).toMatchObject({ erp_push_status: "pending" });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
    expect(erp.receipts).toHaveLength(4);
    const { err } = await refused(`payment retry --payment ${crypto.randomUUID()}`);
    expect(err).toBe("error: No such payment.\n");
    const long = `payment settle-by-hand --payment ${id} --receipt-number ${"x".repeat(31)}`;
    expect((await refused(long)).err).toMatch(/^error: .*--receipt-number must be 1 to 30 printable characters/);
  });
});
