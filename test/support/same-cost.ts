import { expect } from "vitest";
import type { Reads } from "./reads.ts";

/** Rows of updates before, which nobody has cleared away yet. */
const LEFTOVERS = 10;

/** That something costs what it cost when there was far less of it, but for deeper indexes. */
export function expectSameCost(many: Reads, few: Reads): void {
  expect(many.rows, "rows").toBeLessThanOrEqual(few.rows * 1.5 + LEFTOVERS);
  expect(many.blocks, "blocks").toBeLessThanOrEqual(few.blocks * 4);
}
