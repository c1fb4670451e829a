import type { WouldRetire } from "../../store/tables/erp.ts";
import { workStep } from "../gate/work-step.ts";
import { countOwing, missingParts } from "../invoices/delivery/missing-queries.ts";
import type { LedRun } from "./claim-runs.ts";
import { setAsideIds } from "./set-aside-queries.ts";

/** As many are retired without a person, also where they are all there is. */
const MAX_UNCONFIRMED = 10;
/** Parts that are kept of what is missing; an ERP has fewer business units. */
const MAX_PARTS = 200;
/** A pull would retire too much at once: it retires nothing. */
export class RetirementHeld extends Error {
  override readonly name = "RetirementHeld";
  readonly wouldRetire: WouldRetire;

  constructor(wouldRetire: WouldRetire) {
    super("More than a fifth of the invoices that still owe are missing.");
    this.wouldRetire = wouldRetire;
  }
}

/**
 * Throws {@link RetirementHeld} where a complete pull, which did not find `absent` invoices, would retire more than ten and more
 * than a fifth of those within its window that still owe, not counting what a person confirmed (completions §12).
 */
export const assertMayRetire = workStep({
  in: "workspace",
  async run({ tx }, led: LedRun, absent: number) {
    if (absent <= MAX_UNCONFIRMED) return;
    const { owing, missing } = await countOwing(tx, led);
    if (missing <= MAX_UNCONFIRMED || missing * 5 <= owing) return;
    throw new RetirementHeld({
      owing,
      missing: await missingParts(tx, led, MAX_PARTS),
      set_aside: await setAsideIds(tx, led),
    });
  },
});
