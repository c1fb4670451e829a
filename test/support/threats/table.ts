import { afterAll, expect, it } from "vitest";

/**
 * The rows of a threat table, each a test: `threat("what is tried", "what must happen", proof)`. After the last one it says
 * how many rows were proved here, and fails unless they are all `rows`.
 */
export function threatTable(place: string, rows: number) {
  const proved = new Set<string>();
  const declared = new Set<string>();
  afterAll(() => {
    process.stdout.write(`threats ${place}: ${proved.size} of ${rows} rows of the table are covered\n`);
    expect(declared.size).toBe(rows);
    expect([...declared].filter((threat) => !proved.has(threat))).toEqual([]);
  });
  return (threat: string, expected: string, proof: () => Promise<void>): void => {
    declared.add(threat);
    it(`${threat} → ${expected}`, async () => {
      await proof();
      proved.add(threat);
    });
  };
}
