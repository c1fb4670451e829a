import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { issueApiKey } from "../../auth/api-keys.ts";
import { addMember } from "../../auth/members.ts";
import { systemClock } from "../../src/core/calendar.ts";
import { connectErp } from "../../src/core/erp-connections/manage-connections.ts";
import { fromMinor, money } from "../../src/core/money.ts";
import { connectIntegration } from "../../src/core/payment-integrations/manage-integrations.ts";
import { paymentProviders } from "../../src/core/payment-integrations/payment-providers.ts";
import { enableWorkflow } from "../../src/core/workflows/manage-workflows.ts";
import { receiptNumberOf } from "../../src/gateways/erp/receipt-number.ts";
import { createFusionSimulator, type FusionSimulator } from "../../src/gateways/erp/simulator/index.ts";
import { createStripeSimulator, type StripeSimulator } from "../../src/gateways/payments/stripe-simulator/index.ts";
import type { CollectedRows, CollectingProcessPlan, ProcessNews, ProcessOrder } from "../support/collecting-process.ts";
import { type Accepted, ourId, slowSmtpServer, Traffic } from "../support/collecting-traffic.ts";
import { testCore } from "../support/core.ts";
import { makeTenant } from "../support/pulls.ts";
import { DATASET } from "../support/pushes.ts";
import { STORES } from "../support/stores.ts";

const SCRIPT = join(import.meta.dirname, "../support/collecting-process.ts");
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? 8);
const WEBHOOK_SECRET = "whsec_crash";
/** Between two lives every lease and hold runs out: the longest is ten minutes. */
const LIFE_AHEAD_MS = 11 * 60_000;
const LONGEST_LIFE_MS = 5_000;
const MIDDLE_MS = 40;

/** One life of the service. */
class Life {
  readonly #process: ChildProcess;
  readonly #news: ProcessNews[] = [];
  readonly exited: Promise<void>;
  #errors = "";

  constructor(plan: CollectingProcessPlan) {
    this.#process = fork(SCRIPT, [JSON.stringify(plan)], { stdio: ["ignore", "ignore", "pipe", "ipc"] });
    this.exited = new Promise((resolve) => this.#process.once("exit", () => resolve()));
    this.#process.stderr?.on("data", (chunk) => {
      this.#errors += String(chunk);
    });
    this.#process.on("message", (news: ProcessNews) => void this.#news.push(news));
  }

  tell(order: ProcessOrder): void {
    this.#process.send(order);
  }

  async until<What extends ProcessNews["what"]>(what: What): Promise<Extract<ProcessNews, { what: What }>> {
    for (;;) {
      const news = this.#news.find((one): one is Extract<ProcessNews, { what: What }> => one.what === what);
      if (news !== undefined) return news;
      if (this.#process.exitCode !== null) throw new Error(`the process ended before "${what}": ${this.#errors}`);
      await sleep(5);
    }
  }

  async kill(): Promise<void> {
    this.#process.kill("SIGKILL");
    await this.exited;
  }
}

/** What a killed life left for the next, by kind. */
function leftHanging({ links, payments, mails }: CollectedRows, stripe: StripeSimulator): string[] {
  const known = new Set(payments.map((row) => row.provider_payment_id));
  const left = {
    link: links.some(({ state }) => state === "reserved"),
    withdrawal: links.some((row) => row.withdrawal_due),
    payment: paidAt(stripe).some((id) => !known.has(id)),
    receipt: payments.some((row) => row.erp_push_status === "pending" || row.erp_push_status === "processing"),
    mail:
      mails.some((row) => row.status === "queued") ||
      links.some((row) => row.email_status === "scheduled" && row.email_lease_expires_at !== null),
  };
  return Object.entries(left).flatMap(([kind, is]) => (is ? [kind] : []));
}

/** A moment at random while a life, in turn, makes links, takes payments, pushes receipts or mails. */
async function inTheMiddle(life: number, { erp, stripe, accepted }: Omit<Outside, "saidSent">): Promise<void> {
  erp.forgetRequests();
  stripe.forgetRequests();
  const posts = (requests: readonly { method: string; path: string }[], resource: string): number =>
    requests.filter(({ method, path }) => method === "POST" && path.includes(resource)).length;
  const kinds = [
    () => posts(stripe.requests, "payment_links"),
    () => stripe.events.length,
    () => posts(erp.requests, "standardReceipts"),
    () => accepted.length,
  ];
  const count = kinds[life % kinds.length] ?? (() => 0);
  const before = count() + Math.floor(Math.random() * 2);
  const longest = Date.now() + LONGEST_LIFE_MS;
  while (count() <= before && Date.now() < longest) await sleep(3);
  await sleep(Math.random() * MIDDLE_MS);
}

/** The provider's ids of everything customers have paid. */
function paidAt({ events }: StripeSimulator): string[] {
  const paid = events.filter(({ type }) => type === "payment_intent.succeeded");
  return paid.map(({ payload }) => JSON.parse(payload).data.object.id);
}

describe.each(STORES)("a service killed while it collects on $name", ({ name, open }) => {
  const rounds = name === "PostgreSQL" ? Math.ceil(ROUNDS / 2) : ROUNDS;
  const leftover: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of leftover.splice(0).reverse()) await clean();
  });

  it(
    `agrees with Stripe, the ERP and the mailboxes after each restart, ${rounds} times [completions.5.crash] [completions.7.crash-receipt] [completions.7.crash-mail] [completions.6.crash]`,
    async ({ annotate }) => {
      let life = 0;
      const aheadMs = () => life * LIFE_AHEAD_MS;
      const now = () => new Date(Date.now() + aheadMs());
      const erp = createFusionSimulator({ ...DATASET, invoices: [], now });
      leftover.push(() => erp.close());
      const stripe = createStripeSimulator({ secretKey: "sk_test_1" });
      leftover.push(() => stripe.close());
      const smtp = await slowSmtpServer(() => life, 25);
      leftover.push(smtp.close);
      const opened = await open();
      leftover.push(() => opened.remove());
      const plain = testCore(opened.store, systemClock);
      const payments = paymentProviders({ secrets: plain.secrets, clock: systemClock, sandboxAt: null });
      const core = { ...plain, payments };
      const tenantId = await makeTenant(core);
      const { id: connectionId } = await connectErp(core, tenantId, {
        provider: "oracle_fusion",
        url: await erp.listen(),
        username: "integration",
        password: "a password",
      });
      const { id: integrationId } = await connectIntegration(core, tenantId, {
        provider: "stripe",
        currencies: ["USD"],
        keys: { secretKey: "sk_test_1", webhookSecret: WEBHOOK_SECRET },
        apiBase: await stripe.listen(),
      });
      await addMember(core, tenantId, { email: "clerk@globex.example", role: "admin" });
      await enableWorkflow(core, tenantId, { type: "auto_generate" });
      const arrangement = {
        type: "payment_arrangement",
        minimumAmount: "5000",
        assignee: "clerk@globex.example",
      } as const;
      await enableWorkflow(core, tenantId, arrangement);
      const { key } = await issueApiKey(core, tenantId, { name: "admin", permission: "admin" });
      await opened.store.close();
      erp.control({ mode: "ok", latency_ms: 15 });
      stripe.control({ mode: "ok", latency_ms: 20 });

      const traffic = new Traffic({ erp, stripe, accepted: smtp.accepted, key, connectionId, aheadMs });
      const found: string[][] = [];
      const saidSent = new Map<string, number>();
      for (; ; life += 1) {
        const service = new Life({ location: opened.location, tenantId, smtpUrl: smtp.url, aheadMs: aheadMs() });
        leftover.push(() => service.kill());
        const { url, rows } = await service.until("listening");
        stripe.setWebhook({ url: `${url}/webhooks/stripe/${integrationId}`, secret: WEBHOOK_SECRET });
        found.push(leftHanging(rows, stripe));
        for (const id of sentIn(rows)) if (!saidSent.has(id)) saidSent.set(id, life);
        if (life % 5 === 4 && life < rounds) {
          // The recovery is cut off as well.
          const deliveries = stripe.deliverPending();
          service.tell("settle");
          await sleep(Math.random() * 120);
          await service.kill();
          await deliveries;
          continue;
        }
        await stripe.deliverPending();
        service.tell("settle");
        const settled = await service.until("settled");
        checkAgreement(settled.rows, { erp, stripe, accepted: smtp.accepted, saidSent });
        if (life < rounds) traffic.bill();
        service.tell("work");
        const end = new AbortController();
        const running = traffic.run(url, end.signal);
        if (life >= rounds) {
          await expect.poll(() => traffic.done, { timeout: 60_000, interval: 50 }).toBe(true);
          end.abort();
          await running;
          service.tell("finish");
          const finished = await service.until("finished");
          checkAgreement(finished.rows, { erp, stripe, accepted: smtp.accepted, saidSent });
          checkRequests(finished.rows, traffic);
          expect(finished.errors).toEqual([]);
          break;
        }
        await inTheMiddle(life, { erp, stripe, accepted: smtp.accepted });
        end.abort();
        await service.kill();
        await running;
      }
      expect(traffic.complaints).toEqual([]);
      const counts = Object.entries(Object.groupBy(found.flat(), (kind) => kind)).map(
        ([kind, all]) => `${kind} ${all?.length}`,
      );
      const again = smtp.accepted.length - new Set(smtp.accepted.map(({ messageId }) => messageId)).size;
      await annotate(
        `left hanging by ${rounds} kills: ${counts.join(", ")}; mails that a server accepted again: ${again}`,
      );
      expect(found.filter((kinds) => kinds.length > 0).length).toBeGreaterThanOrEqual(rounds / 2);
    },
    60_000 + rounds * 20_000,
  );
});

interface Outside {
  readonly erp: FusionSimulator;
  readonly stripe: StripeSimulator;
  readonly accepted: readonly Accepted[];
  /** Mails that the store called sent, and the life that found them so. */
  readonly saidSent: ReadonlyMap<string, number>;
}

function checkAgreement(rows: CollectedRows, outside: Outside): void {
  checkLinks(rows, outside);
  checkMoney(rows, outside);
  checkMails(rows, outside);
}

/** No link without a row, no row without a link, and each is what the other says it is. */
function checkLinks({ links }: CollectedRows, { stripe }: Outside): void {
  expect(links.filter((row) => row.state === "reserved" || row.withdrawal_due)).toEqual([]);
  const atStripe = Map.groupBy(stripe.links, ourId);
  const rowIds = new Set(links.map((row) => row.payment_link_id));
  expect([...atStripe.keys()].filter((id) => !rowIds.has(id))).toEqual([]);
  for (const row of links) {
    const made = atStripe.get(row.payment_link_id) ?? [];
    if (row.state === "withdrawn") {
      expect(made.filter(({ active }) => active)).toEqual([]);
      continue;
    }
    expect(made.map(({ id }) => id)).toEqual([row.provider_link_id]);
    const [link] = made;
    expect(link?.parameters.line_items[0].price_data.unit_amount).toBe(Number(row.amount_minor));
    expect(link?.completed).toBe(row.paid_at === null && row.state !== "paid" ? 0 : 1);
    expect(link?.active).toBe(row.state !== "deactivated");
  }
  const live = links.filter(({ state }) => state === "active").map((row) => row.installment_id);
  expect(live).toHaveLength(new Set(live).size);
}

/** Each payment counts once, and has one receipt, applied in full. */
function checkMoney({ payments, installments }: CollectedRows, { stripe, erp }: Outside): void {
  expect(payments.map((row) => row.provider_payment_id).sort()).toEqual(paidAt(stripe).sort());
  expect(payments.map((row) => row.erp_push_status)).toEqual(payments.map(() => "applied"));
  const installmentOf = new Map(installments.map((row) => [row.installment_id, row]));
  const wanted = payments.map((row) => {
    const installmentId = installmentOf.get(row.installment_id ?? "")?.erp_installment_id;
    return {
      receiptId: row.erp_receipt_id,
      receiptNumber: receiptNumberOf(row.payment_id),
      applications: [{ installmentId, amount: money(row.amount).toFixed() }],
    };
  });
  const byNumber = (a: { receiptNumber: string | null }, b: { receiptNumber: string | null }) =>
    String(a.receiptNumber).localeCompare(String(b.receiptNumber));
  const held = erp.receipts.map(({ receiptId, receiptNumber, applications }) => ({
    receiptId,
    receiptNumber,
    applications: applications.map((one) => ({ ...one, amount: money(one.amount).toFixed() })),
  }));
  expect(held.sort(byNumber)).toEqual(wanted.sort(byNumber));
  const collected = Map.groupBy(payments, (row) => row.installment_id);
  for (const row of installments) {
    const paid = (collected.get(row.installment_id) ?? []).map(({ amount_minor }) => BigInt(amount_minor ?? 0));
    const sum = fromMinor(
      paid.reduce((total, one) => total + one, 0n),
      "USD",
    );
    const left = money(row.original_amount ?? "0").minus(sum ?? money("0"));
    expect(money(row.collection_outstanding).toFixed()).toBe(left.toFixed());
  }
}

/**
 * What a mailbox has, the store calls sent; what the store called sent never went out again. In between lies the one thing
 * nobody can rule out: a server accepted a mail and the service died before it could write that down. The next life sends
 * it again under the same Message-ID, or, where its link or task has ended meanwhile, leaves it `cancelled`.
 */
function checkMails({ now, links, mails }: CollectedRows, { accepted, saidSent }: Outside): void {
  const letters = [
    ...links.flatMap((row) =>
      row.email_status === null
        ? []
        : [{ id: row.payment_link_id, status: row.email_status, due: row.email_next_attempt_at }],
    ),
    ...mails.map((row) => ({ id: row.mail_id, status: row.status, due: row.next_attempt_at })),
  ];
  const livesOf = Map.groupBy(accepted, ({ messageId }) => messageId);
  expect([...livesOf.keys()].filter((id) => letters.every((letter) => letter.id !== id))).toEqual([]);
  expect(mails.map((row) => row.subject_id)).toHaveLength(new Set(mails.map((row) => row.subject_id)).size);
  for (const { id, status, due } of letters) {
    const lives = (livesOf.get(id) ?? []).map((one) => one.life);
    expect(new Set(lives).size, `mail ${id}, twice in one life`).toBe(lives.length);
    expect(
      lives.filter((one) => one >= (saidSent.get(id) ?? Number.POSITIVE_INFINITY)),
      `mail ${id}, after it was sent`,
    ).toEqual([]);
    if (status === "sent") expect(lives, `mail ${id}`).not.toEqual([]);
    else if (lives.length > 0) expect(status, `mail ${id}`).toBe("cancelled");
    if (status === "scheduled" || status === "queued") expect((due ?? "") > now, `mail ${id}, due`).toBe(true);
  }
}

function sentIn({ links, mails }: CollectedRows): string[] {
  return [
    ...links.flatMap((row) => (row.email_status === "sent" ? [row.payment_link_id] : [])),
    ...mails.flatMap((row) => (row.status === "sent" ? [row.mail_id] : [])),
  ];
}

/** Whoever asked for links, however often, has been told of the ones there are, and there are no others. */
function checkRequests({ links }: CollectedRows, { requests }: Traffic): void {
  const asked = links.filter((row) => row.created_by_kind === "api_key" && row.state !== "withdrawn");
  expect(requests.flatMap(({ answer }) => answer ?? []).sort()).toEqual(asked.map((row) => row.payment_link_id).sort());
}
