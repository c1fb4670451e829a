import { performance } from "node:perf_hooks";
import type { Core } from "../src/core/gate/dependencies.ts";
import { deliverInvoices } from "../src/core/invoices/delivery/deliver-invoices.ts";
import { addDays, businessDate } from "../src/core/kernel/calendar.ts";
import type { ErpInvoice } from "../src/gateways/erp/gateway.ts";
import { advanceAging } from "../src/store/aging/rollup.ts";
import { verifyAging } from "../src/store/aging/verify.ts";
import type { AgingBook } from "./aging-book.ts";

const PAGE = 500;
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 15);

/** A page of an ERP's invoices of the book, each with other balances and another closing date than before. */
function changedPage(round: number): ErpInvoice[] {
  const today = businessDate(new Date(), "UTC");
  return Array.from({ length: PAGE }, (_, index): ErpInvoice => {
    const number = 1 + index * 3;
    const installments = [1, 2, 3, 4, 5].map((part) => ({
      erpInstallmentId: String(number * 10 + part),
      sequenceNumber: part,
      dueDate: addDays("2026-01-01", (number * part) % 300),
      originalAmount: "500",
      outstanding: String(100 + ((round + part) % 40)),
      closed: part === 5,
      closedOn: part === 5 ? addDays(today, -((round + number) % 700)) : null,
      disputed: false,
      excluded: false,
    }));
    return {
      erpInvoiceId: String(number),
      invoiceNumber: `INV-${number}`,
      currency: "USD",
      totalAmount: "2500",
      openBalance: "600",
      invoiceDate: "2025-01-01",
      dueDate: null,
      finalised: true,
      paymentTerms: null,
      businessUnit: "Vision Operations",
      customer: {
        erpCustomerId: String(1 + (number % 400)),
        number: "1",
        name: `Customer ${number % 400}`,
        site: null,
      },
      installments,
    };
  });
}

/** Milliseconds of a page of a pull before the roll-up is built and after, of building it, and of moving it by days; the least of some. */
export async function measureWrites(
  core: Core,
  { tenantId, connectionId }: AgingBook,
  analyzed: () => Promise<void>,
): Promise<{ rows: [what: string, ms: string][]; ratio: number }> {
  let round = 0;
  const run = { tenant_id: tenantId, connection_id: connectionId };
  const deliver = async (): Promise<number> => {
    const times: number[] = [];
    for (let count = 0; count < ROUNDS; count += 1) {
      const invoices = changedPage(round++);
      const start = performance.now();
      await core.store.patient.write(tenantId, (tx) =>
        deliverInvoices(
          tx,
          core,
          { ...run, started_at: core.clock.now().toISOString() },
          {
            storedThrough: invoices.at(-1)?.erpInvoiceId ?? null,
            contactNames: true,
            invoices,
            contacts: new Map(),
          },
        ),
      );
      times.push(performance.now() - start);
    }
    return Math.min(...times);
  };
  const advance = async (days: number): Promise<number> => {
    const day = addDays(businessDate(core.clock.now(), "UTC"), days);
    const start = performance.now();
    await core.store.patient.write(tenantId, (tx) => advanceAging(tx, tenantId, day));
    return performance.now() - start;
  };
  await deliver();
  const without = await deliver();
  const built = await advance(-41);
  await analyzed();
  await deliver();
  const kept = await deliver();
  const forty = await advance(-1);
  const one = await advance(0);
  const { differences } = await core.store.patient.read(tenantId, (tx) => verifyAging(tx, tenantId));
  if (differences > 0) throw new Error(`the roll-up has ${differences} differences`);
  return {
    ratio: kept / without,
    rows: [
      [`a page of ${PAGE} changed invoices, without a roll-up`, without.toFixed(1)],
      ["the same with it", kept.toFixed(1)],
      ["building the roll-up", built.toFixed(0)],
      ["moving it by 40 days", forty.toFixed(0)],
      ["moving it by a day", one.toFixed(0)],
    ],
  };
}
