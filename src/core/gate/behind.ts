import type { Transaction } from "../../store/store.ts";

/**
 * Thrown by a read that met derived figures which are not of its day. The read is done once more, in a write transaction
 * that catches up first; the lock it takes for that keeps them as they are until it has read them.
 */
export class Behind extends Error {
  override readonly name = "Behind";
  readonly catchUp: (tx: Transaction) => Promise<void>;

  constructor(catchUp: (tx: Transaction) => Promise<void>) {
    super("figures are not of today");
    this.catchUp = catchUp;
  }
}
