/** Crockford's base 32: digits and capitals without those that are easily taken for others, for people read ledgers. */
const ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const PREFIX = "PAY-";
/** 26 digits of five bits hold the 128 bits of a UUID; with the prefix, the 30 characters that an ERP allows. */
const DIGITS = 26;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The last round that a receipt number has room for. */
export const MAX_RECEIPT_ROUND = 99;

/**
 * The receipt number of a payment: its id in another spelling, 30 characters long, so that a push that was cut off is
 * found again (completions §7). Different payments never share one. Throws RangeError for what is no UUID.
 */
export function receiptNumberOf(paymentId: string) {
  return `${PREFIX}${digitsOf(paymentId)}`;
}

/** The same of a payment's n-th receipt, from `P02-` to `P99-`. Throws RangeError for what is no round as well. */
export function receiptNumberOfRound(paymentId: string, round: number) {
  if (!Number.isInteger(round) || round < 1 || round > MAX_RECEIPT_ROUND) throw new RangeError("not a receipt's round");
  return round === 1 ? receiptNumberOf(paymentId) : `P${String(round).padStart(2, "0")}-${digitsOf(paymentId)}`;
}

function digitsOf(paymentId: string) {
  if (!UUID.test(paymentId)) throw new RangeError("not a payment's id");
  let rest = BigInt(`0x${paymentId.replaceAll("-", "")}`);
  let digits = "";
  for (let count = 0; count < DIGITS; count += 1) {
    digits = ALPHABET.charAt(Number(rest & 31n)) + digits;
    rest >>= 5n;
  }
  return digits;
}
