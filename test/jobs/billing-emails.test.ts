import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setCustomerEmail } from "../../src/core/customers/operations/set-customer-email.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { smtpMailer } from "../../src/gateways/mail/index.ts";
import { toItem } from "../../src/simulators/fusion/book-invoice.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { message, smtpServer } from "../gateways/mail/support.ts";
import { type CollectingApp, openCollectingApp, openCollectingBook } from "../support/collecting.ts";
import { runPull } from "../support/pulls.ts";
import { STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

/** What the ERP or a person gives, and the address that bills go to; null where nobody can be mailed so. */
const ADDRESSES: readonly (readonly [given: string, address: string | null])[] = [
  ["ap@acme.example", "ap@acme.example"],
  ["o'hara+ar_1.x@sub.acme.example", "o'hara+ar_1.x@sub.acme.example"],
  ["büro@müller-söhne.example", "büro@müller-söhne.example"],
  [" ap@acme.example\t\r\n", "ap@acme.example"],
  ["ap@acme.example;", "ap@acme.example"],
  ["ap@acme.example, ", "ap@acme.example"],
  ["ap@acme.example.", "ap@acme.example"],
  ["<ap@acme.example>", "ap@acme.example"],
  ["Accounts Payable <ap@acme.example>;", "ap@acme.example"],
  ["mailto:ap@acme.example", "ap@acme.example"],
  ["<MAILTO: ap@acme.example >", "ap@acme.example"],
  ["ap@acme.example\u200b", "ap@acme.example"],
  ["ap@acme.example; ar@acme.example", null],
  ["ap@acme.example ar@acme.example", null],
  ["other@acme.example <ap@acme.example>", null],
  ["ap@acme", null],
  ["ap@localhost", null],
  ["ap@10.0.0.1", null],
  ["ap@acme..example", null],
  ["ap@-acme.example", null],
  ["ap@acme_corp.example", null],
  ["ap@acme.example?subject=x", null],
  [".ap@acme.example", null],
  ["a..p@acme.example", null],
  ["ap.@acme.example", null],
  ["a,p@acme.example", null],
  ['"a p"@acme.example', null],
  ["ap@acme.example (Ana)", null],
  [`${"a".repeat(65)}@acme.example`, null],
  ["ap＠acme.example", null],
  ["n/a", null],
];

describe.each(STORES)("billing emails of every form, on $name", ({ open }) => {
  const opened = useStore(open);
  let app: CollectingApp;
  beforeAll(async () => {
    app = await openCollectingApp(opened);
  });
  afterAll(async () => {
    await app.close();
  });

  async function pulled(emails: readonly string[]) {
    const book = await openCollectingBook(app, "stripe");
    const customers = emails.map((email, index) => ({
      party: { partyId: 300100500000000000n + BigInt(index), number: `${index}`, name: email },
      email,
    }));
    const installments = [{ dueDate: "2026-02-01", amountMinor: 100_00n, balanceMinor: 100_00n }];
    const erp = createFusionSimulator({
      invoices: customers.map(({ party }, index) => {
        const invoice = { number: `INV-${index}`, currency: "USD", date: "2026-01-20", terms: null, installments };
        const id = 300100180000000000n + BigInt(index);
        return toItem({ ...invoice, id, customer: party, status: "Complete" }, "Vision Operations");
      }),
      accounts: customers.map(({ party, email }) => ({
        PartyId: party.partyId,
        PrimaryContactName: null,
        PrimaryContactEmail: email,
      })),
    });
    const settings = { provider: "oracle_fusion", url: await erp.listen(), username: "u", password: "p" } as const;
    const { id } = await operate(app.core, book.tenantId, connectErp, settings);
    app.clock.advance(1_000);
    expect(await runPull(app.core, book.tenantId, id)).toMatchObject({ status: "succeeded" });
    await erp.close();
    return book.tenantId;
  }
  const invoicesOf = async (tenantId: string) => {
    const rows = await opened.store.read(tenantId, (tx) =>
      tx
        .selectFrom("invoices as invoice")
        .innerJoin("installments as installment", (join) =>
          join
            .onRef("installment.tenant_id", "=", "invoice.tenant_id")
            .onRef("installment.invoice_id", "=", "invoice.invoice_id"),
        )
        .select(["invoice.invoice_number", "invoice.customer_id", "invoice.customer_email"])
        .select("installment.not_collectible_reason")
        .where("invoice.tenant_id", "=", tenantId)
        .execute(),
    );
    return new Map(rows.map((row) => [row.invoice_number, row]));
  };

  it("are cleaned or count as none, the ERP's and people's alike; what is kept can be mailed [completions.7.billing-email-form]", async () => {
    const tenantId = await pulled(ADDRESSES.map(([given]) => given));
    const invoices = await invoicesOf(tenantId);
    const ofErp = ADDRESSES.map(([given], index) => [given, invoices.get(`INV-${index}`)?.customer_email]);
    expect(ofErp).toEqual(ADDRESSES);
    const reasons = ADDRESSES.map((_, index) => invoices.get(`INV-${index}`)?.not_collectible_reason);
    expect(reasons).toEqual(ADDRESSES.map(([, address]) => (address === null ? "no_billing_email" : null)));

    const customerId = invoices.get("INV-0")?.customer_id ?? "";
    const ofPeople = ADDRESSES.map(async ([given]) => {
      const set = operate(app.core, tenantId, setCustomerEmail, { customerId, email: given });
      return [given, await set.then(({ email }) => email).catch(() => null)];
    });
    expect(await Promise.all(ofPeople)).toEqual(ADDRESSES);

    const { port, delivered } = await smtpServer();
    const mailer = smtpMailer(`smtp://127.0.0.1:${port}`);
    for (const [given, address] of ADDRESSES) {
      if (address !== null) await mailer.send(message({ to: address }));
      if (given !== address) await expect(mailer.send(message({ to: given }))).rejects.toThrow(RangeError);
    }
    expect(delivered).toHaveLength(ADDRESSES.filter(([, address]) => address !== null).length);
  });

  it("are refused with the value and what would be right [completions.7.billing-email-form]", async () => {
    const tenantId = await pulled(["ap@acme.example"]);
    const customerId = (await invoicesOf(tenantId)).get("INV-0")?.customer_id ?? "";
    for (const [email, said] of [
      ["foo@bar", 'must be an email address, such as billing@example.com, not "foo@bar"'],
      ["a@b.example; c@d.example", "must be only one email address, such as billing@example.com, not "],
    ] as const)
      await expect(operate(app.core, tenantId, setCustomerEmail, { customerId, email })).rejects.toMatchObject({
        details: [{ field: "email", message: expect.stringContaining(said) }],
      });
  });
});
