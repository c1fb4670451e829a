import type { LookupAddress } from "node:dns";
import { BlockList, isIP } from "node:net";
import { plainUrl } from "../settings.ts";

/** Addresses of one name. */
export type Addresses = Pick<LookupAddress, "address" | "family">[];

/** Looks a name up; all its addresses. */
export type Lookup = (hostname: string) => Promise<Addresses>;

/** Names that no public DNS serves, or that mean this machine or its network (RFC 6761, RFC 6762, RFC 8375). */
const LOCAL_NAME =
  /(^|\.)(localhost|local|localdomain|internal|intranet|lan|home|corp|test|invalid|example|onion|arpa)$/;

/** Ranges that are not the public internet (IANA special-purpose registries). */
const SPECIAL = new BlockList();
for (const [network, prefix] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv4");
// Of IPv6 only 2000::/3 is handed out; of that, tunnels and documentation lead elsewhere.
const UNICAST = new BlockList();
UNICAST.addSubnet("2000::", 3, "ipv6");
for (const [network, prefix] of [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
] as const)
  SPECIAL.addSubnet(network, prefix, "ipv6");

function isPublicAddress({ address, family }: Pick<LookupAddress, "address" | "family">) {
  if (family === 4) return !SPECIAL.check(address, "ipv4");
  return UNICAST.check(address, "ipv6") && !SPECIAL.check(address, "ipv6");
}

/** Whether a URL is one we may fetch as far as its text tells: https on port 443, a public DNS name, no credentials. */
export function isPublicUrl(text: string) {
  const url = plainUrl(text);
  if (url === null || url.protocol !== "https:" || url.port !== "") return false;
  if (url.username !== "" || url.password !== "") return false;
  const name = url.hostname.replace(/\.$/, "");
  return name.includes(".") && isIP(name) === 0 && !name.startsWith("[") && !LOCAL_NAME.test(name);
}

/** A look-up that rejects a name unless every address behind it is on the public internet. */
export function publicLookup(find: Lookup): Lookup {
  return async (hostname) => {
    const family = isIP(hostname.replace(/^\[|\]$/g, ""));
    const addresses = family === 0 ? await find(hostname) : [{ address: hostname.replace(/^\[|\]$/g, ""), family }];
    if (addresses.length > 0 && addresses.every(isPublicAddress)) return addresses;
    throw notPublic();
  };
}

/** The code of the error for an address that is not on the public internet. */
export const NOT_PUBLIC = "ENOTPUBLIC";

export function notPublic(): Error {
  return Object.assign(new Error("the address is not public"), { code: NOT_PUBLIC });
}
