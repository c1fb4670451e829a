import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { setCustomerEmail } from "../../../src/core/customers/operations/set-customer-email.ts";
import { setInvoicesEmail } from "../../../src/core/customers/queries.ts";
import { setErp } from "../../../src/core/erp-connections/operations/set-erp.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { operate } from "../../../src/core/gate/operator.ts";
import { retireInvoices } from "../../../src/core/invoices/delivery/retire-invoices.ts";
import { createLocalInvoice } from "../../../src/core/invoices/operations/create-local-invoice.ts";
import type { Store, Transaction } from "../../../src/store/store.ts";
import { TestClock, testCore } from "../../support/core.ts";
import { type Desk, LONG_AGO, openDesk, pollersOf } from "../../support/polled-desk.ts";
import { onOwnDatabase, STORES } from "../../support/stores.ts";
import { useStore } from "../../support/use-store.ts";

const LOCAL = { number: "L-1", customerName: "Globex", currency: "USD", amount: "5" };
const AHEAD = "2026-03-10T15:01:00.000Z";

const byId = <T extends { id: string }>(rows: readonly T[]) => new Map(rows.map((row) => [row.id, row]));

describe.each(STORES)(
  "instants that callers poll by, written by a process whose clock is behind another's, on $name",
  ({ open }) => {
    const opened = useStore(open);
    let desk: Desk;
    /** The process that is behind. */
    let core: Core;

    beforeAll(async () => {
      desk = await openDesk(opened.store);
      core = testCore(opened.store);
      const customer = await desk.book.customer();
      await desk.book.invoice({ customer, updated_at: LONG_AGO });
      const ahead = testCore(opened.store, new TestClock(AHEAD));
      await operate(ahead, desk.book.tenantId, setCustomerEmail, {
        customerId: customer.customer_id,
        email: "new@one.example.test",
      });
    });

    const write = <T>(work: (tx: Transaction) => Promise<T>) => opened.store.write(desk.book.tenantId, work);

    /** An invoice that was last changed long ago. */
    const oldInvoice = async (contactName: string | null = null) => {
      const customer = await desk.book.customer({ contact_name: contactName });
      return (await desk.book.invoice({ customer, updated_at: LONG_AGO }, [{}])).invoice;
    };

    it.each<[how: string, change: () => Promise<string>]>([
      ["made in the service", async () => (await operate(core, desk.book.tenantId, createLocalInvoice, LOCAL)).id],
      [
        "whose customer gets another email",
        async () => {
          const { invoice_id, customer_id } = await oldInvoice();
          const given = { customerId: customer_id ?? "", email: "new@two.example.test" };
          await operate(core, desk.book.tenantId, setCustomerEmail, given);
          return invoice_id;
        },
      ],
      [
        "whose contact is forgotten",
        async () => {
          const { invoice_id } = await oldInvoice("Ada");
          await operate(core, desk.book.tenantId, setErp, { connectionId: desk.book.connectionId, contactName: false });
          return invoice_id;
        },
      ],
      [
        "that is retired",
        async () => {
          const { invoice_id } = await oldInvoice();
          await write((tx) => retireInvoices(tx, core, desk.book.tenantId, [invoice_id]));
          return invoice_id;
        },
      ],
    ])(
      "are not older than those on the wire already: an invoice %s [service.4.4.updated-since]",
      async (_how, change) => {
        const before = (await desk.invoices(AHEAD)).map((row) => row.id);
        const untouched = await oldInvoice();
        const id = await change();
        const news = (await desk.invoices(AHEAD)).filter((row) => !before.includes(row.id));
        expect(news.map((row) => row.id)).toEqual([id]);
        expect(await desk.invoices(LONG_AGO)).toContainEqual(
          expect.objectContaining({ id: untouched.invoice_id, updated_at: LONG_AGO }),
        );
      },
    );

    it("are not older than those on the wire already: a payment, which moves no invoice [completions.5.confirmed-since] [service.2.3.updated-at]", async () => {
      const { invoice, pay } = await desk.payable();
      const paymentId = await write((tx) => pay(tx, core));
      expect((await desk.payments(AHEAD)).map((row) => row.id)).toEqual([paymentId]);
      expect((await desk.invoices(AHEAD)).map((row) => row.id)).not.toContain(invoice.invoice_id);
    });

    it("stay as they are where they are later [service.4.4.updated-since]", async () => {
      const later = "2026-03-10T15:02:00.000Z";
      const invoice = await oldInvoice();
      await write((tx) =>
        retireInvoices(tx, testCore(opened.store, new TestClock(later)), desk.book.tenantId, [invoice.invoice_id]),
      );
      expect(await desk.invoices(later)).toMatchObject([{ id: invoice.invoice_id, updated_at: later }]);
    });
  },
);

describe.skipIf(inject("postgresUrl") === null)(
  "polling beside transactions that end in another order than they began",
  () => {
    const onDesk = (work: (store: Store, desk: Desk) => Promise<void>) =>
      onOwnDatabase(async (store) => work(store, await openDesk(store)), { poolSize: 6 });

    it("sees what ends late [service.4.4.updated-since] [completions.5.confirmed-since] [completions.13.change-cursor]", () =>
      onDesk(async (store, desk) => {
        const { tenantId } = desk.book;
        const clock = new TestClock();
        const core = testCore(store, clock);
        const [slow, quick] = [await desk.payable(), await desk.payable()];
        const change = async (tx: Transaction, { invoice, pay }: typeof slow): Promise<void> => {
          await pay(tx, core);
          const at = clock.now().toISOString();
          await setInvoicesEmail(tx, tenantId, [invoice.invoice_id], "new@three.example.test", at);
        };
        const written = Promise.withResolvers<void>();
        const end = Promise.withResolvers<void>();
        const late = store.write(tenantId, async (tx) => {
          await change(tx, slow);
          written.resolve();
          await end.promise;
        });
        await Promise.race([written.promise, late]);
        clock.advance(5);
        await store.write(tenantId, (tx) => change(tx, quick));
        const polled = pollersOf(desk);
        await polled.poll();
        end.resolve();
        await late;
        const [payment] = (await desk.payments(LONG_AGO)).filter((row) => row.invoice_id === slow.invoice.invoice_id);
        const [paid, changed] = [[payment?.id], [slow.invoice.invoice_id]];
        expect(await polled.poll()).toMatchObject({
          updated: changed,
          collected: changed,
          confirmed: paid,
          payments: paid,
        });
      }));

    it("has seen the last state of every row in the end [service.4.4.updated-since] [completions.5.confirmed-since] [completions.13.change-cursor]", () =>
      onDesk(async (store, desk) => {
        const { tenantId } = desk.book;
        const core = testCore(store, { now: () => new Date() });
        // One after the other: of many at once, the last are refused where the machine is slow.
        const rows: Awaited<ReturnType<typeof desk.payable>>[] = [];
        while (rows.length < 60) rows.push(await desk.payable());
        const polled = pollersOf(desk);
        const writer = async (own: number): Promise<void> => {
          for (let index = own; index < rows.length; index += 4) {
            const row = rows[index];
            if (row === undefined) continue;
            await store.write(tenantId, async (tx) => {
              await row.pay(tx, core);
              const at = core.clock.now().toISOString();
              await setInvoicesEmail(tx, tenantId, [row.invoice.invoice_id], `of-${own}@example.test`, at);
              await sleep((index * 7) % 30);
            });
          }
        };
        let isWriting = true;
        const polling = async (): Promise<void> => {
          while (isWriting) await polled.poll();
        };
        const polls = polling();
        await Promise.all([0, 1, 2, 3].map(writer)).finally(() => {
          isWriting = false;
        });
        await polls;
        await polled.poll();
        const [payments, invoices] = [byId(await desk.payments(LONG_AGO)), byId(await desk.invoices(LONG_AGO))];
        expect(payments.size).toBe(60);
        expect(polled.payments.seen).toEqual(payments);
        expect(polled.confirmed.seen).toEqual(payments);
        expect(new Map([...polled.updated.seen, ...polled.collected.seen])).toEqual(invoices);
      }));
  },
);
