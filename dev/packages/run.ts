/**
 * `npm run packages -- sbom | licences | advisories <folder, file or address> [--max-age-days 7]`: what the service is made of.
 * Ends with 1 where a licence is not accepted, an advisory is about a package of the lock, or advisories cannot be relied on.
 */
import { parseArgs } from "node:util";
import { findAdvisories } from "./advisories.ts";
import { checkLicences } from "./licences.ts";
import { makeSbom } from "./sbom.ts";

const USAGE = "npm run packages -- sbom | licences | advisories <folder, file or address> [--max-age-days 7]";

/** The lines of a command, and what is wrong. */
interface Outcome {
  lines: string[];
  problems: string[];
}

async function carryOut(args: string[]): Promise<Outcome> {
  const options = { "max-age-days": { type: "string", default: "7" } } as const;
  const { positionals, values } = parseArgs({ args, options, allowPositionals: true });
  const [command, place, ...surplus] = positionals;
  const maxAgeDays = Number(values["max-age-days"]);
  if (command === "sbom" && place === undefined) return { lines: [makeSbom().trimEnd()], problems: [] };
  if (command === "licences" && place === undefined) {
    const { lines, refused } = checkLicences();
    return { lines, problems: refused.map((line) => `not accepted: ${line}`) };
  }
  if (command !== "advisories" || place === undefined || surplus.length > 0 || !(maxAgeDays > 0))
    throw new Error(USAGE);
  const { findings, read, newest } = await findAdvisories(place, { maxAgeDays, now: Date.now() });
  return {
    lines: [`${read} advisories about npm, the newest of ${newest}: ${findings.length} concern us`],
    problems: findings,
  };
}

try {
  const { lines, problems } = await carryOut(process.argv.slice(2));
  process.stdout.write(`${lines.join("\n")}\n`);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exitCode = problems.length === 0 ? 0 : 1;
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
  process.exitCode = 1;
}
