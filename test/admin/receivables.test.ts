import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { createJobs, type Jobs } from "../../src/jobs/schedule.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { testCore } from "../support/core.ts";
import { addRows, rowsOf } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";
import { useStore } from "../support/use-store.ts";
import { type CommandLine, terminalOn } from "./support.ts";

const BOOK = generateBook({ seed: 5, today: "2026-03-10", invoices: 40 });

describe.each(A_STORE)("receivables at the terminal on $name", ({ open }) => {
  const opened = useStore(open);
  const core = testCore(opened.store, systemClock);
  let jobs: Jobs;
  let erp: FusionSimulator;
  let admin: CommandLine;
  let tenantId: string;
  beforeAll(async () => {
    jobs = createJobs(core, { lookEveryMs: 100 });
    await jobs.start();
    erp = createFusionSimulator({ credentials: { username: "U", password: "right" }, ...BOOK });
    await erp.listen();
    admin = terminalOn(core);
    tenantId = (await admin.json("workspace create --name W --timezone UTC")).id;
  });
  afterAll(async () => {
    await jobs.drain();
    await erp.close();
  });

  const json = (line: string, stdin?: string) => admin.json(line, stdin);
  const connect = (stdin: string, more = "") =>
    json(
      `erp connect --workspace W --provider oracle_fusion --url ${erp.url} --user U --password-stdin --auto-sync off ${more}`.trim(),
      stdin,
    );

  it("connects an ERP, pulls it and tells how that went [contract.admin.erp] [contract.erp.checked] [contract.admin.erp-sync-wait]", async () => {
    expect(await admin("erp sync --workspace W")).toMatchObject({
      code: 1,
      err: "error: No ERP connection yet: erp connect makes one.\n",
    });
    const line = `erp connect --workspace W --provider oracle_fusion --url ${erp.url} --user U --password-stdin`;
    await admin("workspace create --name Away --timezone UTC");
    const elsewhere = line.replace("--workspace W", "--workspace Away").replace(erp.url, "http://127.0.0.1:9");
    const away = await admin(elsewhere, "right\n");
    expect(away).toMatchObject({ code: 0, out: expect.stringContaining("temporarily_unavailable") });
    expect(away.err).toMatch(/^The address leads to no ERP that answers now: [^\n]+\.\nThe connection is kept\. /);
    const made = await connect("wrong\n");
    expect(made).toMatchObject({ status: "requires_reauthentication", checked: true });
    expect(made.problem).toMatch(/^The password is not taken: /);
    expect(made).toMatchObject({ provider: "oracle_fusion", url: erp.url, auto_sync_enabled: false });
    expect(JSON.stringify(made)).not.toContain("wrong");

    const refused = await admin("erp sync --workspace W --wait --json");
    expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/^error: The sync run failed: [^\n]+\n$/) });
    expect(JSON.parse(refused.out)).toMatchObject({ status: "failed", error: { code: "authentication_failed" } });

    const again = await json("erp reconnect --workspace W --password-stdin", "right\n");
    expect(again).toMatchObject({ id: made.id, status: "connected", checked: true });
    const worse = await admin("erp reconnect --workspace W --password-stdin", "wrong\n");
    expect(worse).toMatchObject({ code: 1, err: expect.stringContaining("--password-stdin is not taken") });
    const run = await json("erp sync --workspace W --wait");
    expect(run).toMatchObject({ status: "succeeded", invoices_read: 40, invoices_created: 40, error: null });

    expect(await json("erp push --workspace W")).toEqual({
      receipts_queued: 0,
      receipts_held: 0,
      receipts_reversed: 0,
      connection_status: "connected",
    });
    const changed = await json(
      "erp set --workspace W --pull-from 2026-01-31 --interval 15 --auto-sync on --sync off --push-mode held --contact-name off --apply-mode automatch --receipt-method Stripe --name Ledger",
    );
    expect(changed).toMatchObject({
      pull_invoice_date_from: "2026-01-31",
      auto_sync_interval_minutes: 15,
      auto_sync_enabled: true,
      sync_enabled: false,
      payment_push_mode: "held",
      pull_contact_name: false,
      ...{ apply_mode: "automatch", receipt_method: "Stripe" },
    });
    expect(await admin("erp sync --workspace W")).toMatchObject({
      code: 1,
      err: expect.stringContaining("switched off"),
    });
    const emptied = await json("erp set --workspace W --pull-from none --name=");
    expect([changed.name, emptied.name, emptied.pull_invoice_date_from]).toEqual(["Ledger", null, null]);
  });

  it("asks which connection, where there are several [contract.admin.erp]", async () => {
    const other = `erp connect --workspace W --provider oracle_fusion --url ${erp.url} --user V --password-stdin`;
    expect((await admin(other, "right\n")).err).toContain("--same-erp must be given, because this ERP is connected");
    const second = await connect("right", "--same-erp");
    const unclear = await admin("erp sync --workspace W");
    expect(unclear.code).toBe(1);
    expect(unclear.err).toMatch(/^error: [^\n]*several ERP connections[^\n]*--connection[^\n]*\n$/);
    const started = await json(`erp sync --workspace W --connection ${second.id}`);
    expect(started).toMatchObject({ status: "running" });
    const gone = await json(`erp disconnect --workspace W --connection ${second.id}`);
    expect(gone.status).toBe("disconnected");
    expect(await json("erp list --workspace W")).toHaveLength(2);
  });

  it("connects what can charge, and lists it [contract.admin.integration]", async () => {
    const made = await json("integration connect --workspace W --provider sandbox --currencies USD,EUR");
    expect(made).toMatchObject({ provider: "sandbox", status: "connected", currencies: ["EUR", "USD"] });
    expect((await admin("integration connect --workspace W --provider sandbox --currencies USD")).code).toBe(1);
    expect(await admin("integration connect --workspace W --provider sandbox --currencies XXZ")).toMatchObject({
      code: 2,
      err: "error: --currencies must be an ISO 4217 code in capitals\n",
    });
    const left = await admin("integration disconnect --workspace W --provider sandbox");
    expect(left).toMatchObject({ code: 0, out: expect.stringMatching(/^links_still_payable +0$/m) });
    expect(left.err).toBe("None of its payment links can be paid any more.\n");
    expect(await json("integration list --workspace W")).toMatchObject([{ status: "disconnected" }]);
    const sandbox = await admin("integration connect --workspace W --provider sandbox --currencies USD");
    expect(sandbox).toMatchObject({ code: 0, err: expect.stringContaining("no money moves") });
    expect(sandbox.out + sandbox.err).not.toMatch(/stripe|webhook|[{}<>]/i);
  });

  it("connects Stripe with keys from standard input, which it asks about them [contract.admin.integration] [completions.12.test-key]", async () => {
    const stripe = createStripeSimulator({ secretKey: "sk_test_right" });
    await stripe.listen();
    const withStripe = {
      ...core,
      payments: paymentProviders({ secrets: core.secrets, clock: systemClock, sandboxAt: null }),
    };
    const operator = terminalOn(withStripe);
    const line = `integration connect --workspace W --provider stripe --api-base ${stripe.url} --json --secret-key-stdin`;
    try {
      expect(await operator(`${line} --currencies USD`, "sk_test_right\n")).toMatchObject({
        code: 2,
        err: "error: --secret-key-stdin must be two lines: the secret key and the webhook secret\n",
      });
      expect(await operator(`${line} --currencies USD`, "sk_test_right\nnonsense\n")).toMatchObject({
        code: 2,
        err: "error: --secret-key-stdin must have the webhook secret as its second line, which starts with whsec_\n",
      });
      expect(await operator(`${line} --currencies USD`, "sk_test_wrong\nwhsec_1\n")).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^error: Stripe refused the secret key\. --secret-key-stdin/),
      });
      expect(await operator(`${line} --currencies USD,XAF`, "sk_test_right\nwhsec_1\n")).toMatchObject({
        code: 1,
        err: "error: The account cannot charge XAF. --currencies cannot be charged: XAF.\n",
      });
      const made = await operator(`${line} --currencies USD`, "sk_test_right\nwhsec_1\n");
      expect(made).toMatchObject({ code: 0, err: "" });
      expect(JSON.parse(made.out)).toMatchObject({ provider: "stripe", status: "connected", currencies: ["USD"] });
      expect(made.out).not.toMatch(/right|whsec|acct/);
      const rows = await rowsOf(opened.store, tenantId, "payment_integrations", { provider: "stripe" });
      expect(rows).toMatchObject([{ account: "acct_simulator", api_base: stripe.url }]);
      expect(rows[0]?.secrets).not.toMatch(/right|whsec/);
      expect(JSON.parse(made.out).livemode).toBe(false);
      await json("integration disconnect --workspace W --provider stripe");
      const loud = await operator(
        `integration connect --workspace W --provider stripe --api-base ${stripe.url} --secret-key-stdin --currencies USD`,
        "sk_test_right\nwhsec_1\n",
      );
      expect(loud.err).toMatch(/^This is a TEST key: no money moves, and live payments are not seen\.\n/);
      expect(loud.err).toMatch(/add an endpoint with webhook_address as its URL.*\n.*checkout\.session\.completed/);
      expect(loud.out).toContain(`http://localhost:3000/webhooks/stripe/${tenantId}\n`);
      const [, stripeTwo] = JSON.parse((await operator("integration list --workspace W --json")).out).filter(
        (one: { provider: string }) => one.provider === "stripe",
      );
      expect(
        await operator(
          "integration rotate-webhook-secret --workspace W --provider stripe --webhook-secret-stdin",
          "whsec_2\n",
        ),
      ).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^error: There are several: say which one/),
      });
      const rotate = `integration rotate-webhook-secret --workspace W --provider stripe --integration ${stripeTwo.id} --webhook-secret-stdin --json`;
      const rotated = await operator(rotate, "whsec_2\n");
      expect(rotated).toMatchObject({ code: 0, err: "" });
      expect(rotated.out).not.toContain("whsec");
      const wrong = await operator(rotate, "sk_live_2\n");
      expect(wrong.err).toMatch(/^error: [^\n]*--webhook-secret-stdin/);
      expect(wrong.err).not.toContain("sk_live_2");
      expect((await operator(rotate, "nonsense\n")).err).toContain(
        "--webhook-secret-stdin must start with whsec_, as Stripe's webhook secrets do",
      );
      const told = await operator(rotate.replace(" --json", ""), "whsec_3\n");
      expect(told.err).toMatch(
        /^The new webhook secret is good from now on\..*\n.*the earlier one is taken until .*UTC/,
      );
      // The jobs of this file may be reading the list just then.
      const read = async () => JSON.parse((await operator("integration read-events --workspace W --json")).out);
      await expect.poll(read).toEqual([{ integration: stripeTwo.id, taken: 0, skipped: 0, problem: null }]);
      await json("integration disconnect --workspace W --provider stripe");
      const forget = "integration forget --workspace W --provider stripe";
      expect(await json(`${forget} --integration ${stripeTwo.id}`)).toMatchObject({ forgotten_at: expect.any(String) });
      expect(await json(forget)).toMatchObject({ status: "disconnected", forgotten_at: expect.any(String) });
      expect(await admin(forget)).toMatchObject({ code: 1, err: "error: No such payment integration.\n" });
    } finally {
      await stripe.close();
    }
  });

  it("lists what needs a person, and takes it as dealt with, once [completions.12.attention] [completions.12.attention.once]", async () => {
    expect(await admin("attention list --workspace W")).toMatchObject({ code: 0, out: "none\n" });
    const id = randomUUID();
    await addRows(opened.store, tenantId, {
      attention_items: {
        ...{ tenant_id: tenantId, attention_item_id: id, kind: "payment_in_other_currency", subject: "pi_1" },
        ...{ payment_id: null, payment_link_id: null, invoice_id: null, amount_minor: "9000", currency: "EUR" },
        ...{ occurred_at: "2026-03-10T08:00:00.000Z", created_at: "2026-03-10T08:00:01.000Z", resolved_at: null },
      },
    });
    const item = { id, kind: "payment_in_other_currency", amount: "90.00", currency: "EUR", detail: "pi_1" };
    expect(await json("attention list --workspace W")).toMatchObject([item]);
    const resolve = `attention resolve --workspace W --id ${id}`;
    for (const already_resolved of [false, true])
      expect(await json(resolve)).toEqual({ id, resolved_at: expect.any(String), already_resolved });
    expect((await admin(resolve)).err).toBe("Nothing was changed: it was so already.\n");
    expect(await json("attention list --workspace W")).toEqual([]);
    expect(await json(`${resolve} --open`)).toEqual({ id, resolved_at: null, already_resolved: true });
    expect((await admin("attention resolve --workspace W --id 1")).err).toMatch(/^error: --id must be an id/);
  });

  it("makes local invoices [contract.admin.invoice]", async () => {
    const create = "invoice create --workspace W --number L-2 --customer-name Ann --currency USD --amount 5";
    const bare = await json(`${create} --number L-0 --due-date 2026-04-01`);
    expect(bare.installment_ids).toHaveLength(1);
    const full = await json(
      'invoice create --workspace W --number L-1 --currency USD --amount 300 --invoice-date 2026-03-01 --customer-name "Ann & Co" --customer-email ap@ann.test --installment 2026-04-01:100.50 --installment :199.50',
    );
    expect(full.installment_ids).toHaveLength(2);
    const stored = await rowsOf(opened.store, tenantId, "installments", { invoice_id: full.id }, "sequence_number");
    expect(stored).toMatchObject([
      { due_date: "2026-04-01", original_amount: "100.50" },
      { due_date: null, original_amount: "199.50" },
    ]);
    const unequal = await admin(`${create} --installment 2026-04-01:4`);
    expect(unequal).toMatchObject({ code: 1, err: expect.stringContaining("--installment must add up to the amount") });
    for (const wrong of ["2026-04-31:5", "2026-04-01", "2026-04-01:0", "2026-04-01:1e3"]) {
      const { code, err } = await admin(`${create} --installment ${wrong}`);
      expect({ code, err }, wrong).toMatchObject({ code: 2, err: expect.stringContaining("error: --installment ") });
    }
  });

  it("overrides a customer's billing email [contract.admin.customer-email]", async () => {
    const id = (await rowsOf(opened.store, tenantId, "customers")).find(({ name }) => name !== null)?.customer_id;
    const set = await json(`customer email --workspace W --customer ${id} --email billing@own.test`);
    expect(set).toMatchObject({ id, email: "billing@own.test" });
    const back = await json(`customer email --workspace W --customer ${id} --email ""`);
    expect(back.email).not.toBe("billing@own.test");
    expect((await admin(`customer email --workspace W --customer ${id} --email nobody`)).code).toBe(2);
  });
});
