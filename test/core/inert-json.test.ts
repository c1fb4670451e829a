import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inertJson } from "../../src/core/kernel/inert-json.ts";

const pieces = fc.constantFrom(
  ...'[](!<>a/:\\"w.& ',
  "](",
  "://",
  "www.",
  "https://",
  '"url":"https://',
  "\\u003c",
  "\n",
);
const text = fc.array(pieces).map((all) => all.join(""));

describe("JSON for a chat", () => {
  it("is the same data, and holds no link, image or markup [facts.mcp.inert-text]", () => {
    fc.assert(
      fc.property(fc.dictionary(text, fc.array(text)), (data) => {
        const inert = inertJson(JSON.stringify(data));
        expect(JSON.stringify(JSON.parse(inert))).toBe(JSON.stringify(data));
        expect(inert).not.toMatch(/\]\(|<[a-z/!?]|\bwww\.|https?:\/\//i);
      }),
      { numRuns: 2_000 },
    );
  });

  it("leaves a payment link's address unchanged, and one that a name only quotes not", () => {
    const link = '{"url":"https://pay.example.test/l/1"}';
    expect(inertJson(link)).toBe(link);
    const quoting = JSON.stringify({ name: link });
    expect(inertJson(quoting)).not.toContain("://");
    expect(inertJson('{"name":"[x]"}')).toBe('{"name":"[x]"}');
  });
});
