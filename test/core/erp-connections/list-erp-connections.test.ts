import { beforeAll, describe, expect, it } from "vitest";
import { listErpConnections } from "../../../src/core/erp-connections/operations/list-erp-connections.ts";
import { connectionRow } from "../../support/book.ts";
import { call, refusal, walk } from "../../support/lists.ts";
import { storesOf } from "../../support/stores.ts";
import { useBook } from "../../support/use-store.ts";

describe.each(storesOf(import.meta.url))("listErpConnections on $name", ({ open }) => {
  const { book, core } = useBook(open);
  const other = "6e3a0c1e-0d7c-4f53-9d0b-222222222222";

  beforeAll(async () => {
    const row = connectionRow(book.tenantId, {
      connection_id: other,
      status: "requires_reauthentication",
      credential: "v1.sealed",
      auto_sync_enabled: true,
      auto_sync_interval_minutes: 1440,
      pull_invoice_date_from: "2024-02-29",
      last_sync_at: "2026-03-10T14:59:00.123Z",
      last_successful_sync_at: "2026-03-09T14:59:00.000Z",
      created_at: "2026-03-02T09:00:00.000Z",
    });
    await book.insert({ erp_connections: [row] });
    for (const business_unit of ["Vision Operations", null, "Vision France", "Vision Operations"])
      await book.invoice({ connection_id: other, business_unit });
  });

  it("answers a connection's fields, never its credential, host or configuration, but its name [service.2.2.connection] [completions.10.erp-names]", async () => {
    const { data } = await call(core, listErpConnections, book.reader);
    expect(data).toEqual([
      {
        id: other,
        name: "Oracle Fusion 2 (Vision France, Vision Operations)",
        provider: "oracle_fusion",
        status: "requires_reauthentication",
        last_sync_at: "2026-03-10T14:59:00.123Z",
        last_successful_sync_at: "2026-03-09T14:59:00.000Z",
        auto_sync_enabled: true,
        auto_sync_interval_minutes: 1440,
        pull_invoice_date_from: "2024-02-29",
        payment_push_mode: "automatic",
        created_at: "2026-03-02T09:00:00.000Z",
      },
      expect.objectContaining({ id: book.connectionId, name: "Oracle Fusion", pull_invoice_date_from: null }),
    ]);
  });

  it("takes the shared parameters and no others [service.4.5.parameters]", async () => {
    expect((await walk(core, listErpConnections, book.reader, { order: "asc", include_total: true }, [1])).ids).toEqual(
      [book.connectionId, other],
    );
    expect(await refusal(call(core, listErpConnections, book.reader, { status: "connected" }))).toMatchObject({
      error: { code: "validation_failed", details: [{ field: "status" }] },
    });
  });
});
