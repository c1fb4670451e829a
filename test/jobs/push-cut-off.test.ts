import { describe, expect, it } from "vitest";
import { erpWait, waitingUnder } from "../../src/jobs/erp-wait.ts";
import { PAGE_MODES } from "../../src/simulators/fusion/faults.ts";
import type { ControlInput } from "../../src/simulators/fusion/index.ts";
import { quickConnect } from "../support/pulls.ts";
import { usePushWorld } from "../support/pushes.ts";
import { A_STORE } from "../support/thorough.ts";

const MINUTE = 60_000;
const RECEIPTS = "standardReceipts";
const CREATE = { resource: RECEIPTS, method: "POST", times: 1 } as const;
const APPLY = { resource: RECEIPTS, action: "applyReceipt", times: 1 } as const;
const FAULTS: readonly [name: string, fault: ControlInput][] = [
  ["dropped before it is created", { ...CREATE, mode: "drop" }],
  ["dropped after it was created", { ...CREATE, mode: "drop", when: "after-effect" }],
  ["answered 500 before it is created", { ...CREATE, mode: "500" }],
  ["answered 500 after it was created", { ...CREATE, mode: "500", when: "after-effect" }],
  ["cut off after it was created", { ...CREATE, mode: "cut" }],
  ["dropped before it is applied", { ...APPLY, mode: "drop" }],
  ["dropped after it was applied", { ...APPLY, mode: "drop", when: "after-effect" }],
  ["answered 503 after it was applied", { ...APPLY, mode: "503", when: "after-effect" }],
  ["cut off after it was applied", { ...APPLY, mode: "cut" }],
  ...PAGE_MODES.flatMap((mode): [string, ControlInput][] => [
    [`answered by ${mode} before it is created`, { ...CREATE, mode }],
    [`answered by ${mode} after it was created`, { ...CREATE, mode, when: "after-effect" }],
    [`answered by ${mode} before it is applied`, { ...APPLY, mode }],
    [`answered by ${mode} after it was applied`, { ...APPLY, mode, when: "after-effect" }],
  ]),
];

describe.each(A_STORE)("a push whose answers are lost on $name", ({ open }) => {
  const { clock, erp, pay, push, payment } = usePushWorld(open);

  it.each(FAULTS)(
    "%s: one receipt, applied once [completions.7.push-found] [completions.7.form]",
    async (_name, fault) => {
      const id = await pay("one", "10");
      erp.control(fault);
      await push();
      expect(["applied", "posted", "failed"]).toContain((await payment(id)).erp_push_status);
      clock.advance(15 * MINUTE);
      await push();
      expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
      expect(erp.receipts).toMatchObject([{ amount: "10", unappliedAmount: "0", applications: [{ amount: "10" }] }]);
    },
  );

  it("given up for another while it is created: one receipt, which is looked for [completions.7.push-found]", async () => {
    const id = await pay("one", "10");
    erp.control({ ...CREATE, mode: "hang", when: "after-effect" });
    const wait = erpWait();
    const pushing = push({}, waitingUnder(wait, quickConnect));
    await expect.poll(() => erp.receipts).toHaveLength(1);
    wait.giveUp();
    await pushing;
    expect(await payment(id)).toMatchObject({ erp_push_status: "processing", push_retryable: true });
    clock.advance(15 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "applied", erp_push_error: null });
    expect(erp.receipts).toHaveLength(1);
  });

  it("is not said to have failed while nobody knows [completions.7.push-found] [service.3.3.processing]", async () => {
    const id = await pay("one", "10");
    // The lookup goes well, the creation's answer and everything after it is lost.
    erp.control({ resource: RECEIPTS, mode: "drop", when: "after-effect", after: 1 });
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "processing", push_retryable: true });
    expect(erp.receipts).toHaveLength(1);
    clock.advance(15 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({ erp_push_status: "processing", push_retryable: true });
    clock.advance(24 * 60 * MINUTE);
    await push();
    expect(await payment(id)).toMatchObject({
      erp_push_status: "failed",
      erp_push_error: { code: "not_reached", outcome_unknown: true },
      push_retryable: false,
    });
    expect(erp.receipts).toHaveLength(1);
  });
});
