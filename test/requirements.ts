import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Clauses of the spec that can be tested, by id: what each demands, in one line. */
export interface Requirements {
  readonly [id: string]: string;
}

/**
 * Every clause, gathered from test/requirements/<area>.ts. A test proves a clause by naming its id in brackets in its
 * title; test/requirements.test.ts fails on a clause no test names.
 */
export const REQUIREMENTS: Requirements = Object.assign({}, ...(await areas()));

async function areas(): Promise<Requirements[]> {
  const folder = join(import.meta.dirname, "requirements");
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  return Promise.all(
    files.map(async (name) => {
      const area: { default: Requirements } = await import(join(folder, name));
      return area.default;
    }),
  );
}
