import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { connectErp } from "../../src/core/erp-connections/operations/connect-erp.ts";
import { disconnectErp } from "../../src/core/erp-connections/operations/disconnect-erp.ts";
import { listCurrentErps } from "../../src/core/erp-connections/operations/list-erp-connections.ts";
import { reconnectErp } from "../../src/core/erp-connections/operations/reconnect-erp.ts";
import { listErp } from "../../src/core/erp-connections/operator-connection.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { actAs } from "../support/acting.ts";
import { useAuthApp } from "../support/auth-app.ts";
import { connectionRow, openBook } from "../support/book.ts";
import { multiply } from "../support/multiply.ts";
import { rowsOf, setRows } from "../support/stored.ts";
import { A_STORE } from "../support/thorough.ts";

const ACCESS = { url: "https://pod.fa.example.com", username: "AR_SVC", password: "p" };

describe.each(A_STORE)("many ERP connections on $name", ({ open }) => {
  const site = useAuthApp(open);

  const idOf = async (tenantId: string, address: string) => {
    const rows = await rowsOf(site.app.core.store, tenantId, "erp_connections");
    return rows.find(({ base_url: url }) => url === address)?.connection_id ?? "";
  };

  it("are 50 live ones of a workspace at most, listed with the latest 50 of the others [contract.pages.erp-connections]", async () => {
    const { browser, tenantId, memberId } = await site.app.newcomer();
    await operate(site.app.core, tenantId, connectErp, { ...ACCESS, provider: "oracle_fusion", check: "no" });
    const copies = (count: number, status: string) =>
      site.app.core.store.write(tenantId, (tx) =>
        multiply(tx, "erp_connections", {
          which: sql`one.username = ${ACCESS.username}`,
          count,
          changes: sql`jsonb_build_object('connection_id', gen_random_uuid(), 'status', ${status}::text,
            'username', 'U' || n, 'base_url', 'https://' || ${status}::text || n || '.example',
            'last_successful_sync_at', case when n = 60 then one.created_at end,
            'created_at', one.created_at - n * interval '1 day')`,
        }),
      );
    await copies(60, "disconnected");
    await copies(48, "connected");
    const page = await browser.open("/erp-connections");
    expect([...page.html.matchAll(/<h3 id="erp-/g)]).toHaveLength(99);
    // The oldest is the only one that brought something in.
    expect(page.text).toContain("disconnected60.example");
    expect(page.text).not.toContain("disconnected50.example");
    expect(page.text).toContain("Of those that ended the latest 50 are shown; the audit trail has all.");
    const current = await actAs(site.app.core, { tenantId, memberId }, listCurrentErps, {});
    expect([current.filter(({ status }) => status === "connected").length, current.length]).toEqual([49, 99]);
    const more = { user: "AR_SVC", password: "p", unchecked: "on" };
    const last = await browser.submit(page, "Connect ERP", { ...more, url: "https://a.example.com" });
    expect(last.text).toContain("Saved. The ERP was not asked");
    const refused = await browser.submit(last, "Connect ERP", { ...more, url: "https://b.example.com" });
    expect([refused.status, refused.text]).toEqual([
      409,
      expect.stringContaining("This workspace has 50 ERP connections. Disconnect one first."),
    ]);
    const connectionId = await idOf(tenantId, "https://disconnected55.example");
    const listed = (input = {}) => operate(site.app.core, tenantId, listErp, input);
    expect((await listed()).some(({ id }) => id === connectionId)).toBe(false);
    expect((await listed({ connection: connectionId })).some(({ id }) => id === connectionId)).toBe(true);
    const again = () => {
      const access = { url: "https://again.example.com", password: "p", check: "no", sameErp: true } as const;
      return operate(site.app.core, tenantId, reconnectErp, { connectionId, ...access });
    };
    await expect(again()).rejects.toMatchObject({ code: "conflict" });
    await operate(site.app.core, tenantId, disconnectErp, {
      connectionId: await idOf(tenantId, "https://connected1.example"),
    });
    expect((await again()).id).toBe(connectionId);
  });

  it("are asked for one that was connected before, however many were since [contract.pages.erp-connections]", async () => {
    const { core } = site.app;
    const book = await openBook(core.store);
    await book.invoice();
    await setRows(core.store, book.tenantId, "erp_connections", { status: "disconnected" });
    const since = (_: unknown, n: number) =>
      connectionRow(book.tenantId, {
        ...{ status: "disconnected", base_url: `https://erp${n}.example.test` },
        last_successful_sync_at: "2026-03-02T09:00:00.000Z",
      });
    await book.insert({ erp_connections: Array.from({ length: 60 }, since) });
    const again = { ...ACCESS, url: "https://erp.example.test", provider: "oracle_fusion", check: "no" } as const;
    await expect(operate(core, book.tenantId, connectErp, again)).rejects.toThrow("Not valid: sameErp.");
  });
});
