import { z } from "zod";
import { CallResult, followLife, installedVersion, namesOf, type OtherClient, run, ToolList } from "./client.ts";

const PACKAGE = "@google/gemini-cli-core";
const Report = z.looseObject({ tools: ToolList.shape.tools, called: CallResult });

/** What Gemini's CLI is made of, as it connects to a server that its settings name with scopes. */
export const gemini: OtherClient = {
  name: PACKAGE,
  async check(around) {
    const { mcpUrl, environment } = around;
    // The CLI asks whether it may open a browser, on a terminal.
    const act = (what: string, answer: string) =>
      run("../gemini-program.ts", [mcpUrl, what], environment, `${answer}\n`);
    const report = await followLife(around, {
      connect: () => act("sign-in", "y").then(() => undefined),
      async use() {
        const { stdout } = await act("use", "n");
        const { tools, called } = Report.parse(JSON.parse(/^REPORT (.*)$/m.exec(stdout)?.[1] ?? "null"));
        return { tools: namesOf({ tools }), context: called.structuredContent };
      },
      expire: () => act("expire", "").then(() => undefined),
    });
    return { version: installedVersion(PACKAGE), ...report };
  },
};
