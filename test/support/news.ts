import { randomUUID } from "node:crypto";
import { beforeEach } from "vitest";
import { addMember } from "../../auth/members/add-member.ts";
import { setOwnNews } from "../../src/core/accounts/operations/own-news.ts";
import { tellNews } from "../../src/core/accounts/tell-news.ts";
import type { Role } from "../../src/core/gate/actor.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { smtpMailer } from "../../src/gateways/mail/index.ts";
import type { Mailer } from "../../src/gateways/mail/mailer.ts";
import { sendMails } from "../../src/jobs/send-mails.ts";
import type { NewsTopic } from "../../src/store/tables/mail.ts";
import { useOffice } from "../core/workflows/support.ts";
import { type Delivered, smtpServer } from "../gateways/mail/support.ts";
import { actAs } from "./acting.ts";
import { linkRow, paymentRow } from "./furnish.ts";
import { addRows, rowsOf } from "./stored.ts";
import type { useStore } from "./use-store.ts";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** What a member may be told of, all of it unchosen. */
export const NOTHING = {
  payments_received: false,
  mails_failed: false,
  receipts_failed: false,
  erp_refused: false,
  fell_overdue: false,
  pace: "morning",
} as const;
/** Of a member who is told of payments within minutes. */
export const PAYMENTS = { payments_received: true, pace: "at_once" } as const;

type Chosen = Partial<Record<NewsTopic, boolean>> & { pace?: "morning" | "at_once" };

const OFFICE = { fromAddress: "no-reply@r.example.test", publicOrigin: "https://r.example.test" };

/** Looks for news as a job does every minute. */
export const tell = (core: Core) => tellNews(core, new AbortController().signal);

/** A mail server of a test's own, and what it took. */
export async function mailbox() {
  const { port, delivered } = await smtpServer();
  return { delivered, mailer: smtpMailer(`smtp://127.0.0.1:${port}`) };
}

/** A member of a workspace, who may have chosen, and what a mail server took for them. */
export async function newsReader(
  { core, tenantId, delivered }: { core: Core; tenantId: string; delivered: readonly Delivered[] },
  role: Role,
  chosen?: Chosen,
) {
  const email = `${randomUUID()}@acme.example.test`;
  const { id: memberId } = await operate(core, tenantId, addMember, { email, role });
  if (chosen) await actAs(core, { tenantId, memberId }, setOwnNews, { ...NOTHING, ...chosen });
  const got = () => delivered.filter(({ to }) => to.includes(email)).map((one) => one.email);
  return { tenantId, memberId, email, got, texts: () => got().map(({ text = "" }) => text) };
}

/** An office for each test whose members are told news; it begins at 11:00 on 10 March in New York. */
export function useNews(open: Parameters<typeof useStore>[0]) {
  const used = useOffice(open);
  const { clock, core, store, office } = used;
  let box: Awaited<ReturnType<typeof mailbox>>;
  beforeEach(async () => {
    box = await mailbox();
  });

  const send = (mailer: Mailer = box.mailer) => sendMails(core, { ...OFFICE, mailer });
  async function owed(number: string, due_date = "2026-12-31") {
    const customer = await office.book.customer({ name: "Globex GmbH" });
    const { installments } = await office.book.invoice({ customer, invoice_number: number }, [{ due_date }]);
    const [integration] = await rowsOf(store, office.tenantId, "payment_integrations");
    return linkRow(installments[0], integration?.payment_integration_id ?? "");
  }
  return {
    ...used,
    ...{ send, owed },
    mailer: () => box.mailer,
    /** What is done every minute, then or so much later. */
    async round(when: string | number = 0, mailer?: Mailer) {
      if (typeof when === "string") clock.set(when);
      else clock.advance(when);
      await tell(core);
      await send(mailer);
    },
    someone: (role: Role, chosen?: Chosen) =>
      newsReader({ core, tenantId: office.tenantId, delivered: box.delivered }, role, chosen),
    async paid(...numbers: string[]) {
      for (const number of numbers) {
        const link = await owed(number);
        const at = clock.now().toISOString();
        await addRows(store, office.tenantId, {
          payment_links: { ...link, state: "paid", paid_at: at },
          payments: paymentRow(link, { confirmed_at: at, created_at: at, erp_push_status: null }),
        });
        clock.advance(1);
      }
    },
  };
}
