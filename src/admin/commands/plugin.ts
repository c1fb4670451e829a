import { resolve } from "node:path";
import { z } from "zod";
import { installationPlugin } from "../../listing/plugin.ts";
import { type Command, command, option } from "../command.ts";
import { writeNewFolder } from "../new-file.ts";

const NewFolder = z.string().min(1);

export const pluginCommands: readonly Command[] = [
  command("plugin write", {
    summary: "write a plugin for Claude, Codex and Cursor: the skills, and this installation's address",
    note: "Hand the folder on, or put it into a marketplace. Each person still signs in and allows the connection.",
    input: z.strictObject({ to: option(NewFolder, "FOLDER", "a folder that there is not yet") }),
    async run({ publicUrl, listing }, { to }) {
      const folder = resolve(to);
      const files = installationPlugin(publicUrl, listing);
      writeNewFolder(folder, files);
      return { folder, files: Object.keys(files).sort() };
    },
  }),
];
