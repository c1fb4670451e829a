import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** A skill by the Agent Skills format: instructions for an assistant, and when they are of use. */
interface Skill {
  /** The name of its folder, too. */
  readonly name: string;
  readonly description: string;
  /** The whole of SKILL.md. */
  readonly text: string;
}

export const SKILL_FILE = "SKILL.md";
const FOLDER = join(import.meta.dirname, "../../skills");

/** Every skill of the repository, by name. Throws where one does not have the format. */
export const skills: readonly Skill[] = readdirSync(FOLDER, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => skillOf(name, readFileSync(join(FOLDER, name, SKILL_FILE), "utf8")))
  .sort((a, b) => a.name.localeCompare(b.name));

/** The frontmatter holds these two fields and no others, each on one line and without YAML's own characters. */
function skillOf(folder: string, text: string): Skill {
  const [, name = "", description = ""] =
    /^---\nname: ([a-z0-9-]{1,64})\ndescription: ([^:#\n]{1,1024})\n---\n/.exec(text) ?? [];
  if (name !== folder) throw new Error(`skills/${folder}/${SKILL_FILE} does not begin with its name and description`);
  return { name, description, text };
}
