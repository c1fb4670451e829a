import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { afterAll, expect, it } from "vitest";
import { readBackup, writeBackup } from "../../src/core/backups/backup-file.ts";

const folder = mkdtempSync(join(tmpdir(), "receivables-backup-file-"));
afterAll(() => rmSync(folder, { recursive: true }));
const header = { format: "receivables-backup-1", schema: "1", created_at: "2026-03-10T00:00:00.000Z" } as const;

async function* rows(meanwhile: () => void = () => undefined) {
  yield { table: "tenants", json: "{}" };
  meanwhile();
}

/** What is read of a file: its rows, or why it is refused. */
async function read(content: Buffer): Promise<{ rows: string[] } | { refused: unknown }> {
  const path = join(folder, "read");
  writeFileSync(path, content);
  const found: string[] = [];
  try {
    await readBackup(
      path,
      () => undefined,
      async ({ table, json }) => void found.push(`${table} ${json}`),
    );
    return { rows: found };
  } catch (error) {
    return { refused: error };
  } finally {
    rmSync(path);
  }
}

it("never takes the place of another [contract.operation.backup]", async () => {
  const [there, late] = [join(folder, "there"), join(folder, "late")];
  writeFileSync(there, "kept");
  const refused = { code: "validation_failed", message: expect.stringContaining("already") };
  await expect(writeBackup(there, header, rows())).rejects.toMatchObject(refused);
  const raced = writeBackup(
    late,
    header,
    rows(() => writeFileSync(late, "kept")),
  );
  await expect(raced).rejects.toMatchObject(refused);
  for (const path of [there, late]) expect(readFileSync(path, "utf8")).toBe("kept");
  expect(readdirSync(folder).sort()).toEqual(["late", "there"]);
});

it("makes the folder it is to lie in [contract.operation.backup]", async () => {
  const path = join(folder, "new", "newer", "monday.backup");
  expect(await writeBackup(path, header, rows())).toBe(1);
  expect(statSync(join(folder, "new")).mode & 0o777).toBe(0o700);
  const inFile = writeBackup(join(path, "tuesday.backup"), header, rows());
  await expect(inFile).rejects.toMatchObject({ code: "validation_failed", message: expect.stringContaining("EEXIST") });
});

it("is refused, and says why, where one that was cut off lies [contract.operation.backup]", async () => {
  const path = join(folder, "again");
  writeFileSync(`${path}.partial`, "cut off");
  const message = expect.stringContaining(`${path}.partial`);
  await expect(writeBackup(path, header, rows())).rejects.toMatchObject({ code: "validation_failed", message });
  expect(readFileSync(`${path}.partial`, "utf8")).toBe("cut off");
  rmSync(`${path}.partial`);
  expect(await writeBackup(path, header, rows())).toBe(1);
  expect(existsSync(`${path}.partial`)).toBe(false);
});

it("is read as it was written, or refused with its first damaged part [contract.operation.damaged-backup]", async () => {
  const tables = ["customers", "invoices", "payments"];
  const written = tables.flatMap((table) =>
    Array.from({ length: 2_000 }, (_, row) => ({ table, json: JSON.stringify({ row, key: crypto.randomUUID() }) })),
  );
  const path = join(folder, "large");
  async function* all() {
    yield* written;
  }
  await writeBackup(path, header, all());
  const whole = { rows: written.map(({ table, json }) => `${table} ${json}`) };
  const bytes = readFileSync(path);
  expect(await read(bytes)).toEqual(whole);

  const lines = gunzipSync(bytes).toString().split("\n");
  const edited = (change: (line: string, at: number) => string | null): Buffer =>
    gzipSync(
      lines
        .map(change)
        .filter((line) => line !== null)
        .join("\n"),
    );
  const part = (name: string) => ({
    refused: { code: "validation_failed", message: expect.stringContaining(`first in ${name}. Nothing was restored.`) },
  });
  const damages: [Buffer, object][] = [
    [Buffer.from("no backup"), { refused: { message: "The file is not a backup." } }],
    [gzipSync(""), { refused: { message: "The file is not a backup." } }],
    [gzipSync("{}\n"), { refused: { message: "The file is not a backup." } }],
    [
      edited((line) =>
        line.includes('"row":1234,') && line.startsWith("invoices") ? line.replace("1234", "1235") : line,
      ),
      part("its part invoices"),
    ],
    [
      edited((line) => (line.includes('"row":1234,') && line.startsWith("payments") ? null : line)),
      part("its part payments"),
    ],
    [edited((line) => (line.startsWith('{"part":"customers"') ? null : line)), part("its part customers")],
    [edited((line, at) => (at === lines.length - 2 ? null : line)), part("what follows its part payments")],
    [bytes.subarray(0, bytes.length * 0.5), part("its part invoices")],
    [bytes.subarray(0, bytes.length * 0.9), part("its part payments")],
    [flipped(bytes, Math.floor(bytes.length * 0.5)), part("its part invoices")],
  ];
  for (const [content, answer] of damages) expect(await read(content)).toMatchObject(answer);

  for (let at = 0; at < bytes.length; at += Math.floor(bytes.length / 40)) {
    const found = await read(flipped(bytes, at));
    expect("refused" in found ? found.refused : found, String(at)).toMatchObject(
      "refused" in found ? { code: "validation_failed" } : whole,
    );
  }
});

/** With one changed byte. */
function flipped(bytes: Buffer, at: number): Buffer {
  const changed = Buffer.from(bytes);
  changed.writeUInt8(changed.readUInt8(at) ^ 0x40, at);
  return changed;
}
