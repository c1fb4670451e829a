import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { type LockedPackage, lockedPackages } from "./lock.ts";
import { compareVersions } from "./versions.ts";

const Event = z.object({
  introduced: z.string().optional(),
  fixed: z.string().optional(),
  last_affected: z.string().optional(),
  limit: z.string().optional(),
});
const Affected = z.object({
  package: z.object({ ecosystem: z.string(), name: z.string() }).optional(),
  versions: z.array(z.string()).default([]),
  ranges: z.array(z.object({ type: z.string(), events: z.array(Event) })).default([]),
});
/** The parts of an advisory that are looked at (https://ossf.github.io/osv-schema/). */
const Advisory = z.object({
  id: z.string(),
  modified: z.iso.datetime(),
  withdrawn: z.string().optional(),
  summary: z.string().default(""),
  affected: z.array(Affected).default([]),
});
type Advisory = z.infer<typeof Advisory>;

const DAY_MS = 86_400_000;
const PATIENCE_MS = 120_000;

/** The advisories of a text: a JSON array, one JSON object, or one on each line. */
function readAdvisories(text: string, where: string): Advisory[] {
  const parse = (json: string): unknown => JSON.parse(json);
  try {
    let found: unknown;
    try {
      found = parse(text);
    } catch {
      found = text.split("\n").flatMap((line) => (line.trim() === "" ? [] : [parse(line)]));
    }
    return z.array(Advisory).parse(Array.isArray(found) ? found : [found]);
  } catch (error) {
    throw new Error(`${where} does not hold advisories in the format of OSV`, { cause: error });
  }
}

/** The texts of a database, one after the other: a folder's `.json` files, a file, or what an address answers. */
async function* textsAt(place: string): AsyncGenerator<[where: string, text: string]> {
  if (/^https?:/.test(place)) {
    const answer = await fetch(place, { signal: AbortSignal.timeout(PATIENCE_MS) });
    if (!answer.ok) throw new Error(`${place} answered ${answer.status}`);
    yield [place, await answer.text()];
  } else if (statSync(place).isDirectory()) {
    for (const name of readdirSync(place).filter((entry) => entry.endsWith(".json")))
      yield [join(place, name), readFileSync(join(place, name), "utf8")];
  } else yield [place, readFileSync(place, "utf8")];
}

/** Whether a version is affected, as the format says. What cannot be decided counts as affected. */
function isAffected(version: string, { versions, ranges }: z.infer<typeof Affected>): boolean {
  if (versions.includes(version)) return true;
  const comparable = ranges.filter(({ type }) => type !== "GIT");
  if (comparable.length === 0) return versions.length === 0;
  try {
    return comparable.some(({ events }) => isWithin(version, events));
  } catch {
    return true;
  }
}

function isWithin(version: string, events: readonly z.infer<typeof Event>[]): boolean {
  const limits = events.flatMap(({ limit }) => limit ?? []);
  if (limits.length > 0 && !limits.some((limit) => limit === "*" || compareVersions(version, limit) < 0)) return false;
  // The latest event at or before the version decides.
  let latest: string | null = null;
  let isIn = false;
  for (const { introduced, fixed, last_affected: last } of events) {
    const from = introduced ?? fixed ?? last;
    if (from === undefined) continue;
    const start = from === "0" ? "0.0.0-0" : from;
    const isReached = compareVersions(version, start) > (introduced !== undefined || fixed !== undefined ? -1 : 0);
    if (!isReached || (latest !== null && compareVersions(start, latest) < 0)) continue;
    latest = start;
    isIn = introduced !== undefined;
  }
  return isIn;
}

/**
 * Which packages of the lock an advisory is about, by a database in the format of OSV; asks nobody but the address it is given.
 * Throws where the database cannot be read, has no advisory about npm, or none of the last `maxAgeDays` days.
 */
export async function findAdvisories(
  place: string,
  {
    maxAgeDays,
    now,
    packages = lockedPackages(),
  }: { maxAgeDays: number; now: number; packages?: readonly LockedPackage[] },
): Promise<{ findings: string[]; read: number; newest: string }> {
  const byName = Map.groupBy(packages, ({ name }) => name);
  const findings = new Set<string>();
  let read = 0;
  let newest = 0;
  for await (const [where, text] of textsAt(place)) {
    for (const { id, modified, withdrawn, summary, affected } of readAdvisories(text, where)) {
      const ofNpm = affected.filter((entry) => entry.package?.ecosystem === "npm");
      if (ofNpm.length === 0) continue;
      read += 1;
      // A date to come says nothing of how old the database is.
      if (Date.parse(modified) <= now) newest = Math.max(newest, Date.parse(modified));
      if (withdrawn !== undefined) continue;
      for (const entry of ofNpm)
        for (const { name, version } of byName.get(entry.package?.name ?? "") ?? [])
          if (isAffected(version, entry)) findings.add(`${name}@${version}\t${id}\t${summary}`);
    }
  }
  if (read === 0) throw new Error(`${place} has no advisory about npm`);
  const age = Math.floor((now - newest) / DAY_MS);
  if (age >= maxAgeDays) throw new Error(`${place} has no advisory of the last ${maxAgeDays} days`);
  return { findings: [...findings].sort(), read, newest: new Date(newest).toISOString() };
}
