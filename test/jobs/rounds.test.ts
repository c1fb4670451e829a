import { describe, expect, it } from "vitest";
import { rounds } from "../../src/jobs/rounds.ts";

/** Rounds of which each waits until it is let go, or fails. */
function held() {
  const waiting: { end(): void; fail(): void }[] = [];
  const failures: unknown[] = [];
  let begun = 0;
  const made = rounds(
    () => {
      begun += 1;
      return new Promise<void>((resolve, reject) => {
        waiting.push({ end: resolve, fail: () => reject(new Error("away")) });
      });
    },
    (error) => void failures.push(error),
  );
  return { made, waiting, failures, begun: () => begun };
}

describe("rounds of work", () => {
  it("are followed by another that was asked for meanwhile", async () => {
    const { made, waiting, begun } = held();
    made.wake();
    made.wake();
    waiting[0]?.end();
    await expect.poll(begun).toBe(2);
    waiting[1]?.end();
    await made.idle();
    expect(begun()).toBe(2);
  });

  it("are not followed at once by another where one failed, and go on when asked again [contract.outage.log]", async () => {
    const { made, waiting, failures, begun } = held();
    made.wake();
    made.wake();
    waiting[0]?.fail();
    await made.idle();
    expect([begun(), failures.length]).toEqual([1, 1]);
    made.wake();
    waiting[1]?.end();
    await made.idle();
    expect([begun(), failures.length]).toEqual([2, 1]);
  });
});
