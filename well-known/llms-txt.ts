import manifest from "../server.json" with { type: "json" };
import type { Config } from "../src/config.ts";
import { PRODUCT } from "../src/listing/manifest.ts";
import { SKILL_FILE, skills } from "../src/listing/skills.ts";
import { tools } from "../tools/index.ts";
import { published } from "./published.ts";

/** `/llms.txt` (llmstxt.org): what an assistant finds here, for one that was given only the address. */
export function llmsTxt(config: Pick<Config, "publicUrl" | "listing">) {
  const text = llmsText(config);
  return published("/llms.txt", "text/markdown; charset=utf-8", 3_600, () => text);
}

function llmsText({ publicUrl, listing: { privacyUrl, termsUrl, supportUrl } }: Pick<Config, "publicUrl" | "listing">) {
  const links = (rows: readonly (readonly [string, string | null, string])[]) =>
    rows.flatMap(([name, url, note]) => (url === null ? [] : [`- [${name}](${url}): ${note}`])).join("\n");
  const people = links([
    ["Privacy policy", privacyUrl, "how data is treated"],
    ["Terms of service", termsUrl, "on what terms"],
    ["Support", supportUrl, "who helps"],
  ]);
  return `${[
    `# ${PRODUCT.title}`,
    `> ${manifest.description}`,
    `Assistants connect by the Model Context Protocol (Streamable HTTP, OAuth 2.1) at ${publicUrl}/mcp and act as the person who approves them. Systems use the REST API under ${publicUrl}/v1 with an API key.`,
    "## Connect",
    links([
      ["Set-up", `${publicUrl}/mcp`, "how to connect an assistant, what it may and can never do"],
      ["Registry manifest", `${publicUrl}/mcp/server.json`, "name, version and address"],
      ["Authorization", `${publicUrl}/.well-known/oauth-protected-resource`, "the resource and its scopes"],
      [
        "REST API",
        `${publicUrl}/openapi.json`,
        "OpenAPI 3.1; readable at /docs, with guides at /docs/guides/quickstart",
      ],
    ]),
    "## Tools",
    tools.map(({ name, title }) => `- \`${name}\`: ${title}`).join("\n"),
    "## Skills",
    skills.map(({ name, description }) => `- \`skill://${name}/${SKILL_FILE}\`: ${description}`).join("\n"),
    ...(people === "" ? [] : ["## People", people]),
  ].join("\n\n")}\n`;
}
