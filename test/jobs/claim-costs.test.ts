import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WORKFLOW_WORK } from "../../src/core/collection/to-examine-queries.ts";
import { claimWork } from "../../src/core/gate/claims.ts";
import type { Core } from "../../src/core/gate/dependencies.ts";
import { MAILS } from "../../src/core/mail/outgoing-queries.ts";
import { claimLinkMessages } from "../../src/core/payment-links/emails/claim-link-messages.ts";
import { UNSETTLED_LINKS } from "../../src/core/payment-links/link-queries.ts";
import { readBacklog } from "../../src/store/backlog.ts";
import { emailDue, insertLink, type Office, openOffice, partOf } from "../core/workflows/support.ts";
import { TestClock, testCore } from "../support/core.ts";
import { mailRow } from "../support/furnish.ts";
import { waiting } from "../support/locks.ts";
import { multiply } from "../support/multiply.ts";
import { analyze, holding, readsOf, replacing } from "../support/reads.ts";
import { expectSameCost } from "../support/same-cost.ts";
import type { TestStore } from "../support/stores.ts";
import { A_STORE, times } from "../support/thorough.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const FEW = 10;
const MANY = times(2_000, 10_000);
/** Claimed at once. */
const LIMIT = 5;

type Claim = (on: Core) => Promise<readonly unknown[]>;

describe.each(A_STORE)("work that is due on $name", ({ name, open }) => {
  const clock = new TestClock();
  let opened: TestStore;
  let core: Core;
  let office: Office;
  beforeEach(async () => {
    opened = await open();
    core = testCore(opened.store, clock);
    office = await openOffice(core);
  });
  afterEach(() => opened.remove());

  const instant = (milliseconds: number) => new Date(clock.now().getTime() + milliseconds).toISOString();
  const idOf = (what: string) => sql`md5(${what} || one.tenant_id || ${randomUUID()}::text || n)::uuid`;

  let copied = 0;
  const erpId = () => {
    copied += MANY;
    return sql`${copied}::bigint + n`;
  };

  /** Invoices that one email each is to go out for, to a customer of its own. */
  async function emails(count: number, at: string): Promise<void> {
    const { tenantId, book } = office;
    const to = `${randomUUID()}@globex.example.test`;
    const ids = partOf(await book.invoice({ customer_email: to }, [{}]));
    const linkId = await insertLink(core, tenantId, ids, {
      ...emailDue(to, at),
    });
    await core.store.patient.write(tenantId, async (tx) => {
      const own = randomUUID();
      const [ofInvoice, ofInstallment] = [
        sql`md5('invoice' || ${own}::text || n)::uuid`,
        sql`md5('installment' || ${own}::text || n)::uuid`,
      ];
      const address = sql`n || '-' || ${to}::text`;
      const copies = count - 1;
      await multiply(tx, "invoices", {
        which: sql`one.invoice_id = ${ids.invoiceId}`,
        count: copies,
        changes: sql`jsonb_build_object('invoice_id', ${ofInvoice}, 'customer_email', ${address}, 'erp_invoice_id', ${erpId()})`,
      });
      await multiply(tx, "installments", {
        which: sql`one.installment_id = ${ids.installmentId}`,
        count: copies,
        changes: sql`jsonb_build_object('installment_id', ${ofInstallment}, 'invoice_id', ${ofInvoice})`,
      });
      const ofLink = sql`md5('link' || ${own}::text || n)::uuid`;
      await multiply(tx, "payment_links", {
        which: sql`one.payment_link_id = ${linkId}`,
        count: copies,
        changes: sql`jsonb_build_object('payment_link_id', ${ofLink}, 'reservation_id', ${idOf("reservation")},
          'invoice_id', ${ofInvoice}, 'installment_id', ${ofInstallment})`,
      });
      await multiply(tx, "link_emails", {
        which: sql`one.payment_link_id = ${linkId}`,
        count: copies,
        changes: sql`jsonb_build_object('payment_link_id', ${ofLink}, 'recipient', ${address})`,
      });
    });
  }

  async function links(count: number, at: string): Promise<void> {
    const ids = partOf(await office.book.invoice({}, [{}]));
    const linkId = await insertLink(core, office.tenantId, ids, {
      state: "reserved",
      url: null,
      provider_link_id: null,
      next_attempt_at: at,
    });
    await core.store.patient.write(office.tenantId, (tx) =>
      multiply(tx, "payment_links", {
        which: sql`one.payment_link_id = ${linkId}`,
        count: count - 1,
        changes: sql`jsonb_build_object('payment_link_id', ${idOf("link")}, 'reservation_id', ${idOf("reservation")})`,
      }),
    );
  }

  async function mails(count: number, at: string): Promise<void> {
    const mailId = randomUUID();
    await core.store.patient.write(office.tenantId, async (tx) => {
      const row = mailRow(office.tenantId, { mail_id: mailId, next_attempt_at: at, created_at: at });
      await tx.insertInto("outgoing_mails").values(row).execute();
      await multiply(tx, "outgoing_mails", {
        which: sql`one.mail_id = ${mailId}`,
        count: count - 1,
        changes: sql`jsonb_build_object('mail_id', ${idOf("mail")})`,
      });
    });
  }

  async function work(count: number, at: string): Promise<void> {
    const { invoice } = await office.book.invoice({}, [{}]);
    const queued = sql`insert into workflow_work (tenant_id, invoice_id, next_attempt_at)
      select tenant_id, invoice_id, ${at} from invoices where tenant_id = ${office.tenantId} on conflict do nothing`;
    await core.store.patient.write(office.tenantId, async (tx) => {
      await multiply(tx, "invoices", {
        which: sql`one.invoice_id = ${invoice.invoice_id}`,
        count: count - 1,
        changes: sql`jsonb_build_object('invoice_id', ${idOf("invoice")}, 'erp_invoice_id', ${erpId()})`,
      });
      await queued.execute(tx);
    });
  }

  const claims: [what: string, make: typeof emails, later: number, claim: Claim][] = [
    ["emails to customers", emails, DAY, (on) => claimLinkMessages(on, { limit: LIMIT, leaseMs: MINUTE })],
    ["links left hanging", links, HOUR, (on) => claimWork(on, UNSETTLED_LINKS, { limit: LIMIT, leaseMs: MINUTE })],
    ["mails to members", mails, HOUR, (on) => claimWork(on, MAILS, { limit: LIMIT, leaseMs: MINUTE })],
    ["invoices of workflows", work, DAY, (on) => claimWork(on, WORKFLOW_WORK, { limit: LIMIT, leaseMs: MINUTE })],
  ];
  const claimed = async (on: Core, claim: Claim) => expect(await claim(on)).toHaveLength(LIMIT);

  it.each(claims)(
    "%s are claimed at the same cost, however many are due [facts.scale.claim-cost]",
    async (_, make, _later, claim) => {
      await make(FEW, instant(-MINUTE));
      await analyze(core.store);
      const few = await readsOf(core, (on) => claimed(on, claim));
      await make(MANY, instant(-MINUTE));
      await analyze(core.store);
      expectSameCost(await readsOf(core, (on) => claimed(on, claim)), few);
    },
  );

  it.each(claims)("%s of later are not looked at [facts.scale.claim-cost]", async (_, make, later, claim) => {
    await make(FEW, instant(later));
    await analyze(core.store);
    const none = async (on: Core) => expect(await claim(on)).toEqual([]);
    const few = await readsOf(core, none);
    await make(MANY, instant(later));
    await analyze(core.store);
    const { rows, blocks } = await readsOf(core, none);
    expectSameCost({ rows: rows - FEW, blocks: blocks - FEW }, few);
  });

  it.each(claims)(
    "%s that wait are counted at the same cost, however many [facts.scale.claim-cost]",
    async (_, make) => {
      const counted = (on: Core) => on.store.everyShard((tx, shards) => readBacklog(tx, shards, instant(0)));
      const some = async (count: number) => {
        for (const at of [-MINUTE, DAY]) await make(count, instant(at));
        await analyze(core.store);
        return readsOf(core, counted);
      };
      const few = await some(FEW);
      expectSameCost(await some(MANY), few);
    },
  );

  it("mails of several workspaces are found together [facts.scale.claim-cost]", async () => {
    for (let made = 0; made < LIMIT; made += 1) {
      office = await openOffice(core);
      await mails(2, instant(-MINUTE));
    }
    let looks = 0;
    const store = replacing(core.store, {
      everyShard: (work, whole) => {
        looks += 1;
        return core.store.everyShard(work, whole);
      },
    });
    const options = { limit: 3 * LIMIT, leaseMs: MINUTE };
    expect(await claimWork({ ...core, store }, MAILS, options)).toHaveLength(2 * LIMIT);
    expect(looks).toBeLessThanOrEqual(2);
  });

  it("emails are claimed of each workspace in turn, whichever has thousands [facts.scale.turns]", async () => {
    const first = office.tenantId;
    await emails(FEW, instant(-HOUR));
    office = await openOffice(core);
    await emails(1, instant(-MINUTE));
    const claimed = await claimLinkMessages(core, { limit: LIMIT, leaseMs: MINUTE });
    const workspaces = claimed.map((message) => message.tenant_id);
    expect(workspaces.filter((id) => id === office.tenantId)).toHaveLength(1);
    expect(workspaces.filter((id) => id === first)).toHaveLength(LIMIT - 1);
  });

  it.skipIf(name === "the embedded store")(
    "emails of several customers are claimed at once, none waiting for another [facts.scale.claim-alone]",
    async () => {
      await emails(2, instant(-MINUTE));
      const hold = Promise.withResolvers<void>();
      const held = Promise.withResolvers<void>();
      const one = { limit: 1, leaseMs: MINUTE };
      const slow = claimLinkMessages({ ...core, store: holding(core.store, held, hold) }, one);
      try {
        await held.promise;
        const quick = claimLinkMessages(core, one);
        await expect.poll(() => waiting(core.store)).toBe(0);
        expect(await quick).toHaveLength(1);
        hold.resolve();
        expect(await slow).toHaveLength(1);
        expect(await claimLinkMessages(core, one)).toEqual([]);
      } finally {
        hold.resolve();
        await slow;
      }
    },
  );
});
