import { existsSync } from "node:fs";

/** The balancers that deploy/ has files for, where Debian's packages put them. */
export const BALANCERS = { haproxy: "/usr/sbin/haproxy", nginx: "/usr/sbin/nginx", caddy: "/usr/bin/caddy" } as const;

/** Those that this machine does not have, by name and place. */
export const missingBalancers = (): string[] =>
  Object.entries(BALANCERS).flatMap(([name, place]) => (existsSync(place) ? [] : [`${name}: no ${place}`]));
