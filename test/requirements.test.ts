import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { REQUIREMENTS } from "./requirements.ts";

const NAMED = /\[((?:service|completions|contract|facts|isolation|listing|pages|scale|views)\.[\w.-]+)\]/g;

const tests = readdirSync(import.meta.dirname, { recursive: true, withFileTypes: true }).filter(
  (entry) => entry.isFile() && entry.name.endsWith(".test.ts"),
);
const named = new Set(
  tests.flatMap((entry) =>
    [...readFileSync(join(entry.parentPath, entry.name), "utf8").matchAll(NAMED)].map((match) => match[1] ?? ""),
  ),
);

describe("the clauses of the spec", () => {
  it("are each proved by a test that names them", () => {
    expect(Object.keys(REQUIREMENTS).filter((id) => !named.has(id))).toEqual([]);
  });

  it("are the only ones a test names", () => {
    expect([...named].filter((id) => !(id in REQUIREMENTS))).toEqual([]);
  });
});
