import { type LockedPackage, lockedPackages } from "./lock.ts";

/** Licences of what the image has: they ask for their text to be kept, and for nothing of ours. */
const IN_IMAGE: readonly string[] = ["Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0"];
/** Of what develops and tests it, besides: nothing of it is handed on. */
const FOR_DEVELOPMENT: readonly string[] = ["0BSD", "BlueOak-1.0.0", "CC0-1.0", "MPL-2.0", "Python-2.0"];

/** Whether one may choose a licence that is accepted. An expression that is not understood is not accepted. */
function isAccepted({ licence, isInImage }: LockedPackage): boolean {
  const accepted = isInImage ? IN_IMAGE : [...IN_IMAGE, ...FOR_DEVELOPMENT];
  return licence
    .replace(/^\((.*)\)$/, "$1")
    .split(" OR ")
    .some((choice) => choice.split(" AND ").every((one) => accepted.includes(one)));
}

/** A line for each package of the lock, and those whose licence is not accepted. */
export function checkLicences(packages = lockedPackages()): { lines: string[]; refused: string[] } {
  const line = ({ name, version, licence, isInImage }: LockedPackage): string =>
    [isInImage ? "image" : "development", licence || "no licence", `${name}@${version}`].join("\t");
  return {
    lines: packages.map(line).sort(),
    refused: packages.filter((locked) => !isAccepted(locked)).map(line),
  };
}
