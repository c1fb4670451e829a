import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { createApiKey } from "../../auth/api-keys/create-api-key.ts";
import { addMember } from "../../auth/members/add-member.ts";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { connectIntegration } from "../../src/core/payment-integrations/operations/connect-integration.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { enableWorkflow } from "../../src/core/workflows/operations/enable-workflow.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { checkAgreement, checkRequests, leftHanging, type Outside, sentIn } from "../support/collecting-agreement.ts";
import { Life } from "../support/collecting-life.ts";
import { Traffic } from "../support/collecting-traffic.ts";
import { testCore } from "../support/core.ts";
import { makeTenant, passAsSynced } from "../support/pulls.ts";
import { DATASET } from "../support/pushes.ts";
import { slowSmtpServer } from "../support/slow-smtp-server.ts";
import { A_STORE, times } from "../support/thorough.ts";

/** How often the embedded store's service is killed; PostgreSQL's half as often. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? times(3, 50));
/** Half of the kills are to leave something hanging: at most so many more are tried for that. */
const MORE_ROUNDS = 30;
const WEBHOOK_SECRET = "whsec_crash";
/** Between two lives every lease and hold runs out: the longest is ten minutes. */
const LIFE_AHEAD_MS = 11 * 60_000;
/** At most so long a life waits for what it is to be killed in; then for a moment up to so long. */
const LONGEST_LIFE_MS = 5_000;
const MIDDLE_MS = 40;

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

describe.each(A_STORE)("a service killed while it collects on $name", ({ name, open }) => {
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
      const stripe = createStripeSimulator({ secretKey: "sk_test_1", now });
      leftover.push(() => stripe.close());
      const smtp = await slowSmtpServer(() => life, 25);
      leftover.push(smtp.close);
      const opened = await open();
      leftover.push(() => opened.remove());
      const plain = testCore(opened.store, systemClock);
      const payments = paymentProviders({ secrets: plain.secrets, clock: systemClock, sandboxAt: null });
      const core = { ...plain, payments };
      const tenantId = await makeTenant(core);
      const { id: connectionId } = await operate(core, tenantId, connectErp, {
        provider: "oracle_fusion",
        url: await erp.listen(),
        username: "integration",
        password: "a password",
      });
      const { id: integrationId } = await operate(core, tenantId, connectIntegration, {
        provider: "stripe",
        currencies: ["USD"],
        keys: { secretKey: "sk_test_1", webhookSecret: WEBHOOK_SECRET },
        apiBase: await stripe.listen(),
      });
      await operate(core, tenantId, addMember, { email: "clerk@globex.example", role: "admin" });
      await passAsSynced(core, tenantId);
      await operate(core, tenantId, enableWorkflow, { type: "auto_generate", daysBeforeDue: 365, confirmed: true });
      const arrangement = {
        type: "payment_arrangement",
        minimumAmount: "5000",
        assignee: "clerk@globex.example",
      } as const;
      await operate(core, tenantId, enableWorkflow, { ...arrangement, confirmed: true });
      const { key } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
      await opened.store.close();
      erp.control({ mode: "ok", latency_ms: 15 });
      stripe.control({ mode: "ok", latency_ms: 20 });

      const traffic = new Traffic({ erp, stripe, accepted: smtp.accepted, key, connectionId, aheadMs });
      const found: string[][] = [];
      const leaving = (): number => found.filter((kinds) => kinds.length > 0).length;
      const saidSent = new Map<string, number>();
      for (; ; life += 1) {
        const service = new Life({ location: opened.location, tenantId, smtpUrl: smtp.url, aheadMs: aheadMs() });
        leftover.push(() => service.kill());
        const { url, rows } = await service.until("listening");
        stripe.setWebhook({ url: `${url}/webhooks/stripe/${integrationId}`, secret: WEBHOOK_SECRET });
        found.push(leftHanging(rows, stripe));
        const isLast = life >= rounds && (leaving() >= rounds / 2 || life >= rounds + MORE_ROUNDS);
        for (const id of sentIn(rows)) if (!saidSent.has(id)) saidSent.set(id, life);
        if (life % 5 === 4 && !isLast) {
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
        if (!isLast) traffic.bill();
        service.tell("work");
        const end = new AbortController();
        const running = traffic.run(url, end.signal);
        if (isLast) {
          const timeout = 120_000 + rounds * 5_000;
          await expect.poll(() => traffic.open, { timeout, interval: 50 }).toEqual([]);
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
        `left hanging by ${life} kills: ${counts.join(", ")}; mails that a server accepted again: ${again}`,
      );
      expect(leaving()).toBeGreaterThanOrEqual(rounds / 2);
    },
    300_000 + rounds * 25_000,
  );
});
