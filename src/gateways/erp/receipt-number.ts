import { UUID } from "../../uuid.ts";

/** Crockford's base 32: digits and capitals without those that are easily taken for others, for people read ledgers. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/** 26 digits of five bits hold the 128 bits of a UUID; with the prefix, the 30 characters that an ERP allows. */
const DIGITS = 26;

/** The last round that a receipt number has room for. */
export const MAX_RECEIPT_ROUND = 99;

/**
 * The number of a payment's n-th receipt: its id in another spelling, 30 characters long, so that a push that was cut off is found
 * again (completions §7). Different payments never share one. Throws RangeError for what is no UUID, or no round.
 */
export function receiptNumberOf(paymentId: string, round = 1) {
  if (!UUID.test(paymentId.toLowerCase())) throw new RangeError("not a payment's id");
  if (!Number.isInteger(round) || round < 1 || round > MAX_RECEIPT_ROUND) throw new RangeError("not a receipt's round");
  const prefix = round === 1 ? "PAY-" : `P${String(round).padStart(2, "0")}-`;
  const digits = BigInt(`0x${paymentId.replaceAll("-", "")}`)
    .toString(32)
    .padStart(DIGITS, "0");
  return prefix + digits.replaceAll(/./g, (digit) => ALPHABET.charAt(Number.parseInt(digit, 32)));
}
