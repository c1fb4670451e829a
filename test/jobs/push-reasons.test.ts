import { describe, expect, it, vi } from "vitest";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { quickConnect } from "../support/pulls.ts";
import { type PushWorld, usePushWorld } from "../support/pushes.ts";
import { served } from "../support/served.ts";
import { setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const CREATION = { mode: "refuse", resource: "standardReceipts", method: "POST" } as const;
const DAY = 24 * 60 * 60_000;
const RECEIPTS = "/fscmRestApi/resources/11.13.18.05/standardReceipts";

describe.each(A_STORE)("why the ERP does not take a receipt, on $name", ({ open }) => {
  const world = usePushWorld(open);
  const { core, clock, erp, pull, pay, push, payment, invoice, act } = world;
  /** Pushes, and answers what was logged of it. */
  async function pushLogged({ core }: PushWorld): Promise<{ fields: object; message: string | undefined }[]> {
    const lines: { fields: object; message: string | undefined }[] = [];
    const warn = (fields: object, message?: string) => void lines.push({ fields, message });
    await pushReceipts({ ...core, log: { ...core.log, warn } }, quickConnect);
    return lines;
  }

  it.each([
    ["closed_period", 4, "closed_period"],
    ["missing_attribute", 1, "missing_field"],
    ["business_unit", 1, "business_unit"],
    ["receipt_method", 1, "receipt_method"],
    ["bill_of_exchange", 1, "bill_of_exchange"],
    ["currency", 1, "currency"],
    ["customer", 2, "customer"],
  ] as const)(
    "is told: %s [completions.12.erp-reasons] [completions.12.erp-words]",
    async (refusal, wordings, code) => {
      await pull();
      erp.control({ ...CREATION, refusal });
      for (let wording = 0; wording < wordings; wording += 1) {
        const id = await pay("one", "10");
        const lines = await pushLogged(world);
        const { erp_push_status, erp_push_error } = await payment(id);
        expect(erp_push_status).toBe("failed");
        expect(erp_push_error).toEqual({ code, erp: expect.stringMatching(/^[^“”]{10,300}$/) });
        expect(lines).toMatchObject([
          { message: "receipt.push.failed", fields: { paymentId: id, erpMessage: expect.any(String) } },
        ]);
      }
    },
  );

  it("keeps no other from being followed where a receipt cannot be read, which stays as it was [completions.7.receipt-unreadable]", async () => {
    const id = await pay("one", "400");
    const others = [await pay("two", "100"), await pay("two", "200", 1)];
    await push();
    clock.advance(DAY);
    await pull();
    const receiptId = (await payment(id)).erp_receipt_id ?? "";
    const unread = { StandardReceiptId: BigInt(receiptId), Amount: 400, UnappliedAmount: 0, State: "Applied" };
    erp.putReceipts({ ...unread, Currency: "USD", ReceiptNumber: "PAY-1", ReceiptDate: "2026-02-30" });
    for (const other of others) erp.reverseReceipt((await payment(other)).erp_receipt_id ?? "");
    clock.advance(DAY);
    const told = vi.spyOn(core.log, "warn");
    await pull();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", applied_at: expect.any(String) });
    for (const other of others) expect(await payment(other)).toMatchObject({ erp_push_status: "reversed" });
    expect(told.mock.calls).toMatchObject([
      [{ receiptId, err: { fault: { field: "ReceiptDate", value: "2026-02-30" } } }, "receipts.poll.set_aside"],
    ]);
  });

  it("is told of a refused application, too [completions.12.erp-reasons]", async () => {
    for (const [refusal, code] of [
      ["closed_period", "closed_period_to_apply"],
      ["over_application", "less_owed"],
    ] as const) {
      erp.control({ mode: "refuse", refusal, action: "applyReceipt" });
      const id = await pay("one", "10");
      await push();
      const { erp_push_status, erp_push_error } = await payment(id);
      expect([erp_push_status, erp_push_error]).toEqual(["posted", { code, erp: expect.stringMatching(/^[^“”]+$/) }]);
    }
  });

  it("is told of a period that is closed there, and the receipt goes well once it is open [completions.12.erp-reasons] [completions.12.receipt-date] [facts.fusion.office]", async () => {
    const { tenantId } = world;
    const id = await pay("one", "10");
    const paid = "2026-03-04T23:30:00.000Z";
    await core.store.write(tenantId, async (tx) => {
      await tx.updateTable("payments").set({ paid_at: paid }).where("tenant_id", "=", tenantId).execute();
      await tx.updateTable("tenants").set({ timezone: "Asia/Tokyo" }).where("tenant_id", "=", tenantId).execute();
    });
    erp.closePeriods("2026-03-05");
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "failed", push_retryable: false });
    erp.closePeriods(null);
    clock.advance(3 * 24 * 60 * 60_000);
    await setRows(core.store, tenantId, "payments", { erp_push_status: "pending", next_attempt_at: null });
    await push();
    expect((await payment(id)).erp_push_status).toBe("applied");
    const dates = erp.requests
      .filter(({ method, path }) => method === "POST" && path === RECEIPTS)
      .map(({ body }) => JSON.parse(body).ReceiptDate);
    expect(dates).toEqual(["2026-03-05", "2026-03-05"]);
  });

  it("is told short, and logged whole, without the password that a server repeats [completions.12.erp-words]", async () => {
    const password = 'pa"ss-wörd';
    const { erp_invoice_id: CustomerTransactionId } = await invoice("one");
    const url = await served((request, response) => {
      const items = request.url?.includes("/receivablesInvoices?") ? [{ CustomerTransactionId }] : [];
      if (request.method === "POST") {
        const said = `” Nothing was sent. ${request.headers.authorization} ${password} ${JSON.stringify(password)} ${"x".repeat(2_000)} the end`;
        response.writeHead(400).end(JSON.stringify({ "o:errorDetails": [{ detail: said, "o:errorCode": "AR_X" }] }));
      } else response.writeHead(200).end(JSON.stringify({ items }));
    });
    await act(reconnectErp, { connectionId: world.connectionId, password, url, sameInvoices: true });
    const id = await pay("one", "10");
    const lines = await pushLogged(world);
    const { erp_push_error: error } = await payment(id);
    const erp = expect.stringMatching(/^AR_X: ' Nothing was sent\. Basic … … '…' x+…$/);
    expect(error).toEqual({ code: "receipt_refused", status: 400, erp });
    expect(error?.erp).toHaveLength(300);
    const logged = JSON.stringify(lines);
    expect(logged).toContain("x the end");
    for (const secret of [
      password,
      JSON.stringify(password).slice(1, -1),
      Buffer.from(`integration:${password}`).toString("base64"),
    ])
      expect(logged + JSON.stringify(error)).not.toContain(secret);
  });
});
