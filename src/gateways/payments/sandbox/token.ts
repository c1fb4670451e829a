/** Keyed digests that only the service can make; the core's `Secrets` is one. */
export interface Seals {
  seal(purpose: string, text: string): Buffer;
  sealMatches(purpose: string, text: string, given: Uint8Array): boolean;
}

/** Which link a pay page is for, and whose. */
export interface PayPage {
  readonly tenantId: string;
  readonly linkId: string;
}

const PURPOSE = "sandbox pay page";
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UUID_BYTES = 16;
const SEAL_BYTES = 16;
const TOKEN = /^[\w-]{64}$/;

/** The last part of a pay page's address: 64 characters that nobody else can make up. Throws RangeError on a non-UUID. */
export function payToken(seals: Seals, page: PayPage): string {
  const seal = seals.seal(PURPOSE, textOf(page)).subarray(0, SEAL_BYTES);
  return Buffer.concat([uuidBytes(page.tenantId), uuidBytes(page.linkId), seal]).toString("base64url");
}

/** Reverses {@link payToken}; null for anything the service did not make. */
export function readPayToken(seals: Seals, token: string): PayPage | null {
  if (!TOKEN.test(token)) return null;
  const bytes = Buffer.from(token, "base64url");
  const page = { tenantId: uuidText(bytes, 0), linkId: uuidText(bytes, UUID_BYTES) };
  return seals.sealMatches(PURPOSE, textOf(page), bytes.subarray(2 * UUID_BYTES)) ? page : null;
}

const textOf = ({ tenantId, linkId }: PayPage): string => `${tenantId}/${linkId}`;

function uuidBytes(uuid: string): Buffer {
  if (!UUID.test(uuid)) throw new RangeError("not a UUID in lower case");
  return Buffer.from(uuid.replaceAll("-", ""), "hex");
}

function uuidText(bytes: Buffer, start: number): string {
  const hex = bytes.toString("hex", start, start + UUID_BYTES);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
