/**
 * A process that collects: it opens a store, serves the REST API and the webhooks, and does the jobs when told to. Made to
 * be killed. Its one argument is a {@link CollectingProcessPlan} as JSON; it is told a {@link ProcessOrder} and tells
 * {@link ProcessNews}.
 */
import { randomUUID } from "node:crypto";
import { inspect } from "node:util";
import express, { type RequestHandler } from "express";
import type { Selectable } from "kysely";
import { apiKeyAuthentication } from "../../auth/api-key-authentication.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { systemClock } from "../../src/core/kernel/calendar.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { requestEventReading } from "../../src/core/payments/events/read-events.ts";
import { pushPayment } from "../../src/core/payments/operations/push-payment.ts";
import { settleReceiptByHand } from "../../src/core/payments/operations/settle-receipt-by-hand.ts";
import { paymentProviders } from "../../src/core/provider-access/payment-providers.ts";
import { erpGateway } from "../../src/gateways/erp/index.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { lastResort, unknownPath } from "../../src/http/errors.ts";
import { requestIds } from "../../src/http/request-id.ts";
import { releaseEveryHold } from "../../src/jobs/housekeeping.ts";
import { pushReceipts } from "../../src/jobs/push-receipts.ts";
import { createJobs } from "../../src/jobs/schedule.ts";
import { sendLinkEmails, sendMails } from "../../src/jobs/send-mails.ts";
import { finishLinks, readProviderEvents } from "../../src/jobs/work-off.ts";
import { restApi } from "../../src/rest/api.ts";
import { webhooks } from "../../src/rest/webhooks.ts";
import type { InstallmentRow } from "../../src/store/tables/invoices.ts";
import type { OutgoingMailRow } from "../../src/store/tables/mail.ts";
import type { PaymentRow } from "../../src/store/tables/payments.ts";
import { type EmailedLink, emailedLinks } from "./emailed-links.ts";
import { listen } from "./http.ts";
import { type Location, openAt } from "./location.ts";

export interface CollectingProcessPlan {
  location: Location;
  tenantId: string;
  smtpUrl: string;
  /** How far its clock is ahead, milliseconds: whoever held a lease in an earlier life is believed gone. */
  aheadMs: number;
}

/**
 * `settle`: one pass of whatever looks after what was left hanging, and nothing else. `work`: the jobs go on until the
 * end. `finish`: they end.
 */
export type ProcessOrder = "settle" | "work" | "finish" | ClockOrder;

/** Its clock is ahead by another time from now on. */
interface ClockOrder {
  readonly aheadMs: number;
}

/** The rows that collecting moves. */
export interface CollectedRows {
  now: string;
  links: EmailedLink[];
  payments: Selectable<PaymentRow>[];
  mails: Selectable<OutgoingMailRow>[];
  installments: Pick<
    Selectable<InstallmentRow>,
    "installment_id" | "erp_installment_id" | "original_amount" | "collection_outstanding" | "not_collectible_reason"
  >[];
}

export type ProcessNews =
  | { what: "listening"; url: string; rows: CollectedRows }
  | { what: "settled"; rows: CollectedRows }
  | { what: "finished"; rows: CollectedRows; errors: string[] };

const plan: CollectingProcessPlan = JSON.parse(process.argv[2] ?? "");
let { aheadMs } = plan;
/** Resolves when all of it is on its way: a long message is cut off where the process ends before. */
const tell = (news: ProcessNews): Promise<void> =>
  new Promise((resolve) => process.send?.(news, undefined, undefined, () => resolve()));

const store = await openAt(plan.location);
const secrets = new Secrets(Buffer.alloc(32, 7));
const silent = (): void => undefined;
const errors: string[] = [];
const core: Core = {
  store,
  clock: { now: () => new Date(Date.now() + aheadMs) },
  newId: randomUUID,
  secrets,
  log: { info: silent, warn: silent, error: (told, message) => void errors.push(`${message}: ${inspect(told)}`) },
  // Stripe signs by the real time.
  payments: paymentProviders({ secrets, clock: systemClock, sandboxAt: null }),
};
/** What the service and its operators do: as in the service, it waits for its turn as long as that takes. */
const own: Core = { ...core, store: store.patient };
const office = {
  mailer: connectMailer({ smtpUrl: plan.smtpUrl, outboxFolder: "" }),
  fromAddress: "billing@receivables.example.test",
  publicOrigin: "https://receivables.example.test",
};
if (store.kind === "embedded") await releaseEveryHold(own);
const jobs = createJobs(own, { office, lookEveryMs: 60 });

async function settle(): Promise<void> {
  await requestEventReading(own, { unlease: true });
  await readProviderEvents(own);
  await finishLinks(own);
  await pushReceipts(own, erpGateway);
  await sendMails(own, office);
  await sendLinkEmails(own, office);
}

function rows(): Promise<CollectedRows> {
  const { tenantId } = plan;
  return store.read(tenantId, async (tx) => ({
    now: core.clock.now().toISOString(),
    links: await emailedLinks(tx, tenantId),
    payments: await tx.selectFrom("payments").selectAll().where("tenant_id", "=", tenantId).execute(),
    mails: await tx.selectFrom("outgoing_mails").selectAll().where("tenant_id", "=", tenantId).execute(),
    installments: await tx
      .selectFrom("installments")
      .select([
        "installment_id",
        "erp_installment_id",
        "original_amount",
        "collection_outstanding",
        "not_collectible_reason",
      ])
      .where("tenant_id", "=", tenantId)
      .execute(),
  }));
}

/** What an operator does about one payment's receipt: settles it by hand with the ERP's number, else pushes it again. */
const care: RequestHandler<{ paymentId: string; number?: string }> = async ({ params }, response) => {
  const { paymentId, number: receiptNumber } = params;
  if (receiptNumber === undefined) await operate(own, plan.tenantId, pushPayment, { paymentId, anyway: false });
  else await operate(own, plan.tenantId, settleReceiptByHand, { paymentId, receiptNumber });
  response.json({});
};

const app = express();
app.post("/operator/:paymentId/push", care);
app.post("/operator/:paymentId/by-hand/:number", care);
app.use(requestIds(core.newId), webhooks({ core }));
app.use(
  restApi({
    core,
    publicOrigin: "https://receivables.example.test",
    authenticate: apiKeyAuthentication(core, { limited: false }),
  }),
);
app.use(unknownPath, lastResort(core.log));
const server = await listen(app);

const orders: Record<Exclude<ProcessOrder, ClockOrder>, () => Promise<void>> = {
  async settle() {
    await settle();
    await tell({ what: "settled", rows: await rows() });
  },
  work: () => jobs.start(),
  async finish() {
    await jobs.drain(20_000);
    await settle();
    await tell({ what: "finished", rows: await rows(), errors });
    await server.close();
    await store.close();
    process.disconnect();
  },
};
process.on("disconnect", () => process.exit());
process.on("message", (order: ProcessOrder) => {
  if (typeof order === "string") void orders[order]();
  else aheadMs = order.aheadMs;
});
await tell({ what: "listening", url: server.url, rows: await rows() });
