import { describe, expect, it } from "vitest";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { createLocalInvoice } from "../../src/core/invoices/operations/create-local-invoice.ts";
import { money } from "../../src/core/kernel/money.ts";
import { setWorkspace } from "../../src/core/workspace/operations/set-workspace.ts";
import { recordConfirmedPayment } from "../support/confirmed-payment.ts";
import { usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";
import { terminalIn, terminalOn } from "./support.ts";

describe.each(A_STORE)("payments at the terminal on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pay, push, payment, act } = world;

  const refused = (line: string) => terminalIn(core, world.tenantId)(line);
  const json = (line: string) => terminalIn(core, world.tenantId).json(line);

  it("are listed with what became of their receipts, latest first [contract.admin.payment]", async () => {
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
        erp: "Oracle Fusion (Vision Operations)",
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
    const id = await pay("one", "400");
    erp.enterReceipt({ invoice: "one", amount: "400", number: "CHK-1" });
    await push();
    expect(await json(`payment retry --payment ${id}`)).toEqual({
      ...{ payment_id: id, erp_push_status: "pending", was: "failed" },
    });
    await push();
    expect((await payment(id)).erp_push_status).toBe("failed");
    const settle = `payment settle-by-hand --payment ${id} --receipt-number`;
    expect(await refused(`${settle} CHK-7`)).toMatchObject({
      code: 1,
      err: "error: --receipt-number is unknown: the ERP has no receipt CHK-7.\n",
    });
    erp.enterReceipt({ invoice: "two", amount: "5", number: "CHK-5" });
    erp.enterReceipt({ invoice: "yen", amount: "400", number: "CHK-Y" });
    expect((await refused(`${settle} CHK-5`)).err).toContain(
      "is a receipt of 5.00 USD: it cannot hold this payment's 400.00 USD.",
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
    expect((await refused(`payment settle-by-hand --payment ${second} --receipt-number CHK-1`)).err).toMatch(
      /is a receipt of 400\.00 USD, and another payment's already \(400\.00 USD for invoice one, paid on \d+ \w{3} \d{4}\): it cannot hold this payment's 400\.00 USD\.\n$/,
    );
    expect(await refused(`${settle} CHK-2 --unchecked`)).toMatchObject({
      code: 1,
      err: `error: The receipt of payment ${id} is applied: somebody settled it by hand with the ERP's receipt CHK-1.\n`,
    });
    expect(await refused(`payment retry --payment ${id} --anyway`)).toMatchObject({
      code: 1,
      err: `error: The receipt of payment ${id} is applied: somebody settled it by hand with the ERP's receipt CHK-1.\n`,
    });
    expect(await json(`payment retry --payment ${id} --anyway --settled-by-mistake`)).toMatchObject({
      ...{ erp_push_status: "pending", was: "applied" },
    });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied" });
    expect(erp.receipts).toHaveLength(4);
    expect(await refused(`payment settle-by-hand --payment ${id} --receipt-number CHK-NONE`)).toMatchObject({
      code: 1,
      err: `error: The receipt of payment ${id} is applied in the ERP: there is nothing to do.\n`,
    });
    const { err } = await refused(`payment retry --payment ${crypto.randomUUID()}`);
    expect(err).toBe("error: No such payment.\n");
    const long = `payment settle-by-hand --payment ${id} --receipt-number ${"x".repeat(31)}`;
    expect((await refused(long)).err).toMatch(/^error: .*--receipt-number must be 1 to 30 printable characters/);
  });

  it("that are retried say what state they were in [contract.admin.payment]", async () => {
    await act(setErp, { connectionId: world.connectionId, paymentPushMode: "held" });
    const id = await pay("one", "400");
    const { out, err } = await refused(`payment retry --payment ${id}`);
    expect(out).toContain("was              held\n");
    expect(err).toBe("It was held. It is released, and queued to be pushed. See how it ends with payment list.\n");
  });

  it("are shown with their money as people write it, and without an ERP in words [contract.admin.money]", async () => {
    const { tenantId } = world;
    await pay("one", "1000");
    const { id: invoiceId } = await act(createLocalInvoice, {
      ...{ number: "LOCAL", customerName: "Globex", currency: "KWD", amount: "1234.5", installments: [] },
    });
    await core.store.write(tenantId, (tx) =>
      recordConfirmedPayment(tx, core, { tenantId, invoiceId, installmentId: null, amount: money("1234.5") }),
    );
    const { out } = await refused("payment list");
    const [head = "", ...rows] = out.trimEnd().split("\n");
    expect(head).not.toContain("currency");
    expect(rows.find((row) => row.includes("LOCAL"))).toMatch(/ 1,234\.500 KWD .+ no ERP /);
    expect(rows.find((row) => row.includes("one"))).toMatch(/ 1,000\.00 USD .+ pending /);
    expect(await json("payment list")).toEqual(
      expect.arrayContaining([expect.objectContaining({ amount: "1234.500", currency: "KWD", status: null })]),
    );
  });

  it("that were not pushed are among what needs a person, with commands to paste [completions.12.attention.advice] [contract.admin.money]", async () => {
    const refusal = { mode: "refuse", resource: "standardReceipts", method: "POST" } as const;
    erp.control({ ...refusal, refusal: "receipt_method" });
    const id = await pay("one", "1000");
    await push();
    const name = "Ann's & Co";
    await act(setWorkspace, { name });
    const { out } = await terminalOn(core)(`attention list --workspace "${name}"`);
    expect(out).toMatch(/\namount +1,000\.00 USD\n/);
    expect(out).not.toMatch(/[{}]|currency +/);
    const commands = out
      .split("\n")
      .filter((line) => line.includes("npm run admin"))
      .map((line) => line.trim());
    const workspace = `--workspace 'Ann'\\''s & Co'`;
    expect(commands).toEqual([
      `npm run admin -- erp set ${workspace} --connection ${world.connectionId} --receipt-method 'NAME'`,
      `npm run admin -- payment retry ${workspace} --payment ${id}`,
      `npm run admin -- payment settle-by-hand ${workspace} --payment ${id} --receipt-number NUMBER`,
    ]);
    const pasted = await terminalOn(core)(
      commands[1]?.replace("npm run admin -- ", "").replace(workspace, `--workspace "${name}"`) ?? "",
    );
    expect(pasted).toMatchObject({ code: 0, err: expect.stringMatching(/^It had failed\. It is queued/) });
  });
});
