import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, inject, it } from "vitest";
import { lockCustomers } from "../../../src/core/invoices/delivery/deliver-queries.ts";
import { openBook } from "../../support/book.ts";
import { onOwnDatabase } from "../../support/stores.ts";

describe.skipIf(inject("postgresUrl") === null)("a pull that has locked a customer", () => {
  it("holds up nobody whose invoice refers to them, which would be a deadlock [contract.customer-locks]", () =>
    onOwnDatabase(
      async (store) => {
        const book = await openBook(store);
        const { tenantId, connectionId } = book;
        const customer = await book.customer();
        const late = new AbortController();
        const first = await store.write(tenantId, async (tx) => {
          await lockCustomers(tx, tenantId, connectionId, [customer.erp_customer_id]);
          const billed = book.invoice({ customer }).then(() => "billed");
          return Promise.race([billed, sleep(10_000, "held up", { signal: late.signal })]);
        });
        late.abort();
        expect(first).toBe("billed");
      },
      { poolSize: 4 },
    ));
});
