import { isIP } from "node:net";
import manifest from "../../server.json" with { type: "json" };

const MOST_CHARACTERS = 200;

/** The domain whose owner may publish under a name: `com.example/receivables` is example.com's. */
export function domainOf(name: string) {
  return (name.split("/")[0] ?? "").split(".").reverse().join(".");
}

/**
 * The name of an installation in registries: its host backwards, so that its operator can prove to own it.
 * Where nobody could (this machine, an address, a name without a domain), the repository's own.
 */
export function serverName({ publicUrl, configured }: { publicUrl: string; configured: string | null }) {
  if (configured !== null) return configured;
  const { hostname } = new URL(publicUrl);
  const name = `${hostname.split(".").reverse().join(".")}/receivables`;
  const isOwned = isDomain(hostname) && /^[a-z0-9.-]+\//.test(name) && name.length <= MOST_CHARACTERS;
  return isOwned ? name : manifest.name;
}

/** Whether somebody on the internet could own the name of a host. */
export function isDomain(hostname: string) {
  return (
    hostname.includes(".") && !hostname.endsWith(".localhost") && isIP(hostname) === 0 && !hostname.startsWith("[")
  );
}
