import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { z } from "zod";

/** An error that a judge finds in a description. */
export interface Finding {
  readonly rule: string;
  readonly message: string;
  readonly place: string;
}

export interface Judge {
  readonly name: string;
  readonly version: () => string;
  /** All errors in the description in this file. Throws where the judge itself fails. */
  readonly judge: (file: string) => Finding[];
}

const HERE = import.meta.dirname;
const OWN = join(HERE, "node_modules", ".bin");

/** What a program printed. Those that judge end with 1 where they find an error. */
function printed(program: string, args: readonly string[]): string {
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { status, stdout, stderr } = spawnSync(program, args, { env, encoding: "utf8", maxBuffer: 1e8 });
  if (status !== 0 && status !== 1) throw new Error(`${program} ended with ${status}:\n${stderr}${stdout}`);
  return stdout;
}

const version = (program: string) => (): string => printed(program, ["--version"]).trim();
const Place = z.array(z.union([z.string(), z.number()])).transform((path) => path.join("."));

const Redocly = z.object({
  problems: z.array(
    z.object({
      ruleId: z.string(),
      severity: z.string(),
      message: z.string(),
      location: z.array(z.object({ pointer: z.string().optional() })),
    }),
  ),
});
const Spectral = z.array(z.object({ code: z.string(), severity: z.int(), message: z.string(), path: Place }));
const Ibm = z.object({
  error: z.object({ results: z.array(z.object({ rule: z.string(), message: z.string(), path: Place })) }),
});

export const JUDGES: readonly Judge[] = [
  {
    name: "Redocly",
    version: version("redocly"),
    judge: (file) =>
      Redocly.parse(
        JSON.parse(printed("redocly", ["lint", file, "--format", "json", "--extends", "recommended-strict"])),
      )
        .problems.filter(({ severity }) => severity === "error")
        .map(({ ruleId: rule, message, location }) => ({ rule, message, place: location[0]?.pointer ?? "" })),
  },
  {
    name: "Spectral",
    version: version(join(OWN, "spectral")),
    judge: (file) => {
      const args = ["lint", file, "--ruleset", join(HERE, "spectral.json"), "--format", "json", "--quiet"];
      return Spectral.parse(JSON.parse(printed(join(OWN, "spectral"), args)))
        .filter(({ severity }) => severity === 0)
        .map(({ code: rule, message, path: place }) => ({ rule, message, place }));
    },
  },
  {
    name: "IBM",
    version: version(join(OWN, "lint-openapi")),
    judge: (file) =>
      Ibm.parse(JSON.parse(printed(join(OWN, "lint-openapi"), ["--json", file]))).error.results.map(
        ({ rule, message, path: place }) => ({ rule, message, place }),
      ),
  },
];
