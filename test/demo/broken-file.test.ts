import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ConfigError } from "../../src/config.ts";
import { readPrivate, writePrivately } from "../../src/demo/files.ts";

const folder = mkdtempSync(join(tmpdir(), "receivables-demo-"));
afterAll(() => rmSync(folder, { recursive: true }));

it("ends a start with one line that names a file of the demo's that is broken, and says what to do", () => {
  const path = join(folder, "demo-erp.json");
  expect(readPrivate(path)).toBeNull();
  writePrivately(path, { told: 1 });
  expect(readPrivate(path)).toEqual({ told: 1 });
  writeFileSync(path, '{ "told": ');
  const reading = () => readPrivate(path);
  expect(reading).toThrow(ConfigError);
  expect(reading).toThrow(/^DATA_DIR: \/[^\n]*demo-erp\.json is no JSON any more\. [^\n]*remove it[^\n]*$/);
});
