import { execFileSync } from "node:child_process";
import { z } from "zod";
import { ROOT } from "./lock.ts";

const Bom = z.looseObject({
  metadata: z.looseObject({ component: z.looseObject({ name: z.string(), purl: z.string() }) }),
  components: z.array(z.looseObject({ scope: z.string() })),
});

/**
 * What the lock has, as CycloneDX: `required` is in the image, `excluded` is for development. npm's own document, without what
 * differs from one call to the next. npm leaves out most of what is wanted where it is asked to omit: all is asked for, and marked.
 */
export function makeSbom(): string {
  const args = ["sbom", "--sbom-format=cyclonedx", "--package-lock-only", "--include=dev", "--include=optional"];
  const said = execFileSync("npm", args, { cwd: ROOT, encoding: "utf8", maxBuffer: 1e8 });
  const { serialNumber: _, ...bom } = Bom.parse(JSON.parse(said));
  const { timestamp: __, ...metadata } = bom.metadata;
  // npm takes the folder's name for the project's.
  metadata.component.name = /pkg:npm\/(.*)@/.exec(metadata.component.purl)?.[1] ?? metadata.component.name;
  // npm calls optional what is for development.
  const components = bom.components.map(({ scope, ...component }) => ({
    ...component,
    scope: scope === "optional" ? "excluded" : scope,
  }));
  return `${JSON.stringify({ ...bom, metadata, components }, null, 2)}\n`;
}
