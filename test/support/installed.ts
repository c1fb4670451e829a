import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { promisify } from "node:util";

const CACHE = join(import.meta.dirname, "../../node_modules/.cache");

/**
 * A folder with the packages that the `package-lock.json` of a test's folder pins: many, and of no use to the service. They are
 * installed when they are first asked for, and again once the lock file has changed.
 */
export async function installedFor(testFolder: string): Promise<string> {
  const folder = join(CACHE, basename(testFolder));
  const lock = join(testFolder, "package-lock.json");
  const kept = join(folder, "package-lock.json");
  const isThere = existsSync(join(folder, "node_modules/.package-lock.json"));
  if (isThere && readFileSync(lock).equals(readFileSync(kept))) return folder;
  mkdirSync(folder, { recursive: true });
  cpSync(lock, kept);
  cpSync(join(testFolder, "package.json"), join(folder, "package.json"));
  await promisify(execFile)("npm", ["ci", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund"]);
  return folder;
}
