import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { z } from "zod";

const ROOT = resolve(import.meta.dirname, "../..");
const read = (path: string): string => readFileSync(resolve(ROOT, path), "utf8");

const Alert = z.strictObject({
  alert: z.string(),
  expr: z.string(),
  for: z.string().regex(/^\d+[mh]$/),
  labels: z.strictObject({ severity: z.enum(["page", "ticket"]) }),
});
const Rules = z.strictObject({ groups: z.array(z.strictObject({ name: z.string(), rules: z.array(Alert) })) });

const alerts = Rules.parse(parse(read("deploy/alerts.yaml"))).groups.flatMap(({ rules }) => rules);
const sections = new Map(
  read("docs/runbook.md")
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf("\n")), section]),
);

describe("an alert", () => {
  it("has a section in the runbook, and each section an alert [contract.operation.alerts]", () => {
    expect([...sections.keys()]).toEqual(alerts.map(({ alert }) => alert));
    expect(alerts.length).toBeGreaterThan(15);
  });

  it.each(alerts)(
    "$alert says what it means, how to look, what to do and when it is over [contract.operation.alerts]",
    ({ alert }) => {
      const parts = [...(sections.get(alert) ?? "").matchAll(/^- \*\*([^*]+)\*\*: (\S.{20,})/gm)].map(
        ([, part]) => part,
      );
      expect(parts).toEqual(["It means", "Look", "Do", "It is over when"]);
    },
  );

  it.each(alerts)(
    "$alert adds up over all series, and fires after a few of what it counts [contract.operation.alerts]",
    ({ expr }) => {
      // A label that says which series is meant stays; that of a process never does.
      expect(expr).toMatch(
        /^\(?(sum|max|min)( by \((queue|job|system|outage)\))?\s?\(|^histogram_quantile\(0\.95, sum by \(le\) \(/,
      );
      // A rate a second needs a busy installation: what happens is counted over minutes.
      if (!expr.startsWith("histogram_quantile")) expect(expr).not.toContain("rate(");
      for (const [, counted] of expr.matchAll(/increase\([^)]*\)+ > (\d+)/g))
        expect(Number(counted)).toBeLessThanOrEqual(60);
    },
  );
});
