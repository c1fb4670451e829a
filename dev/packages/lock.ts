import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { z } from "zod";

/** The repository. */
export const ROOT = resolve(import.meta.dirname, "../..");

const Lock = z.object({
  lockfileVersion: z.literal(3),
  packages: z.record(
    z.string(),
    z.object({
      name: z.string().optional(),
      version: z.string(),
      license: z.string().optional(),
      integrity: z.string().optional(),
      dev: z.boolean().default(false),
      optional: z.boolean().default(false),
      devOptional: z.boolean().default(false),
    }),
  ),
});

/** A package at a version, as `package-lock.json` has it. */
export interface LockedPackage {
  name: string;
  version: string;
  /** SPDX expression; empty where the package names no licence. */
  licence: string;
  /** `sha512-` and base64; empty where the lock has none. */
  integrity: string;
  /** Whether the image has it: `npm ci --omit=dev --omit=optional`. */
  isInImage: boolean;
}

/** Every package of the lock once, by name and version. */
export function lockedPackages(path = resolve(ROOT, "package-lock.json")): LockedPackage[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(path, "utf8")));
  const found = new Map<string, LockedPackage>();
  for (const [place, { name: alias, version, license, integrity, dev, optional, devOptional }] of Object.entries(
    packages,
  )) {
    if (place === "") continue;
    const name = alias ?? place.slice(place.lastIndexOf("node_modules/") + "node_modules/".length);
    const isInImage = !(dev || optional || devOptional) || found.get(`${name}@${version}`)?.isInImage === true;
    found.set(`${name}@${version}`, { name, version, licence: license ?? "", integrity: integrity ?? "", isInImage });
  }
  return [...found].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, locked]) => locked);
}
