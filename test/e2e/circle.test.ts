import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { addMember } from "../../auth/members/add-member.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { setErp } from "../../src/core/erp-connections/operations/set-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { type Assistant, approveByForms, callTool, connectAssistant } from "../support/assistant.ts";
import { PASSWORD } from "../support/auth-app.ts";
import { Browser } from "../support/browser.ts";
import { HAS_CHROMIUM, launchChromium } from "../support/chromium.ts";
import { peopleOf } from "../support/people.ts";
import { erpInvoice } from "../support/pushes.ts";
import { type RunningService, startService } from "../support/service.ts";
import { KINDS } from "../support/stores.ts";
import { startSync } from "../support/sync.ts";
import { IS_THOROUGH } from "../support/thorough.ts";
import { waitForRun } from "../support/wait-for-run.ts";

const PARTY = 300100500000000001n;

const Invoice = z.looseObject({
  id: z.string(),
  invoice_number: z.string(),
  currency: z.string(),
  collection_status: z.string(),
  collection_outstanding: z.string(),
  amount_collected: z.string(),
  erp_invoice_open_balance: z.string(),
  erp_push_state: z.string().nullable(),
  has_active_payment_link: z.boolean(),
  installments: z.array(
    z.looseObject({ id: z.string(), available_amount: z.string(), collection_outstanding: z.string() }),
  ),
});
const Links = z.looseObject({
  data: z.array(
    z.looseObject({
      id: z.string(),
      invoice_id: z.string(),
      url: z.string(),
      status: z.string(),
      amount_minor: z.number(),
    }),
  ),
});
const Payments = z.looseObject({
  data: z.array(
    z.looseObject({ id: z.string(), invoice_id: z.string(), amount: z.string(), erp_push_status: z.string() }),
  ),
});
const Pushed = z.looseObject({ data: z.array(z.looseObject({ payment_id: z.string(), erp_push_status: z.string() })) });

/** Both stores and both ways of pushing, the long way each with each. */
const CIRCLES = KINDS.flatMap((kind, index) =>
  (["automatic", "held"] as const).map((mode, other) => ({
    kind,
    mode,
    isUsual: KINDS.length === 1 || index === other,
  })),
).filter(({ isUsual }) => isUsual || IS_THOROUGH);

describe.each(CIRCLES)(
  "from an invoice in the ERP to its receipt there, $kind, pushes $mode",
  { timeout: 60_000 },
  ({ kind, mode }) => {
    let service: RunningService;
    let assistant: Assistant;
    let tenantId: string;
    let connectionId: string;
    const erp = createFusionSimulator({
      credentials: { username: "U", password: "P" },
      invoices: [erpInvoice("usd", [125_050n]), erpInvoice("eur", [80_000n]), erpInvoice("split", [30_000n, 70_000n])],
      accounts: [{ PartyId: PARTY, PrimaryContactName: "Jo", PrimaryContactEmail: "ap@globex.example" }],
      receiptMethods: ["Payment Link"],
    });
    const stripe = createStripeSimulator({ secretKey: "sk_test_1" });

    beforeAll(async () => {
      service = await startService(kind);
      const { core } = service;
      await erp.listen();
      await stripe.listen();
      const eur = erpInvoice("eur", [80_000n], { currency: "EUR" });
      erp.putInvoices(eur);
      ({ id: tenantId } = await peopleOf(core).addWorkspace({ name: "Globex" }));
      await operate(core, tenantId, addMember, { email: "cfo@globex.example", role: "admin", password: PASSWORD });
      const connection = {
        provider: "oracle_fusion",
        url: erp.url,
        username: "U",
        password: "P",
        autoSync: false,
      } as const;
      connectionId = (await operate(core, tenantId, connectErp, connection)).id;
      if (mode === "held") await operate(core, tenantId, setErp, { connectionId, paymentPushMode: "held" });
      const { id } = await operate(core, tenantId, connectIntegration, {
        provider: "stripe",
        currencies: ["USD"],
        keys: { secretKey: "sk_test_1", webhookSecret: "whsec_circle" },
        apiBase: stripe.url,
      });
      stripe.setWebhook({ url: `${service.url}/webhooks/stripe/${id}`, secret: "whsec_circle" });
      await operate(core, tenantId, connectIntegration, { provider: "sandbox", currencies: ["EUR"] });
      await pull();
      const person = { email: "cfo@globex.example", password: PASSWORD };
      assistant = await connectAssistant(service.mcpUrl, approveByForms(service.url, person));
    });
    afterAll(async () => {
      await assistant?.close();
      await service?.close();
      await erp.close();
      await stripe.close();
    });

    async function pull(): Promise<void> {
      const runId = await startSync(service.core, tenantId, connectionId);
      const run = await waitForRun(service.core, tenantId, runId, { everyMs: 50 });
      expect(run).toMatchObject({ status: "succeeded" });
    }

    async function invoice(number: string): Promise<z.infer<typeof Invoice>> {
      const found = z
        .looseObject({ data: z.array(z.looseObject({ id: z.string() })) })
        .parse(await callTool(assistant.client, "list_invoices", { invoice_number: number }));
      return Invoice.parse(await callTool(assistant.client, "get_invoice", { invoice_id: found.data[0]?.id }));
    }

    async function until(what: string, condition: () => Promise<boolean>): Promise<void> {
      for (let tries = 0; tries < 150; tries++) {
        if (await condition()) return;
        await sleep(100);
      }
      throw new Error(`it did not come to this: ${what}`);
    }

    async function payInBrowser(url: string): Promise<void> {
      // One round in a real browser is enough.
      if (!HAS_CHROMIUM || (kind === "postgres" && !IS_THOROUGH)) {
        const browser = new Browser(service.url);
        expect((await browser.submit(await browser.open(url), "Pay")).text).toContain("Paid");
        return;
      }
      const browser = await launchChromium();
      const page = await browser.newPage();
      await page.goto(url);
      await page.getByRole("button", { name: "Pay" }).click();
      await page.getByText("Paid. Thank you.").waitFor();
      await browser.close();
    }

    it("goes round, and nothing is counted twice at any step [service.1.collect] [completions.6.circle]", async () => {
      const { client } = assistant;
      const [usd, eur, split] = [await invoice("usd"), await invoice("eur"), await invoice("split")];
      expect([usd, eur, split].map(({ collection_status }) => collection_status)).toEqual(["open", "open", "open"]);

      const asked = [usd, eur, split].map(({ id, installments }) => ({
        invoice_id: id,
        installment_id: installments[0]?.id,
      }));
      const request = { links: asked, idempotency_key: `circle-${kind}-${mode}` };
      const made = Links.parse(await callTool(client, "create_payment_links", request));
      expect(made.data.map(({ amount_minor, status }) => [amount_minor, status])).toEqual([
        [125_050, "active"],
        [80_000, "active"],
        [30_000, "active"],
      ]);
      expect(Links.parse(await callTool(client, "create_payment_links", request))).toEqual(made);
      expect(stripe.links).toHaveLength(2);
      expect((await invoice("usd")).installments[0]).toMatchObject({
        available_amount: "0.00",
        collection_outstanding: "1250.50",
      });

      const [usdLink, eurLink] = made.data;
      await payInBrowser(eurLink?.url ?? "");
      const paidAtStripe = stripe.links.find(({ metadata }) => Object.values(metadata).includes(usdLink?.id ?? ""));
      const paid = await stripe.pay(paidAtStripe?.id ?? "");
      for (const event of paid.events) await stripe.deliver(event, { times: 2 });

      for (const [number, amount] of [
        ["usd", "1250.50"],
        ["eur", "800.00"],
      ] as const) {
        expect(await invoice(number), number).toMatchObject({
          collection_status: "paid",
          amount_collected: amount,
          collection_outstanding: "0.00",
          erp_invoice_open_balance: amount,
          has_active_payment_link: false,
        });
      }
      const payments = Payments.parse(await callTool(client, "list_payments"));
      expect(payments.data.map(({ amount }) => amount).sort()).toEqual(["1250.50", "800.00"]);

      if (mode === "held") {
        expect(payments.data.map(({ erp_push_status }) => erp_push_status)).toEqual(["held", "held"]);
        expect(erp.receipts).toHaveLength(0);
        const push = { connection_id: connectionId, idempotency_key: "push-them" };
        const pushed = Pushed.parse(await callTool(client, "push_held_payments", push));
        expect(pushed.data).toHaveLength(2);
        expect(await callTool(client, "push_held_payments", push)).toEqual(pushed);
      }
      await until("both receipts are applied in the ERP", async () => {
        const { data } = Payments.parse(await callTool(client, "list_payments"));
        return data.every(({ erp_push_status }) => erp_push_status === "applied");
      });
      expect(erp.receipts).toHaveLength(2);
      expect(await invoice("usd")).toMatchObject({ collection_outstanding: "0.00", erp_push_state: "applied" });

      await pull();
      for (const [number, amount] of [
        ["usd", "1250.50"],
        ["eur", "800.00"],
      ] as const) {
        expect(await invoice(number), number).toMatchObject({
          collection_status: "paid",
          amount_collected: amount,
          collection_outstanding: "0.00",
          erp_invoice_open_balance: "0.00",
          erp_push_state: "applied",
        });
      }
      expect(await invoice("split")).toMatchObject({
        collection_status: "open",
        collection_outstanding: "1000.00",
        amount_collected: "0.00",
        has_active_payment_link: true,
      });
      await pull();
      expect(erp.receipts).toHaveLength(2);
      expect(Payments.parse(await callTool(client, "list_payments")).data).toHaveLength(2);
    });
  },
);
