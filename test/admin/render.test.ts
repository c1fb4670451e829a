import { expect, it } from "vitest";
import { render } from "../../src/admin/render.ts";

const ROWS = [
  { id: "dc06e423-9869-4983-aee4-3b3494bc03c7", status: "connected", currencies: ["CAD", "EUR"], since: null },
  { id: "d661096c-9779-4d15-99eb-eb757f812330", status: "disconnected", currencies: [], since: "2026-11-01" },
];

it("a list is a table where it fits, and a row below the other where the terminal is narrower [contract.admin.tables]", () => {
  const table = render(ROWS, 120);
  expect(table).toBe(render(ROWS));
  expect(table.split("\n")).toEqual([
    "id                                    status        currencies  since",
    "dc06e423-9869-4983-aee4-3b3494bc03c7  connected     CAD, EUR    –",
    "d661096c-9779-4d15-99eb-eb757f812330  disconnected  –           2026-11-01",
  ]);
  const narrow = render(ROWS, 60);
  expect(narrow.split("\n").every((line) => line.length <= 60)).toBe(true);
  expect(narrow.split("\n\n")).toHaveLength(2);
  expect(narrow).toContain("id          d661096c-9779-4d15-99eb-eb757f812330\nstatus      disconnected");
  expect(render([], 10)).toBe("none");
});
