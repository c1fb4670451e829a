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
  '"base":"https://www.',
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

  it("leaves addresses of our own whole, and those that a text from outside only quotes not [completions.3.own-addresses]", () => {
    const own = [
      '{"url":"https://www.example.test/pay/a_b-~.c?x=1&y=%20#z"}',
      '{"pages":{"base":"http://localhost:3000/{path}?workspace=1"}}',
    ];
    for (const json of own) {
      expect(inertJson(json)).toBe(json);
      expect(inertJson(JSON.stringify({ name: json }))).not.toContain("://");
    }
    expect(inertJson('{"name":"https://www.example.test/pay/1"}')).not.toMatch(/:\/\/|www\./);
    expect(inertJson('{"url":"https://pay.example.test/](x)"}')).not.toMatch(/:\/\/|\]\(/);
    expect(inertJson('{"name":"[x]"}')).toBe('{"name":"[x]"}');
  });
});
