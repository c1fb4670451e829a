/** As much of the benchmarks' own packages as they use: they are installed only where a benchmark runs. */
declare module "fastmcp" {
  import type { z } from "zod";

  export class FastMCP {
    constructor(options: { name: string; version: `${number}.${number}.${number}` });
    addTool<S extends z.ZodType>(tool: {
      name: string;
      description: string;
      parameters: S;
      execute(input: z.output<S>): Promise<string>;
    }): void;
    start(options: {
      transportType: "httpStream";
      httpStream: { port: number; host: string; stateless: boolean; enableJsonResponse: boolean };
    }): Promise<void>;
  }
}
