import type { Transaction } from "../../store/store.ts";

/**
 * Thrown by a read that finds the aging roll-up computed for another day. The gate then repeats the read in a write
 * transaction that calls `catchUp` first; its lock keeps the roll-up unchanged until the read is done.
 */
export class StaleRollup extends Error {
  override readonly name = "StaleRollup";
  readonly catchUp: (tx: Transaction) => Promise<void>;

  constructor(catchUp: (tx: Transaction) => Promise<void>) {
    super("the aging roll-up is of another day");
    this.catchUp = catchUp;
  }
}
