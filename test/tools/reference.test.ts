import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { toolsReference } from "../../docs/tools.ts";

it("docs/tools.md is what `node docs/tools.ts` writes", () => {
  expect(readFileSync(join(import.meta.dirname, "../../docs/tools.md"), "utf8")).toBe(toolsReference());
});

it("it shows what the objects in a list hold, of arguments and of answers [completions.3.tools]", () => {
  const [, created = ""] = /### create_payment_links\n([\s\S]*?)\n###/.exec(toolsReference()) ?? [];
  expect(created).toContain(
    "| `links[].amount_minor` | integer, 1 to any | Minor units; left out: all that is available |",
  );
  expect(created).toContain("`data[].url`");
});
