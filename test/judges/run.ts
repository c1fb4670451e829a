/**
 * `npm run judges`: three linters of API descriptions, at pinned versions, over `/openapi.json`: Redocly's strict rules,
 * Spectral's with OWASP's, and IBM's. An error fails unless its rule is waived in `waivers.ts`, and so does a waiver that
 * nothing needs. Each judge also gets a spoilt description, whose fault it has to find.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openApiDocument } from "../../src/rest/openapi/document.ts";
import { ROUTES } from "../../src/rest/routes.ts";
import { JUDGES } from "./judges.ts";
import { WAIVERS } from "./waivers.ts";

const MOST_WAIVERS = 10;
const MOST_SHOWN = 5;

const say = (line: string): void => void process.stdout.write(`${line}\n`);

const installed = spawnSync("npm", ["ci", "--ignore-scripts", "--prefix", import.meta.dirname], { stdio: "inherit" });
if (installed.status !== 0) process.exit(1);

const folder = mkdtempSync(join(tmpdir(), "receivables-judges-"));
const text = JSON.stringify(openApiDocument(ROUTES, "https://receivables.example.test"));
const file = join(folder, "openapi.json");
writeFileSync(file, text);
// A parameter of a path that no operation declares, and a body of an unknown schema.
const spoilt = join(folder, "spoilt.json");
writeFileSync(
  spoilt,
  text.replaceAll("/v1/tasks/{taskId}", "/v1/tasks/{task}").replace("#/components/schemas/Task", "#/components/gone"),
);

const failures: string[] = WAIVERS.length > MOST_WAIVERS ? [`${WAIVERS.length} waivers, at most ${MOST_WAIVERS}`] : [];
for (const { name, version, judge } of JUDGES) {
  const waived = WAIVERS.filter((waiver) => waiver.judge === name);
  const isWaived = ({ rule }: { rule: string }): boolean => waived.some((waiver) => waiver.rule === rule);
  const found = judge(file);
  const errors = Map.groupBy(
    found.filter((one) => !isWaived(one)),
    ({ rule }) => rule,
  );
  say(`${name} ${version()}: ${errors.size} rules broken, ${waived.length} waived`);
  for (const [rule, places] of errors) {
    const shown = places.slice(0, MOST_SHOWN).map(({ place, message }) => `    ${place}: ${message}`);
    failures.push([`${name}: ${rule}, ${places.length} times`, ...shown].join("\n"));
  }
  for (const { rule } of waived)
    if (!found.some((one) => one.rule === rule)) failures.push(`${name}: nothing needs the waiver of ${rule}`);
  const inSpoilt = judge(spoilt).filter((one) => !isWaived(one));
  if (inSpoilt.length <= [...errors.values()].flat().length)
    failures.push(`${name} finds no fault in a spoilt description`);
}
rmSync(folder, { recursive: true });
for (const failure of failures) say(`\nFAILED ${failure}`);
process.exit(failures.length === 0 ? 0 : 1);
