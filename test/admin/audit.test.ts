import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { readAuditTrail } from "../../src/core/audit-trail/read-audit-trail.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { Secrets } from "../../src/core/kernel/secrets.ts";
import { addRoutes } from "../../src/store/identity/tenant-routes.ts";
import { testCore } from "../support/core.ts";
import { type People, peopleOf } from "../support/people.ts";
import { connectAssistant } from "../support/rows.ts";
import { addRows } from "../support/stored.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";
import { type CommandLine, runCli, terminalOn } from "./support.ts";

describe.each(STORES)("operators in the audit trail on $name", ({ open }) => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-trail-"));
  const opened = useStore(open);
  const core = { ...testCore(opened.store), secrets: new Secrets(Buffer.alloc(32, 7), [Buffer.alloc(32, 8)]) };
  let people: People;
  let admin: CommandLine;
  let workspace: { id: string; name: string };
  beforeAll(async () => {
    people = peopleOf(core);
    admin = terminalOn(core, { operator: "grace" });
  });
  afterAll(async () => {
    rmSync(folder, { recursive: true });
  });
  beforeEach(async () => {
    workspace = await people.addWorkspace();
  });

  const json = (line: string) => admin.json(line);

  it("has backups and key rotations in every workspace's trail, by name [contract.admin.operator-trail]", async () => {
    const other = await people.addWorkspace();
    await json(`backup create --to ${join(folder, randomUUID())}`);
    await json("encryption-key rotate");
    await json("signing-key rotate");
    for (const { id } of [workspace, other]) {
      const told = await json(`audit list --workspace ${id}`);
      const own = told.filter(({ who }: { who: string | null }) => who === "grace");
      const operations = own.map(({ operation }: { operation: string }) => operation).sort();
      expect(operations).toEqual(["createBackup", "rotateEncryptionKey", "rotateSigningKey"]);
    }
  });

  it("names who did what else at the terminal, in lists and on pages [contract.admin.operator-trail]", async () => {
    await json(`workspace set --workspace ${workspace.id} --timezone Europe/Vienna`);
    expect(await json(`audit list --workspace ${workspace.id} --operation setWorkspace`)).toMatchObject([
      {
        by: "operator",
        who: "grace",
        operation: "setWorkspace",
        outcome: "succeeded",
        details: expect.stringMatching(/^changed timezone \S+ → Europe\/Vienna$/),
      },
    ]);
  });

  it("is read to the last day of the calendar [contract.admin.audit-list]", async () => {
    const { entries } = await operate(core, workspace.id, readAuditTrail, { to: "9999-12-31" });
    expect(entries.length).toBeGreaterThan(0);
  });

  it("is listed by day, person and operation [contract.admin.audit-list]", async () => {
    const { memberId, email } = await people.addPerson(workspace.id);
    const entry = {
      entry_id: randomUUID(),
      at: "2026-03-01T12:00:00.000Z",
      request_id: "r",
      outcome: "succeeded",
    } as const;
    await addRows(core.store, null, {
      audit_entries: {
        ...{ tenant_id: workspace.id, actor_kind: "person", actor_id: memberId, actor_name: null, ...entry },
        ...{ connection_id: null, operation: "signIn", object_type: "member", object_id: memberId },
      },
    });
    const list = (options: string) => json(`audit list --workspace ${workspace.id} ${options}`);
    expect(await list("")).toHaveLength(3);
    expect(await list("--since 2026-03-10")).toHaveLength(2);
    expect(await list(`--person ${email}`)).toMatchObject([{ who: email, operation: "signIn", object: email }]);
    expect(await list("--operation addMember")).toHaveLength(1);
    const refusals = ["--since yesterday", "--person nobody@example.test", "--operation fly"];
    for (const options of refusals) {
      const { code, err } = await admin(`audit list --workspace ${workspace.id} ${options}`);
      expect({ code, err }, options).toEqual({ code: 1, err: expect.stringMatching(/^error: [^\n]+\n$/) });
    }
  });

  it("ends one assistant, all of a person, or all of a workspace [contract.admin.assistant-revoke]", async () => {
    const elsewhere = await people.addWorkspace();
    const connect = async (tenantId: string) => connectAssistant(core.store, tenantId);
    const [ada, , kept] = [await connect(workspace.id), await connect(workspace.id), await connect(elsewhere.id)];
    const more = { ...ada.connection, connection_id: randomUUID() };
    await everyRow(core.store, async (tx) => {
      await addRoutes(tx, workspace.id, [{ kind: "connection", key: more.connection_id }]);
      await tx.insertInto("assistant_connections").values(more).execute();
    });
    const [first, other] = [ada.connection.connection_id, kept.connection.connection_id];
    const live = async () =>
      (await json(`assistant list --workspace ${workspace.id}`)).filter(
        (one: { revoked_at: string | null }) => one.revoked_at === null,
      ).length;
    const revoke = (options: string) => json(`assistant revoke --workspace ${workspace.id} ${options}`);
    expect(await revoke(`--connection ${first}`)).toEqual({ revoked: 1 });
    expect(await live()).toBe(2);
    expect(await revoke(`--email ${ada.person.email}`)).toEqual({ revoked: 1 });
    expect(await revoke("--all")).toEqual({ revoked: 1 });
    expect(await live()).toBe(0);
    expect(await revoke("--all")).toEqual({ revoked: 0 });
    expect((await admin(`assistant revoke --workspace ${workspace.id} --all`)).err).toMatch(/^Nothing was changed/);
    expect(await json(`audit list --workspace ${workspace.id} --operation revokeAssistantConnection`)).toHaveLength(3);

    for (const options of ["", `--connection ${first} --all`, `--connection ${other}`, "--email nobody@example.test"])
      expect(await admin(`assistant revoke --workspace ${workspace.id} ${options}`), options).toMatchObject({
        code: 1,
      });
    expect(await json(`assistant list --workspace ${elsewhere.id}`)).toMatchObject([{ id: other, revoked_at: null }]);
  });
});

it("takes the operator's name from the system [contract.admin.operator-trail]", async () => {
  const env = { DATA_DIR: mkdtempSync(join(tmpdir(), "receivables-operator-")), DEMO: "off" };
  try {
    expect(await runCli("workspace create --name Acme --timezone UTC", env)).toMatchObject({ code: 0 });
    const { out } = await runCli("audit list --workspace Acme --json", env);
    expect(JSON.parse(out)).toMatchObject([{ operation: "createWorkspace", who: userInfo().username }]);
  } finally {
    rmSync(env.DATA_DIR, { recursive: true });
  }
});
