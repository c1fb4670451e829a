import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonSchema } from "../src/core/kernel/json-schema.ts";
import { prompts } from "../src/mcp/prompts/index.ts";
import type { Prompt } from "../src/mcp/prompts/prompt.ts";
import { resourceTemplates, staticResources } from "../src/mcp/resources/index.ts";
import { tools } from "../tools/index.ts";
import type { Tool } from "../tools/tool.ts";
import { VIEWS } from "../tools/views.ts";

/** `docs/tools.md`, read off the declarations. */
export function toolsReference(): string {
  return `${[
    "# Tools, prompts and resources",
    "Written by `node docs/tools.ts` from the declarations; a test fails when the two differ.",
    "A tool is shown to a connection that could call it now: its scope was granted and, for what changes something, " +
      "its person is an admin of the workspace. A prompt is shown to callers who may call every tool it needs.",
    "## Tools",
    table(
      ["Tool", "", "Scope", "Changes something"],
      tools.map((tool) => [`[\`${tool.name}\`](#${tool.name})`, tool.title, `\`${tool.scope}\``, effectOf(tool)]),
    ),
    ...tools.flatMap(toolSection),
    "## Views",
    "For clients that announce MCP Apps ([docs/views.md](views.md)).",
    table(
      ["View", "", "What it shows", "Tools"],
      Object.entries(VIEWS).map(([name, { title, description }]) => {
        const showing = tools.filter(({ view }) => view === name).map((tool) => tool.name);
        return [`\`${name}\``, title, description, code(showing)];
      }),
    ),
    "## Prompts",
    ...prompts.flatMap(promptSection),
    "## Resources",
    table(
      ["Address", "", "What it is", "Type"],
      [
        ...staticResources(() => "").map(({ uri, ...shown }) => ({ address: uri, ...shown })),
        ...resourceTemplates.map(({ uriTemplate, ...shown }) => ({ address: uriTemplate, ...shown })),
      ].map(({ address, title, description, mimeType }) => [`\`${address}\``, title, description, `\`${mimeType}\``]),
    ),
  ].join("\n\n")}\n`;
}

function toolSection({ name, description, input, output }: Tool): string[] {
  const rows = output.properties.pagination === undefined ? undefined : output.properties.data?.items;
  const answered = rows?.properties ?? output.properties;
  return [
    `### ${name}`,
    description,
    argumentTable(input.properties, input.required),
    `${rows === undefined ? "Answers" : "Rows have"} ${code(fieldsOf(answered))}.`,
  ];
}

function argumentTable(properties: Readonly<Record<string, JsonSchema>>, required: readonly string[] = []): string {
  const rows = argumentRows({ properties, required: [...required] });
  return rows.length === 0 ? "It takes no arguments." : table(["Argument", "Type", "Meaning"], rows);
}

/** A row for each argument, and below a list of objects one for each of their fields. */
function argumentRows({ properties = {}, required = [] }: JsonSchema, list = ""): string[][] {
  return Object.entries(properties).flatMap(([name, schema]) => [
    [`\`${list}${name}\`${required.includes(name) ? " (required)" : ""}`, typeOf(schema), schema.description ?? ""],
    ...argumentRows(schema.items ?? {}, `${list}${name}[].`),
  ]);
}

/** What an answer holds, and what the objects in its lists do. */
function fieldsOf(properties: Readonly<Record<string, JsonSchema>>, list = ""): string[] {
  return Object.entries(properties).flatMap(([name, { items }]) => [
    `${list}${name}`,
    ...fieldsOf(items?.properties ?? {}, `${list}${name}[].`),
  ]);
}

/** A type in words; text of no form is the name of a field. */
function typeOf({ type, format, minimum, maximum, enum: values, items, default: usual }: JsonSchema): string {
  const range = minimum === undefined ? "" : `, ${minimum} to ${maximum ?? "any"}`;
  const kind = values === undefined ? `${format ?? type}${range}` : code(values.map(String));
  const whole =
    items === undefined
      ? kind
      : `list of ${items.type === "string" && items.format === undefined ? "names" : typeOf(items)}`;
  return usual === undefined ? whole : `${whole}; ${JSON.stringify(usual)} if left out`;
}

function effectOf({ admin, annotations }: Tool): string {
  if (annotations.readOnlyHint) return "no";
  return `yes${annotations.destructiveHint ? ", for good" : ""}${admin ? "; admins" : ""}`;
}

function promptSection({ name, title, description, arguments: known, tools: needed }: Prompt): string[] {
  const rows = known.map((one) => [`\`${one.name}\`${one.required ? " (required)" : ""}`, one.description]);
  return [`### ${name}`, `${title}: ${description}`, table(["Argument", "Meaning"], rows), `Needs ${code(needed)}.`];
}

function code(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(", ");
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  return [line(heads), line(heads.map(() => "---")), ...rows.map(line)].join("\n");
}

if (import.meta.main) writeFileSync(join(import.meta.dirname, "tools.md"), toolsReference());
