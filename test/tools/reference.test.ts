import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toolsReference } from "../../docs/tools.ts";

it("docs/tools.md is what `node docs/tools.ts` writes", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/tools.md"), "utf8")).toBe(toolsReference());
});
