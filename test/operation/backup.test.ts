import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { sendRequest } from "../../src/admin/transport.ts";
import { readConfig } from "../../src/config.ts";
import { verifyRollup } from "../../src/core/aging/verify-rollup.ts";
import { operate } from "../../src/core/gate/operator.ts";
import { openEmbedded, openPostgres } from "../../src/store/database.ts";
import { dumpedRows } from "../../src/store/dump.ts";
import type { Store } from "../../src/store/store.ts";
import { type Run, terminalOn, terminalTo } from "../admin/support.ts";
import { type Book, openBook } from "../support/book.ts";
import { testCore } from "../support/core.ts";
import { callOverWire } from "../support/mcp-call.ts";
import { type Approved, signInAndApprove } from "../support/oauth-client.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { newKey } from "../support/rest-app.ts";
import { type RunningService, startService } from "../support/service.ts";
import { copyEmbedded, createDatabase, everyRow } from "../support/stores.ts";
import { IS_THOROUGH } from "../support/thorough.ts";

type Kind = "embedded" | "postgres";
const WAYS: readonly { from: Kind; to: Kind }[] =
  inject("postgresUrl") === null
    ? [{ from: "embedded", to: "embedded" }]
    : [
        { from: "embedded", to: "postgres" },
        { from: "postgres", to: "embedded" },
      ];
const KEY = Buffer.alloc(32, 4).toString("base64");
const quiet = { info: () => undefined, warn: () => undefined, error: () => undefined };

describe.each(WAYS)("a backup of $from, restored into $to", ({ from, to }) => {
  const folder = mkdtempSync(join(tmpdir(), "receivables-backup-"));
  const file = join(folder, "monday.backup");
  let source: RunningService;
  let book: Book;
  let key: string;
  let assistant: Approved;
  let before: string[];
  let target: { environment: Record<string, string>; drop(): Promise<void> };

  beforeAll(async () => {
    source = await startService(from);
    book = await openBook(source.core.store, { name: "Kept" });
    const customer = await book.customer({ name: "Zoë “Ω” \t Ltd" });
    await book.invoice({ customer, currency: "JPY" }, [{ original_amount: "12345678901234567890" }]);
    await book.invoice({ customer }, [
      { original_amount: "0.10" },
      { original_amount: "99.99", due_date: "2026-01-01" },
    ]);
    key = await newKey(source.core, book.tenantId);
    const { email } = await peopleOf(source.core).addPerson(book.tenantId);
    assistant = await signInAndApprove(source.url, { email, password: PASSWORD });
    expect((await aging(source)).status).toBe(200);
    const database = to === "postgres" ? await createDatabase() : null;
    target = {
      environment: database === null ? { DATA_DIR: copyEmbedded() } : { DATABASE_URL: database.databaseUrl },
      drop: async () => database?.drop(),
    };
  });
  afterAll(async () => {
    await source?.close();
    await target?.drop();
    rmSync(folder, { recursive: true });
  });

  /** Asked for by the public host, wherever the process listens. */
  async function aging({ via, url }: RunningService): Promise<{ status: number; body: unknown }> {
    const headers = { host: new URL(url).host, authorization: `Bearer ${key}` };
    const sent = request(`${via}/v1/aging/summary`, { headers }).end();
    const [response] = await once(sent, "response");
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(await response.toArray()).toString()) };
  }
  const rowsOf = (store: Store): Promise<string[]> =>
    everyRow(store, async (tx) =>
      (await Array.fromAsync(dumpedRows(tx))).map(({ table, json }) => `${table} ${json}`).sort(),
    );
  const admin = (line: string, environment: Record<string, string> = {}): Promise<Run> =>
    terminalTo((request) =>
      sendRequest(
        readConfig({ DEMO: "off", ENCRYPTION_KEY: KEY, ...target.environment, ...environment }),
        request,
        quiet,
      ),
    )(line);
  const atServer = (line: string): Promise<Run> => terminalOn(source.core)(line);
  const openTarget = (): Promise<Store> => {
    const { DATA_DIR, DATABASE_URL } = target.environment;
    return DATABASE_URL === undefined ? openEmbedded(DATA_DIR ?? "") : openPostgres(DATABASE_URL);
  };

  it("is written by the running server, in one piece and for its owner alone [contract.operation.backup]", async () => {
    // What is queued is mailed meanwhile, and would differ between the file and what is read after it.
    await expect
      .poll(() => rowsOf(source.core.store).then((rows) => rows.filter(isQueuedMail)), { timeout: 30_000 })
      .toEqual([]);
    const made = await atServer(`backup create --to "${file}"`);
    expect(made, made.err).toMatchObject({ code: 0, err: expect.stringContaining("encryption key is not in it") });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    before = await rowsOf(source.core.store);
    const text = gunzipSync(readFileSync(file)).toString();
    const told = before.filter((row) => row.startsWith("audit_entries ") && row.includes("createBackup"));
    expect(told).toHaveLength(1);
    before = before.filter((row) => !told.includes(row));
    expect(text.split("\n").filter((line) => line.includes("\t"))).toHaveLength(before.length);
    expect(text).not.toContain(KEY);
  });

  // What is refused does not depend on the store, and the embedded one is opened anew for each.
  it.runIf(from === "embedded" || IS_THOROUGH)(
    "is refused where it would not be whole, readable and alone [contract.operation.backup]",
    async () => {
      expect(await atServer(`backup restore --from "${file}"`)).toMatchObject({
        code: 1,
        err: expect.stringMatching(/Stop the server/),
      });
      const lines = gunzipSync(readFileSync(file)).toString().split("\n");
      const row = lines.findIndex((line) => line.startsWith("invoices\t"));
      const half = readFileSync(file).subarray(0, statSync(file).size / 2);
      const variants: [name: string, content: Buffer, says: RegExp][] = [
        ["cut", half, /damaged or cut off, first in .* Nothing was restored/],
        ["short", gzipSync(lines.toSpliced(row, 1).join("\n")), /part invoices\./],
        ["old", gzipSync(lines.join("\n").replace(/"schema":"\d+/, '"schema":"000')), /another version/],
      ];
      for (const [name, content, says] of variants) {
        writeFileSync(join(folder, name), content);
        const run = await admin(`backup restore --from "${join(folder, name)}"`);
        expect(run, name).toMatchObject({ code: 1, err: expect.stringMatching(says) });
      }
      const otherKey = { ENCRYPTION_KEY: Buffer.alloc(32, 5).toString("base64") };
      const refused = await admin(`backup restore --from "${file}"`, otherKey);
      expect(refused).toMatchObject({ code: 1, err: expect.stringMatching(/another encryption key/) });
      const [missing, kept] = [join(folder, "missing"), mkdtempSync(join(folder, "kept-"))];
      writeFileSync(join(kept, "note"), "");
      for (const DATA_DIR of [missing, kept])
        expect(
          await admin(`backup restore --from "${file}"`, { DATA_DIR, DATABASE_URL: "", ENCRYPTION_KEY: "" }),
        ).toMatchObject({ code: 1, err: expect.stringMatching(/another encryption key/) });
      expect([existsSync(missing), readdirSync(kept)]).toEqual([false, ["note"]]);
    },
  );

  it("brings every row back, and what was handed out is good [contract.operation.backup]", async () => {
    const restored = await admin(`backup restore --from "${file}"`);
    expect(restored.err).toMatch(
      /is good again: revoked API keys and assistant connections.*End it again before you let anybody in: api-key revoke/,
    );
    expect(restored.out).toMatch(new RegExp(`\\b${before.length}\\b`));
    const store = await openTarget();
    try {
      const rows = await rowsOf(store);
      const told = rows.filter((row) => row.startsWith("audit_entries ") && row.includes("restoreBackup"));
      expect(told).toMatchObject([expect.stringContaining("of 20")]);
      expect(rows.filter((row) => !told.includes(row))).toEqual(before);
      expect(await operate(testCore(store), book.tenantId, verifyRollup, {})).toMatchObject({ differences: 0 });
    } finally {
      await store.close();
    }
    expect(await admin(`backup restore --from "${file}"`)).toMatchObject({
      code: 1,
      err: expect.stringMatching(/data in the store/),
    });

    const environment = { ...target.environment, PUBLIC_URL: source.url };
    const again = await startService("embedded", { environment });
    try {
      const [was, is] = [await aging(source), await aging(again)];
      expect(totalsOf(is.body)).toEqual(totalsOf(was.body));
      const call = await callOverWire(again, assistant.accessToken, { name: "get_context" });
      expect(await call.text).toContain("Kept");
      expect((await refreshBehind(again, assistant)).status).toBe(200);
    } finally {
      await again.close();
    }
  });
});

/** Refreshes at a process whose public address is another's. */
async function refreshBehind(
  { via, url }: RunningService,
  { client, refreshToken }: Approved,
): Promise<{ status: number }> {
  const form = { grant_type: "refresh_token", client_id: client.clientId, refresh_token: refreshToken };
  const headers = { host: new URL(url).host, "content-type": "application/x-www-form-urlencoded" };
  const sent = request(`${via}/oauth/token`, { method: "POST", headers });
  sent.end(new URLSearchParams(form).toString());
  const [response] = await once(sent, "response");
  return { status: response.resume().statusCode };
}

const isQueuedMail = (row: string): boolean => row.startsWith("outgoing_mails ") && row.includes('"status":"queued"');

function totalsOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "totals" in body ? body.totals : undefined;
}
