import { readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { prune } from "../../src/jobs/housekeeping.ts";
import { TENANT_TABLES } from "../../src/store/tables/index.ts";
import { insertRows, invoiceRow } from "../support/book.ts";
import { executionRow, mailRow, workflowRow } from "../support/furnish.ts";
import { outbox } from "../support/outbox.ts";
import { usePullWorld } from "../support/pulls.ts";
import { rowsOf, trailOf } from "../support/stored.ts";
import { everyRow, storesOf } from "../support/stores.ts";

const NEVER = new AbortController().signal;

describe.each(storesOf(import.meta.url))("what has been kept long enough on $name", ({ open }) => {
  const world = usePullWorld(open);
  const { core } = world;

  it("is deleted: mails, executions and audit entries, but what still counts [contract.operation.retention]", async () => {
    const { tenantId } = world;
    const ago = (days: number): string => new Date(core.clock.now().getTime() - days * 86_400_000).toISOString();
    const [invoice, other] = [invoiceRow(tenantId), invoiceRow(tenantId)];
    const mail = (days: number, status: "sent" | "failed" | "queued") =>
      mailRow(tenantId, { kind: "invitation", status, created_at: ago(days), next_attempt_at: ago(days) });
    const workflow = workflowRow(tenantId);
    const execution = ({ invoice_id: id }: { invoice_id: string }, days: number) =>
      executionRow(workflow, id, { status: "skipped", outcome: "none", started_at: ago(days), finished_at: ago(days) });
    await core.store.write(tenantId, async (tx) => {
      await insertRows(tx, { invoices: [invoice, other] });
      const mails = [mail(91, "sent"), mail(91, "failed"), mail(91, "queued"), mail(89, "sent")];
      await tx.insertInto("outgoing_mails").values(mails).execute();
      await tx.insertInto("workflows").values(workflow).execute();
      const executions = [
        ...[400, 366, 10].map((days) => execution(invoice, days)),
        ...[399, 398].map((days) => execution(other, days)),
      ];
      await tx.insertInto("workflow_executions").values(executions).execute();
      const old = Array.from(
        { length: 1_200 },
        () => sql`(${tenantId}::uuid, gen_random_uuid(), ${ago(3_651)}, 'operator', 'old', 'succeeded', 'r')`,
      );
      await sql`insert into audit_entries (tenant_id, entry_id, at, actor_kind, operation, outcome, request_id)
        values ${sql.join(old)}`.execute(tx);
      await sql`insert into audit_entries (tenant_id, entry_id, at, actor_kind, operation, outcome, request_id)
        values (${tenantId}::uuid, gen_random_uuid(), ${ago(3_649)}, 'operator', 'recent', 'succeeded', 'r')`.execute(
        tx,
      );
    });
    const { mailer, folder, names } = outbox();
    for (const [name, days] of [
      ["old.eml", 91],
      ["new.eml", 1],
      ["note.txt", 91],
    ] as const) {
      writeFileSync(join(folder, name), "");
      utimesSync(join(folder, name), new Date(ago(days)), new Date(ago(days)));
    }
    const office = { mailer, fromAddress: "a@example.test", publicOrigin: "http://localhost" };

    expect(await prune(core, NEVER, { keepDays: { mails: 100, executions: 1_000, audit: 36_500 }, office })).toBe(0);
    expect(await prune(core, NEVER, { office })).toBe(2 + 3 + 1_200);
    const [mails, executions, audit] = [
      await rowsOf(core.store, tenantId, "outgoing_mails"),
      await rowsOf(core.store, tenantId, "workflow_executions"),
      await trailOf(core.store, tenantId, "old", "recent"),
    ];
    expect(mails.map((row) => `${row.status} ${row.created_at}`).sort()).toEqual([
      `queued ${ago(91)}`,
      `sent ${ago(89)}`,
    ]);
    expect(executions.map((row) => row.started_at).sort()).toEqual([ago(398), ago(10)]);
    expect(audit.map((row) => row.operation)).toEqual(["recent"]);
    expect(names().sort()).toEqual(["new.eml", "note.txt"]);
  });
});

describe("what is said of how long things are kept", () => {
  const rows = [
    ...readFileSync(resolve(import.meta.dirname, "../../docs/retention.md"), "utf8").matchAll(
      /^\| `([^|]+)` \|([^|]+)\|([^|]+)\|$/gm,
    ),
  ];
  const tables = rows.flatMap(([, names = ""]) => names.split("`, `"));

  it("has a row for each table of a workspace, and for no other [contract.operation.retention]", () => {
    const told = tables.filter((name) => TENANT_TABLES.has(name));
    expect([...TENANT_TABLES].filter((name) => !told.includes(name))).toEqual([]);
    expect(new Set(tables).size).toBe(tables.length);
    for (const [, names, grows = "", kept = ""] of rows)
      expect([names, grows.trim() !== "", kept.trim() !== ""]).toEqual([names, true, true]);
  });

  it("is what is deleted unless a setting says otherwise [contract.operation.retention]", () => {
    expect(readConfig({}).keepDays).toEqual({ mails: 90, executions: 365, audit: 3_650 });
    const given = readConfig({ KEEP_MAILS_DAYS: "30", KEEP_EXECUTIONS_DAYS: "40", KEEP_AUDIT_DAYS: "400" });
    expect(given.keepDays).toEqual({ mails: 30, executions: 40, audit: 400 });
    expect(() => readConfig({ KEEP_AUDIT_DAYS: "7" })).toThrow(
      "KEEP_AUDIT_DAYS: must be a number of days, 30 to 36500",
    );
    const text = rows.map(([row]) => row).join("\n");
    for (const setting of ["KEEP_MAILS_DAYS", "KEEP_EXECUTIONS_DAYS", "KEEP_AUDIT_DAYS"])
      expect(text).toContain(setting);
  });
});

describe.each(storesOf(import.meta.url))("the schema on $name", ({ open }) => {
  it("has no table that the documents do not speak of [contract.operation.retention]", async () => {
    const opened = await open();
    const { rows } = await everyRow(opened.store, (tx) =>
      sql<{ name: string }>`select relname as name from pg_class where relnamespace = current_schema()::regnamespace
        and relkind = 'r' and relname not like 'kysely%'`.execute(tx),
    );
    await opened.remove();
    const text = readFileSync(resolve(import.meta.dirname, "../../docs/retention.md"), "utf8");
    expect(rows.map(({ name }) => name).filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });
});
