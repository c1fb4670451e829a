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
import { seededRandom } from "../../src/simulators/fusion/random.ts";
import { createStripeSimulator } from "../../src/simulators/stripe/index.ts";
import { BesideTraffic, type Fate, LARGE } from "../support/beside-traffic.ts";
import { checkAgreement, checkBook, leftHanging, type Outside, sentIn } from "../support/collecting-agreement.ts";
import { Life } from "../support/collecting-life.ts";
import { testCore } from "../support/core.ts";
import { PolledCopy } from "../support/polled-copy.ts";
import { makeTenant, passAsSynced } from "../support/pulls.ts";
import { DATASET } from "../support/pushes.ts";
import { slowSmtpServer } from "../support/slow-smtp-server.ts";
import { A_STORE, times } from "../support/thorough.ts";

/** How often the embedded store's service is killed; PostgreSQL's half as often. */
const ROUNDS = Number(process.env.CRASH_ROUNDS ?? times(5, 100));
/** A third of the kills are to leave something hanging: at most so many more are tried for that. */
const MORE_ROUNDS = 30;
const WEBHOOK_SECRET = "whsec_crash";
/** Between two lives every lease and hold runs out: the longest is ten minutes. */
const LIFE_AHEAD_MS = 11 * 60_000;
/** At most so long a life waits for what it is to be killed in; then for a moment up to so long. */
const LONGEST_LIFE_MS = 4_000;
const MIDDLE_MS = 40;
const DAY_MS = 86_400_000;
/** When Auto Generate mails, by the day's clock. */
const SEND_AT_MS = 9 * 3_600_000;
const draws = seededRandom(20_261_126);

/** What lives are killed in, in turn, and whose debts move at once meanwhile. */
const KINDS = [
  { name: "links", hurries: [] },
  { name: "events", hurries: ["paid"] },
  { name: "withdrawals", hurries: ["paid_in_erp", "disputed_in_erp", "gone_from_erp", "withdrawn"] },
  { name: "receipts", hurries: ["paid"] },
  { name: "messages", hurries: [] },
] as const satisfies readonly { name: string; hurries: readonly Fate[] }[];
type KindName = (typeof KINDS)[number]["name"];

/** A moment at random while a life does what its kind says. */
async function inTheMiddle(kind: KindName, { erp, stripe, accepted, traffic }: Outside): Promise<void> {
  erp.forgetRequests();
  stripe.forgetRequests();
  const posts = (requests: readonly { method: string; path: string }[], resource: RegExp): number =>
    requests.filter(({ method, path }) => method === "POST" && resource.test(path)).length;
  const count = {
    links: () => posts(stripe.requests, /payment_links$/),
    events: () => stripe.requests.filter(({ path }) => path.startsWith("/v1/events")).length,
    withdrawals: () => posts(stripe.requests, /payment_links\/|\/expire$/),
    receipts: () => traffic.cared + posts(erp.requests, /Receipts/),
    messages: () => accepted.length,
  }[kind];
  // The list of events is read once a life.
  const before = count() + (kind === "events" ? 0 : draws.between(0, 2));
  const longest = Date.now() + LONGEST_LIFE_MS;
  while (count() <= before && Date.now() < longest) await sleep(3);
  await sleep(draws.between(0, MIDDLE_MS));
}

describe.each(A_STORE)("a service killed while it collects on $name", ({ name, open }) => {
  const rounds = name === "PostgreSQL" ? Math.ceil(ROUNDS / 2) : ROUNDS;
  const leftover: (() => unknown)[] = [];
  afterEach(async () => {
    for (const clean of leftover.splice(0).reverse()) await clean();
  });

  it(
    `agrees with Stripe, the ERP and the mailboxes after one pass, ${rounds} times [completions.5.crash] [completions.6.crash] [completions.7.crash-receipt] [completions.7.crash-mail] [completions.12.crash] [completions.12.crash-withdrawal] [completions.12.crash-by-hand] [completions.7.crash-message] [completions.13.change-cursor]`,
    async ({ annotate }) => {
      let life = 0;
      let aheadMs = 0;
      const now = () => new Date(Date.now() + aheadMs);
      const erp = createFusionSimulator({ ...DATASET, invoices: [], now });
      leftover.push(() => erp.close());
      const stripe = createStripeSimulator({ secretKey: "sk_test_1", now });
      leftover.push(() => stripe.close());
      const smtp = await slowSmtpServer(() => life, 25, now);
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
      await passAsSynced(core, tenantId);
      await operate(core, tenantId, enableWorkflow, { type: "auto_generate", daysBeforeDue: 365, confirmed: true });
      const assignee = "clerk@globex.example";
      await operate(core, tenantId, addMember, { email: assignee, role: "admin" });
      const asking = { type: "payment_arrangement", minimumAmount: String(LARGE / 100n), assignee } as const;
      await operate(core, tenantId, enableWorkflow, { ...asking, confirmed: true });
      const { key } = await operate(core, tenantId, createApiKey, { name: "admin", permission: "admin" });
      await opened.store.close();
      stripe.control({ mode: "ok", latency_ms: 15 });

      const traffic = new BesideTraffic({ erp, stripe, accepted: smtp.accepted, key, connectionId });
      const copy = new PolledCopy(key);
      const saidSent = new Map<string, number>();
      const cutOff = new Set<number>();
      const outside: Outside = { erp, stripe, accepted: smtp.accepted, saidSent, traffic, cutOff };
      const found: string[][] = [];
      const leaving = (): number => found.filter((kinds) => kinds.length > 0).length;
      for (; ; life += 1, aheadMs += LIFE_AHEAD_MS) {
        const { name: kind, hurries } = KINDS[life % KINDS.length] ?? KINDS[0];
        const refused = { mode: "refuse", resource: "standardReceipts", method: "POST", times: 3 } as const;
        erp.control({ ...(kind === "receipts" ? refused : { mode: "ok" }), latency_ms: 15 });
        const service = new Life({ location: opened.location, tenantId, smtpUrl: smtp.url, aheadMs });
        leftover.push(() => service.kill());
        const { url, rows } = await service.until("listening");
        stripe.setWebhook({ url: `${url}/webhooks/stripe/${integrationId}`, secret: WEBHOOK_SECRET });
        found.push(leftHanging(rows, outside));
        for (const id of sentIn(rows)) if (!saidSent.has(id)) saidSent.set(id, life);
        const isLast = life >= rounds && (leaving() >= rounds / 3 || life >= rounds + MORE_ROUNDS);
        if (life % 6 === 5 && !isLast) {
          // The recovery is cut off as well.
          cutOff.add(life);
          service.tell("settle");
          await sleep(draws.between(0, 150));
          await service.kill();
          continue;
        }
        service.tell("settle");
        checkAgreement((await service.until("settled")).rows, outside);
        const { copy: polled, service: served } = await copy.compared(url);
        expect(polled).toEqual(served);
        if (!isLast) for (let bills = 0; bills < 2; bills += 1) traffic.bill();
        if (kind === "events") await traffic.payUnnoticed();
        if (kind === "messages") {
          aheadMs = Math.floor(now().getTime() / DAY_MS + 1) * DAY_MS + SEND_AT_MS - Date.now();
          service.tell({ aheadMs });
        }
        service.tell("work");
        const end = new AbortController();
        traffic.windsDown = isLast;
        const running = Promise.all([traffic.run(url, end.signal, hurries), copy.follow(url, end.signal)]);
        if (isLast) {
          const timeout = 60_000 + rounds * 2_000;
          await expect.poll(() => traffic.open, { timeout, interval: 50 }).toEqual([]);
          end.abort();
          await running;
          await traffic.settleReceipts();
          service.tell("finish");
          const finished = await service.until("finished");
          checkAgreement(finished.rows, outside);
          checkBook(finished.rows, outside);
          expect(finished.errors).toEqual([]);
          break;
        }
        await inTheMiddle(kind, outside);
        end.abort();
        await service.kill();
        await running;
      }
      expect(traffic.complaints).toEqual([]);
      expect(copy.taken).toBeGreaterThan(0);
      const counts = Object.entries(Object.groupBy(found.flat(), (kind) => kind)).map(
        ([kind, all]) => `${kind} ${all?.length}`,
      );
      const again = smtp.accepted.length - new Set(smtp.accepted.map(({ messageId }) => messageId)).size;
      await annotate(
        `left hanging by ${life} kills: ${counts.join(", ")}; messages that a server accepted again: ${again} of ${smtp.accepted.length}; rows polled: ${copy.taken}, walks cut off: ${copy.cutOff}`,
      );
      expect(leaving()).toBeGreaterThanOrEqual(rounds / 3);
    },
    300_000 + rounds * 25_000,
  );
});
