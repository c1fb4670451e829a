import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import type { Store } from "../../src/store/store.ts";
import { multiply } from "../support/multiply.ts";
import { HOUR, MINUTE, PAYMENTS, tell, useNews } from "../support/news.ts";
import { analyze, holding, readSoFar, replacing } from "../support/reads.ts";
import { expectSameCost } from "../support/same-cost.ts";
import { setRows } from "../support/stored.ts";
import { storesOf } from "../support/stores.ts";

const DOWN = connectMailer({ smtpUrl: "smtp://127.0.0.1:1", outboxFolder: "/nowhere" });

describe.each(storesOf(import.meta.url))("what members are told by mail when something fails, on $name", ({ open }) => {
  const { clock, core, store, office, mailer, paid, round, send, someone } = useNews(open);

  it("goes out once, and the same, though its process is lost after queueing or after sending it [pages.news.crash]", async () => {
    const member = await someone("member", PAYMENTS);
    await round(10 * MINUTE);
    await paid("INV-1");
    clock.advance(5 * MINUTE);
    // Two processes look at once, and both are lost.
    const [held, hold] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = tell({ ...core, store: holding(store, held, hold) });
    await held.promise;
    const second = tell(core);
    await sleep(500);
    hold.resolve();
    await Promise.all([first, second]);
    await paid("INV-2");
    clock.advance(5 * MINUTE);
    await tell(core);
    await send({
      async send(...mail) {
        await mailer().send(...mail);
        throw new Error("lost before it was noted");
      },
    });
    await round(5 * MINUTE);
    const [mail, again, ...more] = member.got();
    expect(again?.messageId).toBe(mail?.messageId);
    expect(again?.text).toBe(mail?.text);
    expect(mail?.text).toContain("INV-1");
    expect(more).toEqual([]);
    await round(5 * MINUTE);
    await round(5 * MINUTE);
    expect(member.texts().slice(2)).toEqual([expect.stringMatching(/^1 payment received\n[\s\S]*INV-2/)]);
  });

  it("is neither lost nor told twice while no mail server takes anything, for days [pages.news.outage]", async () => {
    const member = await someone("member", PAYMENTS);
    await round(10 * MINUTE);
    const numbers: string[] = [];
    for (let hour = 0; hour < 60; hour += 1) {
      if (hour % 10 === 0) {
        numbers.push(`INV-${hour}.`);
        await paid(`INV-${hour}.`);
      }
      await round(HOUR, DOWN);
      expect((await office.mails()).filter(({ status }) => status === "queued").length).toBeLessThanOrEqual(1);
    }
    expect((await office.mails()).filter(({ status }) => status === "failed").length).toBeGreaterThan(0);
    for (let minute = 0; minute < 100; minute += 1) await round(MINUTE);
    const told = member.texts().flatMap((text) => text.match(/INV-\d+/g) ?? []);
    expect(told.sort()).toEqual(numbers.map((number) => number.slice(0, -1)).sort());
  });

  it("is looked for again after a clock that was wrong [service.8.wrong-clock]", async () => {
    const member = await someone("member", PAYMENTS);
    const wrong = new Date(clock.now().getTime() + 40 * 24 * HOUR).toISOString();
    await setRows(
      store,
      office.tenantId,
      "member_news",
      { due_at: wrong, told_until: wrong },
      { member_id: member.memberId },
    );
    await round(MINUTE);
    await paid("INV-1");
    for (let minute = 0; minute < 5; minute += 1) await round(MINUTE);
    expect(member.got()).toHaveLength(1);
  });

  /** What it costs a day later to see who has news. */
  async function look() {
    clock.advance(24 * HOUR);
    let [rows, blocks] = [0, 0];
    const write: Store["write"] = (tenantId, work) =>
      store.write(tenantId, async (tx) => {
        const before = await readSoFar(tx);
        const done = await work(tx);
        const after = await readSoFar(tx);
        [rows, blocks] = [rows + after.rows - before.rows, blocks + after.blocks - before.blocks];
        return done;
      });
    await tell({ ...core, store: replacing(store, { write }) });
    expect(blocks).toBeGreaterThan(0);
    return { rows, blocks };
  }

  it("is looked for at the same cost, however much there is to tell [pages.news.cost]", async () => {
    const member = await someone("member", { payments_received: true });
    await look();
    await paid("INV-1");
    const few = await look();
    await send();
    await paid("INV-2");
    const changes = sql`jsonb_build_object('payment_id', gen_random_uuid(), 'provider_payment_id', gen_random_uuid())`;
    const which = sql`one.confirmed_at = (select max(confirmed_at) from payments)`;
    await store.write(office.tenantId, (tx) => multiply(tx, "payments", { which, count: 2_000, changes }));
    await analyze(store);
    // Half of what is to be told would be a thousand; the planner reads some pages of it.
    expect((await look()).rows).toBeLessThan(few.rows + 1_000);
    await send();
    expect(member.texts().at(-1)).toMatch(/2[,.]?00\d payments received/);
  });

  it("costs the same however much was told before [pages.news.cost]", async () => {
    await someone("member", { payments_received: true, fell_overdue: true });
    await look();
    await paid("INV-1");
    await look();
    const few = await look();
    await paid(...Array.from({ length: 100 }, (_, index) => `INV-${index}`));
    await look();
    expectSameCost(await look(), few);
  });
});
