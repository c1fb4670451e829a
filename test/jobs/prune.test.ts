import { randomUUID } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../src/config.ts";
import { connectMailer } from "../../src/gateways/mail/index.ts";
import { prune } from "../../src/jobs/housekeeping.ts";
import { TENANT_TABLES } from "../../src/store/tables/index.ts";
import { insertRows, invoiceRow } from "../support/book.ts";
import { usePullWorld } from "../support/pulls.ts";
import { everyRow, storesOf } from "../support/stores.ts";

const NEVER = new AbortController().signal;

describe.each(storesOf(import.meta.url))("what has been kept long enough on $name", ({ open }) => {
  const world = usePullWorld(open);

  it("is deleted: mails, executions and audit entries, but what still counts [contract.operation.retention]", async () => {
    const { core, tenantId } = world();
    const ago = (days: number): string => new Date(core.clock.now().getTime() - days * 86_400_000).toISOString();
    const [invoice, other] = [invoiceRow(tenantId), invoiceRow(tenantId)];
    const workflowId = randomUUID();
    await core.store.write(tenantId, async (tx) => {
      await insertRows(tx, { invoices: [invoice, other] });
      const mail = {
        kind: "invitation",
        recipient: "a@example.test",
        subject_id: randomUUID(),
        sent_at: null,
      } as const;
      for (const [days, status] of [
        [91, "sent"],
        [91, "failed"],
        [91, "queued"],
        [89, "sent"],
      ] as const)
        await tx
          .insertInto("outgoing_mails")
          .values({
            ...{ ...mail, tenant_id: tenantId, mail_id: randomUUID(), status },
            ...{ created_at: ago(days), next_attempt_at: ago(days) },
          })
          .execute();
      const workflow = {
        tenant_id: tenantId,
        workflow_id: workflowId,
        type: "auto_generate",
        name: "W",
        enabled: false,
      } as const;
      await tx
        .insertInto("workflows")
        .values({
          ...{
            ...workflow,
            minimum_amount: null,
            customer_ids: null,
            assignee_id: null,
            send_at: null,
            days_before_due: null,
          },
          ...{ created_at: ago(500), updated_at: ago(500) },
        })
        .execute();
      for (const [invoiceId, days] of [
        [invoice.invoice_id, 400],
        [invoice.invoice_id, 366],
        [invoice.invoice_id, 10],
        [other.invoice_id, 399],
        [other.invoice_id, 398],
      ] as const)
        await tx
          .insertInto("workflow_executions")
          .values({
            ...{
              tenant_id: tenantId,
              workflow_execution_id: randomUUID(),
              workflow_id: workflowId,
              invoice_id: invoiceId,
            },
            ...{ status: "skipped", outcome: "none", reason: null, started_at: ago(days), finished_at: ago(days) },
          })
          .execute();
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
    const outbox = mkdtempSync(join(tmpdir(), "receivables-outbox-"));
    for (const [name, days] of [
      ["old.eml", 91],
      ["new.eml", 1],
      ["note.txt", 91],
    ] as const) {
      writeFileSync(join(outbox, name), "");
      utimesSync(join(outbox, name), new Date(ago(days)), new Date(ago(days)));
    }
    const mailer = connectMailer({ smtpUrl: null, outboxFolder: outbox });
    const office = { mailer, fromAddress: "a@example.test", publicOrigin: "http://localhost" };

    const left = () =>
      core.store.read(tenantId, async (tx) => ({
        mails: (await tx.selectFrom("outgoing_mails").select(["status", "created_at"]).execute()).map(
          ({ status, created_at }) => `${status} ${created_at}`,
        ),
        executions: (await tx.selectFrom("workflow_executions").select("started_at").execute()).map(
          (row) => row.started_at,
        ),
        audit: (
          await tx.selectFrom("audit_entries").select("operation").where("operation", "in", ["old", "recent"]).execute()
        ).map((row) => row.operation),
      }));
    expect(await prune(core, NEVER, { keepDays: { mails: 100, executions: 1_000, audit: 36_500 }, office })).toBe(0);
    expect(await prune(core, NEVER, { office })).toBe(2 + 3 + 1_200);
    const { mails, executions, audit } = await left();
    expect(mails.sort()).toEqual([`queued ${ago(91)}`, `sent ${ago(89)}`]);
    expect(executions.sort()).toEqual([ago(398), ago(10)]);
    expect(audit).toEqual(["recent"]);
    expect(readdirSync(outbox).sort()).toEqual(["new.eml", "note.txt"]);
    rmSync(outbox, { recursive: true });
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
