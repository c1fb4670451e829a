import { mkdtempSync, readdirSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, afterEach, describe, expect, inject, it } from "vitest";
import { sendRequest } from "../../src/admin/transport.ts";
import type { Service } from "../../src/composition.ts";
import { readConfig } from "../../src/config.ts";
import { listWorkspaces } from "../../src/core/workspace/workspaces.ts";
import { createService } from "../../src/service.ts";
import { generateBook } from "../../src/simulators/fusion/book.ts";
import { createFusionSimulator } from "../../src/simulators/fusion/index.ts";
import { openEmbedded } from "../../src/store/database.ts";
import { copyEmbedded, createDatabase } from "../support/stores.ts";
import { IS_THOROUGH } from "../support/thorough.ts";
import { runCli, terminalTo } from "./support.ts";

const KEY = Buffer.alloc(32, 7).toString("base64");

const nothing = (): void => undefined;
const SILENT = { info: nothing, warn: nothing, error: nothing };

/** The command line of this process, on an embedded store. */
function adminOf(dataDir: string, patienceMs?: number, more: object = {}): ReturnType<typeof terminalTo> {
  const settings = readConfig({ DATA_DIR: dataDir, DEMO: "off", PUBLIC_URL: "http://localhost", ...more });
  return terminalTo((request) => sendRequest(settings, request, SILENT, patienceMs));
}

describe("the command line as a process of its own", () => {
  const folders: string[] = [];
  let service: Service | undefined;
  afterEach(async () => {
    await service?.close();
    service = undefined;
  });
  afterAll(() => {
    for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  });
  const dataFolder = (): string => {
    const folder = copyEmbedded();
    folders.push(folder);
    return folder;
  };

  it("opens the embedded store itself where no server runs, also before the first start", async () => {
    const parent = mkdtempSync(join(tmpdir(), "receivables-first-"));
    folders.push(parent);
    const env = { DATA_DIR: join(parent, "data") };
    // A first start takes its time: it is what all stores of tests are copied from.
    if (!IS_THOROUGH) renameSync(copyEmbedded(), env.DATA_DIR);
    expect(await runCli("workspace create --name A --timezone UTC", env)).toMatchObject({ code: 0, err: "" });
    const { out } = await adminOf(env.DATA_DIR)("workspace list --json");
    expect(JSON.parse(out)).toMatchObject([{ name: "A", timezone: "UTC" }]);
  });

  it("makes no store where none is, but for what begins a service [contract.admin.no-store]", async () => {
    const parent = mkdtempSync(join(tmpdir(), "receivables-none-"));
    folders.push(parent);
    const dataDir = join(parent, "mistyped");
    const refused = /^error: DATA_DIR: \/[^\n]*mistyped holds no store\. [^\n]*workspace create[^\n]*\n$/;
    for (const line of ["workspace list", "erp list --workspace A", "signing-key rotate", "encryption-key rotate"]) {
      expect(await adminOf(dataDir)(line), line).toEqual({ code: 1, out: "", err: expect.stringMatching(refused) });
      expect(readdirSync(parent), line).toEqual([]);
    }
    expect(await runCli("workspace list", { DATA_DIR: dataDir })).toMatchObject({ code: 1, out: "" });
    expect(readdirSync(parent)).toEqual([]);
  });

  it("reaches the server that holds the embedded store [contract.admin.socket]", async () => {
    const dataDir = dataFolder();
    service = await createService(readConfig({ DATA_DIR: dataDir, DEMO: "off" }), { log: SILENT });
    await service.start();

    const made = await runCli('workspace create --name "Through the socket" --timezone UTC', { DATA_DIR: dataDir });
    expect(made).toMatchObject({ code: 0, err: "" });
    expect(await listWorkspaces(service)).toMatchObject([{ name: "Through the socket" }]);
    const again = await adminOf(dataDir)('workspace create --name "Through the socket" --timezone UTC');
    expect(again).toEqual({ code: 1, out: "", err: "error: There is a workspace of this name already.\n" });
    const member = await runCli(
      'member add --workspace "Through the socket" --email a@b.test --role admin --password-stdin',
      { DATA_DIR: dataDir },
      "correct horse battery\n",
    );
    expect(member).toMatchObject({
      code: 0,
      err: "Added as admin. The person has the password that was given. No mail invites them: tell them.\n",
    });
  });

  it("pulls by itself where no server runs [contract.admin.erp-sync-wait]", async () => {
    const env = { DATA_DIR: dataFolder() };
    const erp = createFusionSimulator({
      credentials: { username: "U", password: "P" },
      ...generateBook({ seed: 1, today: "2026-03-10", invoices: 40 }),
    });
    const url = await erp.listen();
    try {
      const admin = adminOf(env.DATA_DIR);
      await admin("workspace create --name A --timezone UTC");
      const connect = `erp connect --workspace A --provider oracle_fusion --url ${url} --user U --password-stdin`;
      expect(await admin(connect, "P\n")).toMatchObject({ code: 0, err: expect.stringContaining("let this user in") });
      const { code, out, err } = await runCli("erp sync --workspace A --wait", env);
      expect({ code, err }).toEqual({ code: 0, err: "" });
      expect(out).toMatch(/^status +succeeded$/m);
      expect(out).toMatch(/^invoices_created +40$/m);
    } finally {
      await erp.close();
    }
  });

  it("pulls no more than the settings allow where no server runs [contract.admin.erp-sync-wait]", async () => {
    const erp = createFusionSimulator({
      credentials: { username: "U", password: "P" },
      ...generateBook({ seed: 1, today: "2026-03-10", invoices: 12 }),
    });
    const url = await erp.listen();
    try {
      const admin = adminOf(dataFolder(), undefined, { MAX_INVOICES_PER_WORKSPACE: "10" });
      await admin("workspace create --name A --timezone UTC");
      await admin(`erp connect --workspace A --provider oracle_fusion --url ${url} --user U --password-stdin`, "P\n");
      const { code, out, err } = await admin("erp sync --workspace A --wait");
      expect(code).toBe(1);
      expect(out).toMatch(/^status +failed$/m);
      expect(err).toMatch(/^error: The sync run failed: [^\n]*MAX_INVOICES_PER_WORKSPACE[^\n]*\n$/);
    } finally {
      await erp.close();
    }
  });

  it("leaves a store alone that a silent process holds, and says so [contract.admin.socket]", async () => {
    const dataDir = dataFolder();
    const held = await openEmbedded(dataDir);
    const { code, out, err } = await adminOf(dataDir, 500)("workspace list");
    expect({ code, out }).toEqual({ code: 1, out: "" });
    expect(err).toMatch(/^error: [^\n]*is in use by another process[^\n]*\n$/);
    await held.ping();
    await held.close();
  });

  it("waits for a server that is still starting [contract.admin.socket]", async () => {
    const dataDir = dataFolder();
    const starting = await createService(readConfig({ DATA_DIR: dataDir, DEMO: "off" }), { log: SILENT });
    service = starting;
    const listed = runCli("workspace list", { DATA_DIR: dataDir });
    await sleep(1_500);
    await starting.start();
    expect(await listed).toEqual({ code: 0, out: "none\n", err: "" });
  });

  it("ends with one line on settings that cannot be used", async () => {
    const { code, err } = await runCli("workspace list", { DATABASE_URL: "mysql://x" });
    expect(code).toBe(1);
    expect(err).toMatch(/^error: DATABASE_URL: [^\n]+\n$/);
  });

  it.skipIf(inject("postgresUrl") === null)(
    "pulls what it waits for itself, behind what others asked for, on PostgreSQL without a server [contract.admin.erp-sync-wait]",
    async () => {
      const { databaseUrl, drop } = await createDatabase();
      const erp = createFusionSimulator({
        credentials: { username: "U", password: "P" },
        ...generateBook({ seed: 1, today: "2026-03-10", invoices: 3 }),
      });
      const url = await erp.listen();
      try {
        const settings = readConfig({ DATABASE_URL: databaseUrl, ENCRYPTION_KEY: KEY });
        const admin = terminalTo((request) => sendRequest(settings, request, SILENT));
        for (const name of ["A", "B"]) {
          await admin(`workspace create --name ${name} --timezone UTC`);
          const connect = `erp connect --workspace ${name} --provider oracle_fusion --url ${url} --user U --password-stdin`;
          expect(await admin(connect, "P\n")).toMatchObject({
            code: 0,
            err: expect.stringContaining("let this user in"),
          });
        }
        expect(await admin("erp sync --workspace A")).toMatchObject({ code: 0 });
        const { code, out } = await admin("erp sync --workspace B --wait");
        expect(code).toBe(0);
        expect(out).toMatch(/^status +succeeded$/m);
      } finally {
        await erp.close();
        await drop();
      }
    },
  );

  it.skipIf(inject("postgresUrl") === null)("works on PostgreSQL directly", async () => {
    const { databaseUrl, drop } = await createDatabase();
    try {
      const env = { DATABASE_URL: databaseUrl, ENCRYPTION_KEY: KEY };
      expect(await runCli("workspace create --name P --timezone UTC", env)).toMatchObject({ code: 0, err: "" });
      const key = await runCli("api-key create --workspace P --name k --permission admin --json", env);
      expect(JSON.parse(key.out).key).toMatch(/^rcv_/);
      expect(await runCli("signing-key rotate", env)).toMatchObject({ code: 0 });
      const foreign = { ...env, ENCRYPTION_KEY: Buffer.alloc(32, 99).toString("base64") };
      for (const command of ["signing-key rotate", "workspace list"])
        expect(await runCli(command, foreign)).toEqual({
          code: 1,
          out: "",
          err: "error: ENCRYPTION_KEY: is not the key that this store was written with: give it back that one\n",
        });
    } finally {
      await drop();
    }
  });
});
