import base from "../../server.json" with { type: "json" };
import type { ListingConfig } from "../config.ts";
import { SKILL_FILE, skills } from "./skills.ts";

/** A file of a plugin by its path in the plugin's folder. */
export type PluginFiles = Readonly<Record<string, string>>;

const FACE = {
  name: "receivables",
  version: base.version,
  description: "Skills for a company's receivables: reviews, collectors' worklists and month ends.",
};
const KEYWORDS = ["receivables", "invoices", "aging", "collections", "finance"];
const SKILLS = "./skills/";
const SERVERS = "./.mcp.json";

/** The schemas by which Agent Plugins (agent-plugins.org) tell which version of theirs a file is of. */
const schemaOf = (file: "plugin" | "mcp"): string => `https://agent-plugins.org/schemas/1.0.0/${file}.schema.json`;

const json = (value: object): string => `${JSON.stringify(value, null, 2)}\n`;

/** The manifests by which Claude, Codex and Cursor take a folder with `skills/` for a plugin; `servers`: it has servers too. */
export function pluginManifests({ servers = false } = {}): PluginFiles {
  const declared = servers ? { mcpServers: SERVERS } : {};
  const shown = { displayName: base.title, shortDescription: FACE.description, category: "Finance" };
  return {
    ".claude-plugin/plugin.json": json({ ...FACE }),
    ".codex-plugin/plugin.json": json({ ...FACE, skills: SKILLS, ...declared, interface: shown }),
    ".cursor-plugin/plugin.json": json({
      ...FACE,
      displayName: base.title,
      skills: SKILLS,
      ...declared,
    }),
  };
}

/** The whole plugin of an installation: its skills, and its address, which only it knows. */
export function installationPlugin(publicUrl: string, { supportUrl }: Pick<ListingConfig, "supportUrl">): PluginFiles {
  const url = `${publicUrl}/mcp`;
  const homepage = supportUrl?.startsWith("https:") ? supportUrl : url;
  const server = (type: string) => ({ mcpServers: { [FACE.name]: { type, url } } });
  return {
    ...pluginManifests({ servers: true }),
    "plugin.json": json({ $schema: schemaOf("plugin"), ...FACE, homepage, keywords: KEYWORDS }),
    "mcp.json": json({ $schema: schemaOf("mcp"), ...server("streamable-http") }),
    ".mcp.json": json(server("http")),
    ...Object.fromEntries(skills.map(({ name, text }) => [`skills/${name}/${SKILL_FILE}`, text])),
  };
}
