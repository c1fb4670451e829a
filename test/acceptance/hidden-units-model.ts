const FIRST = 300100180000000000n;
/** What each invoice asks for at first, in cents. */
export const ASKED = 100_00n;
export const UNITS = ["Vision East", "Vision North", "Vision West"] as const;
const OF_A_UNIT = 12;

/** An invoice in the ERP, and as the service should know it; amounts are cents. */
export interface Bill {
  readonly id: bigint;
  readonly unit: string;
  balance: bigint;
  hidden: boolean;
  owed: bigint;
  retired: boolean;
  /** When a pull first missed it. */
  missing: number | null;
  linked: boolean;
}

/** A pull that was held, by its id. */
export interface Held {
  readonly id: string;
  readonly startedAt: number;
  readonly owing: number;
  readonly missing: number;
  state: "held" | "confirmed" | "over";
}

export interface Model {
  readonly bills: readonly Bill[];
  readonly held: Held[];
}

/** A book that was pulled once, each invoice with a link. */
export function newBills(): Bill[] {
  return UNITS.flatMap((unit, which) =>
    Array.from({ length: OF_A_UNIT }, (_, index) => ({
      ...{ id: FIRST + BigInt(which * OF_A_UNIT + index) * 100n, unit, balance: ASKED, hidden: false },
      ...{ owed: ASKED, retired: false, missing: null, linked: true },
    })),
  );
}

/** What a pull finds of the book; `null` where the ERP did not answer to what is missing. */
export function modelPull({ bills, held }: Model, at: number, id: string, isAnswered: boolean): number | "held" | null {
  for (const bill of bills) {
    if (!bill.hidden) Object.assign(bill, { owed: bill.balance, retired: false, missing: null });
    else if (!bill.retired) bill.missing ??= at;
    bill.linked &&= bill.owed > 0n;
  }
  const absent = bills.filter(({ retired, missing }) => !retired && missing !== null);
  if (absent.length > 0 && !isAnswered) return null;
  const confirmed = held.filter(({ state }) => state === "confirmed");
  const isConfirmed = ({ missing }: Bill) => confirmed.some(({ startedAt }) => (missing ?? at) <= startedAt);
  const owing = bills.filter(({ retired, owed }) => !retired && owed > 0n).length;
  const asked = absent.filter((bill) => bill.owed > 0n && !isConfirmed(bill)).length;
  const isHeld = asked > 10 && asked * 5 > owing;
  for (const one of held) if (!isHeld || one.state === "held") one.state = "over";
  if (isHeld) {
    held.push({ ...{ id, startedAt: at, owing, missing: absent.length }, state: "held" });
    return "held";
  }
  for (const bill of absent) Object.assign(bill, { retired: true, linked: false });
  return absent.length;
}
