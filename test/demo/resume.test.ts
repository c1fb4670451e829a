import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { reserveSyncRun } from "../../src/core/sync-runs/operations/start-erp-sync.ts";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import type { Store } from "../../src/store/store.ts";
import { testCore } from "../support/core.ts";
import { SHORT_LIVED } from "../support/server.ts";
import { copyDemo, copyEmbedded, createDatabase, everyRow } from "../support/stores.ts";
import { A_SERVICE } from "../support/thorough.ts";
import { readCredentials, startDemo } from "./support.ts";

/** How many steps of its story the demo has told. */
function told(dataDir: string): number {
  const path = join(dataDir, "demo-erp.json");
  return existsSync(path) ? Number(JSON.parse(readFileSync(path, "utf8")).told.length) : 0;
}

/** Where a start of the demo finds its data: the store, and the folder of what it remembers. */
interface Place {
  dataDir: string;
  /** Null for the embedded store, which is in the folder. */
  databaseUrl: string | null;
}

/** Starts the demo in a process and kills it once it has told so many steps. */
async function killedAfter({ dataDir, databaseUrl }: Place, steps: number): Promise<void> {
  const script = join(import.meta.dirname, "start-process.ts");
  const args = [...SHORT_LIVED, script, dataDir, ...(databaseUrl === null ? [] : [databaseUrl])];
  const child = spawn(process.execPath, args, { stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  while (child.exitCode === null && told(dataDir) < steps) await sleep(5);
  child.kill("SIGKILL");
  await ended;
}

/**
 * What must be the same however often the first start was cut off. Runs that were cut off come on top; and where a step is
 * told again, a workflow may do the same with the same invoice again.
 */
async function summary(store: Store): Promise<string[]> {
  const count = (text: string): string => `select '${text}' as what, count(*)::text as n from ${text}`;
  const tables = [
    ...["tenants", "people", "members", "erp_connections", "payment_integrations", "payments", "tasks", "workflows"],
    "workflow_work",
  ];
  const { rows } = await everyRow(store, (tx) =>
    sql
      .raw<{ what: string; n: string }>(
        `${tables.map(count).join(" union all ")}
        union all select concat_ws(' ', tenants.name, origin, currency, collection_status, erp_push_state),
          concat_ws(' ', count(*), sum(collection_outstanding), sum(amount_collected))
        from invoices join tenants using (tenant_id)
        group by tenants.name, origin, currency, collection_status, erp_push_state
        union all select concat_ws(' ', tenants.name, 'tasks', state), count(*)::text
        from tasks join tenants using (tenant_id) group by tenants.name, state
        union all select concat_ws(' ', tenants.name, 'links', state, link_emails.status, created_by_kind), count(*)::text
        from payment_links join tenants using (tenant_id) left join link_emails using (tenant_id, payment_link_id)
        group by tenants.name, state, link_emails.status, created_by_kind
        union all select concat_ws(' ', tenants.name, 'payments', erp_push_status), count(*)::text
        from payments join tenants using (tenant_id) group by tenants.name, erp_push_status
        union all select 'workflow_executions', count(distinct (workflow_id, invoice_id, outcome))::text
        from workflow_executions
        union all select 'keys in use', count(*)::text from api_keys where revoked_at is null
        union all select 'retired', count(*)::text from invoices where retired_at is not null`,
      )
      .execute(tx),
  );
  return rows.map(({ what, n }) => `${what}: ${n}`).sort();
}

/** How many workspaces nobody is a member of. */
async function deserted(place: Place): Promise<string | undefined> {
  const store = await open(place);
  try {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ n: string }>`select count(*)::text as n from tenants
        where not exists (select from members where members.tenant_id = tenants.tenant_id)`.execute(tx),
    );
    return rows[0]?.n;
  } finally {
    await store.close();
  }
}

function open({ dataDir, databaseUrl }: Place): Promise<Store> {
  return databaseUrl === null ? openEmbedded(dataDir) : openPostgres(databaseUrl);
}

async function completed(place: Place): Promise<string[]> {
  const store = await open(place);
  try {
    const { erp } = await startDemo(store, place.dataDir);
    await erp.close();
    return await summary(store);
  } finally {
    await store.close();
  }
}

/** Leaves what a start leaves that is killed as it begins a pull. */
async function reserveRuns(place: Place): Promise<void> {
  const store = await open(place);
  try {
    const { rows } = await everyRow(store, (tx) =>
      sql<{ tenantId: string; connectionId: string }>`
        select tenant_id as "tenantId", connection_id as "connectionId" from erp_connections
        where not exists (select from sync_runs where sync_runs.connection_id = erp_connections.connection_id and status = 'running')
      `.execute(tx),
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows)
      await store.write(row.tenantId, (tx) => reserveSyncRun(tx, testCore(store), { ...row, trigger: "scheduled" }));
  } finally {
    await store.close();
  }
}

/** What a start leaves that nothing cuts off. */
async function undisturbed(): Promise<string[]> {
  const dataDir = await copyDemo();
  try {
    return await completed({ dataDir, databaseUrl: null });
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const LONG = { timeout: 600_000 };

describe.each(A_SERVICE)("a first start of the demo that is cut off, on %s", (kind) => {
  it(
    "is completed by the next one, as if nothing had happened, and leaves no workspace without members [contract.demo.resume] [contract.demo.members]",
    LONG,
    async () => {
      const dataDir = copyEmbedded();
      const database = kind === "postgres" ? await createDatabase() : null;
      const place = { dataDir, databaseUrl: database?.databaseUrl ?? null };
      try {
        await killedAfter(place, 9);
        expect(await deserted(place)).toBe("0");
        await reserveRuns(place);
        await killedAfter(place, 45);
        expect(await deserted(place)).toBe("0");
        expect(existsSync(join(dataDir, "demo.json"))).toBe(false);
        expect(await completed(place)).toEqual(await undisturbed());
        expect(readCredentials(dataDir).people).toHaveLength(8);
      } finally {
        await database?.drop();
        rmSync(dataDir, { recursive: true, force: true });
      }
    },
  );
});
