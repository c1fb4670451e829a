import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import { editLocalInvoice } from "../../../src/core/invoices/operations/edit-local-invoice.ts";
import { money } from "../../../src/core/kernel/money.ts";
import { connectIntegration } from "../../../src/core/payment-integrations/operations/connect-integration.ts";
import { disconnectIntegration } from "../../../src/core/payment-integrations/operations/disconnect-integration.ts";
import { listIntegrations } from "../../../src/core/payment-integrations/operator-integration.ts";
import { paymentProviders } from "../../../src/core/provider-access/payment-providers.ts";
import { generateBook } from "../../../src/simulators/fusion/book.ts";
import { createStripeSimulator } from "../../../src/simulators/stripe/index.ts";
import { recordConfirmedPayment } from "../../support/confirmed-payment.ts";
import { usePullWorld } from "../../support/pulls.ts";
import { setPaymentPushStatus } from "../../support/push-status.ts";
import { A_STORE } from "../../support/thorough.ts";

const made = generateBook({ seed: 11, today: "2026-03-10", invoices: 60 });
/** An invoice of the service's own. */
const GIVEN = { number: "L-1", customerName: "Globex", currency: "USD", amount: "10" };

describe.each(A_STORE)("collection figures on $name", ({ open }) => {
  const world = usePullWorld(open, made);
  const { core, clock, pull, act } = world;
  const rows = async () => [...(await world.book()).values()];
  const open_ = async () => (await rows()).filter((row) => row.collection_status === "open");
  const specimen = async (name: Parameters<typeof made.specimens.get>[0]) => {
    const row = (await world.book()).get(made.specimens.get(name) ?? "");
    if (row === undefined) throw new Error(`no ${name}`);
    return row;
  };

  it("follow the integrations at once, and nothing else of the invoices moves [completions.6.integrations]", async () => {
    await pull();
    const before = await rows();
    clock.advance(60_000);
    await act(disconnectIntegration, { provider: "sandbox" });
    expect(await open_()).toEqual([]);
    expect((await specimen("open")).installments[0]?.not_collectible_reason).toBe("currency_not_supported");
    expect((await rows()).map((row) => row.updated_at)).toEqual(before.map((row) => row.updated_at));
    const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
    const apiBase = await stripe.listen();
    const payments = paymentProviders({ secrets: core.secrets, clock, sandboxAt: null });
    const keys = { secretKey: "sk_test_1", webhookSecret: "whsec_test" };
    await operate({ ...core, payments }, world.tenantId, connectIntegration, {
      provider: "stripe",
      currencies: ["USD"],
      keys,
      apiBase,
    });
    await stripe.close();
    clock.advance(60_000);
    expect(new Set((await open_()).map((row) => row.currency))).toEqual(new Set(["USD"]));
    await act(connectIntegration, {
      provider: "sandbox",
      currencies: ["EUR", "GBP", "JPY", "KWD", "EUR"],
    });
    expect(await rows()).toEqual(before);
    expect(await act(listIntegrations, {})).toMatchObject([
      { provider: "sandbox", status: "disconnected" },
      { provider: "stripe", status: "connected", currencies: ["USD"] },
      { provider: "sandbox", status: "connected", currencies: ["EUR", "GBP", "JPY", "KWD"] },
    ]);
  });

  it("miss no invoice when an integration is connected in the midst of a pull [completions.6.integrations]", async () => {
    await act(disconnectIntegration, { provider: "sandbox" });
    const currencies = ["USD", "EUR", "GBP", "JPY", "KWD"];
    const pulling = pull();
    await act(connectIntegration, { provider: "sandbox", currencies });
    await pulling;
    const wrong = (await rows()).filter((row) =>
      row.installments.some(
        (part) => part.not_collectible_reason === "currency_not_supported" && currencies.includes(row.currency ?? ""),
      ),
    );
    expect(wrong).toEqual([]);
  });

  it("follow the workspace's own billing email, which wins over the ERP's [completions.7.override]", async () => {
    await pull();
    const without = await specimen("withoutEmail");
    const customerId = without.customer_id ?? "";
    clock.advance(60_000);
    const set = await act(setCustomerEmail, { customerId, email: "billing@own.example" });
    expect(set.invoices_changed).toBeGreaterThan(0);
    const changed = await specimen("withoutEmail");
    expect(changed).toMatchObject({
      customer_email: "billing@own.example",
      collection_status: "open",
      updated_at: "2026-03-10T15:01:00.000Z",
    });
    const partyId = made.invoices.find(
      (item) => String(item.CustomerTransactionId) === changed.erp_invoice_id,
    )?.BillToPartyId;
    world.erp.putAccounts({ PartyId: partyId, PrimaryContactName: null, PrimaryContactEmail: "erp@other.example" });
    expect(await pull()).toMatchObject({ invoices_updated: set.invoices_changed });
    expect((await specimen("withoutEmail")).customer_email).toBe("billing@own.example");
    await act(setCustomerEmail, { customerId, email: null });
    expect((await specimen("withoutEmail")).customer_email).toBe("erp@other.example");
    await expect(act(setCustomerEmail, { customerId, email: "nobody" })).rejects.toMatchObject({
      code: "validation_failed",
      details: [{ field: "email" }],
    });
    await expect(act(setCustomerEmail, { customerId: randomUUID(), email: null })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("follow each payment and each state of its push [completions.6.push-state] [service.3.3.worst]", async () => {
    const { tenantId, connectionId } = world;
    await pull();
    await act(setErp, { connectionId, paymentPushMode: "held" });
    const { invoice_id: invoiceId, installments, updated_at } = await specimen("twoInstallments");
    const pay = (index: number, amount: string) =>
      core.store.write(tenantId, (tx) => {
        const installmentId = installments[index]?.installment_id ?? "";
        return recordConfirmedPayment(tx, core, { tenantId, invoiceId, installmentId, amount: money(amount) });
      });
    const push = (paymentId: string, status: Parameters<typeof setPaymentPushStatus>[2]["status"]) =>
      core.store.write(tenantId, (tx) => setPaymentPushStatus(tx, core, { tenantId, paymentId, status }));
    const first = await pay(0, installments[0]?.erp_outstanding ?? "");
    expect(await specimen("twoInstallments")).toMatchObject({
      erp_push_state: "pending",
      has_held_payment: true,
      collection_status: "open",
      collection_due_date: installments[1]?.due_date,
      updated_at,
    });
    await act(setErp, { connectionId, paymentPushMode: "automatic" });
    const second = await pay(1, installments[1]?.erp_outstanding ?? "");
    await push(first, "applied");
    expect(await specimen("twoInstallments")).toMatchObject({
      erp_push_state: "pending",
      has_held_payment: false,
      collection_status: "paid",
      collection_outstanding: "0",
      collection_due_date: null,
    });
    for (const status of ["processing", "posted", "failed", "reversed", "applied"] as const) {
      await push(second, status);
      expect(await specimen("twoInstallments")).toMatchObject({ erp_push_state: status, collection_status: "paid" });
    }
    await expect(pay(0, "0")).rejects.toMatchObject({ code: "validation_failed" });
  });

  it("are there for an invoice of the service's own, one installment where none is given [contract.invoice-create] [completions.13.local-installment]", async () => {
    const { tenantId } = world;
    const customer = { customerName: "Łódź & Söhne", customerEmail: "ap@lodz.example" };
    const split = await act(createLocalInvoice, {
      number: "L-1",
      currency: "USD",
      amount: "100.10",
      invoiceDate: "2026-03-01",
      dueDate: "2026-03-31",
      ...customer,
      installments: [
        { dueDate: "2026-04-30", amount: "50.05" },
        { dueDate: "2026-03-31", amount: "50.05" },
      ],
    });
    const bare = await act(createLocalInvoice, {
      number: "L-2",
      customerName: "Globex",
      currency: "JPY",
      amount: "5000",
      dueDate: "2026-03-01",
    });
    const book = await world.book();
    expect(book.get(split.id)).toMatchObject({
      origin: "local",
      connection_id: null,
      customer_id: null,
      last_synced_at: null,
      collection_status: "open",
      collection_outstanding: "100.1",
      collection_due_date: "2026-03-31",
      sort_name: "łódź & söhne",
    });
    expect(book.get(split.id)?.installments.map((part) => part.installment_id)).toEqual(split.installment_ids);
    expect(book.get(bare.id)).toMatchObject({
      collection_outstanding: "5000",
      installments: [{ installment_id: bare.installment_ids[0], due_date: "2026-03-01", original_amount: "5000" }],
    });
    const edit = (changes: object) => act(editLocalInvoice, { invoiceId: bare.id, ...changes });
    for (const changes of [{ amount: "70" }, { dueDate: "2026-05-01" }, { customerName: "Ann" }]) await edit(changes);
    expect((await world.book()).get(bare.id)?.installments).toMatchObject([
      { installment_id: bare.installment_ids[0], due_date: "2026-05-01", original_amount: "70", collectible: false },
    ]);
    const payment = {
      tenantId,
      invoiceId: split.id,
      installmentId: split.installment_ids[1] ?? null,
      amount: money("50.05"),
    };
    await core.store.write(tenantId, (tx) => recordConfirmedPayment(tx, core, payment));
    expect((await world.book()).get(split.id)).toMatchObject({
      collection_outstanding: "50.05",
      erp_push_state: null,
      collection_due_date: "2026-04-30",
    });
    await pull();
    expect((await world.book()).get(split.id)).toMatchObject({ retired_at: null, missing_since: null });
  });

  it.each([
    [{ amount: "0" }, "amount"],
    [{ amount: "1e3" }, "amount"],
    [{ amount: "-5" }, "amount"],
    [{ currency: "usd" }, "currency"],
    [{ dueDate: "2026-02-29" }, "dueDate"],
    [{ customerEmail: "no address" }, "customerEmail"],
    [{ number: " \u200B " }, "number"],
    [{ customerName: " " }, "customerName"],
    [{ amount: "10.005" }, "amount"],
    [{ dueDate: "2024-03-09" }, "confirmed"],
    [{ invoiceDate: "2026-03-02", dueDate: "2026-03-01" }, "confirmed"],
    [{ installments: [{ dueDate: null, amount: "9.99" }] }, "installments"],
    [{ installments: [{ dueDate: null, amount: "x" }] }, "installments[0].amount"],
  ])("are made for no invoice of %j [contract.invoice-create]", async (over, field) => {
    const refused = act(createLocalInvoice, { ...GIVEN, ...over });
    await expect(refused).rejects.toMatchObject({ code: "validation_failed", details: [{ field }] });
    expect(await rows()).toEqual([]);
  });
});
