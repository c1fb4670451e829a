import { createApiKey } from "../auth/api-keys/create-api-key.ts";
import { operate } from "../src/core/gate/operator.ts";
import { CALLS } from "./aging-asked.ts";
import type { AgingBook } from "./aging-book.ts";
import type { OpenService } from "./open-service.ts";
import { median } from "./quantile.ts";

const ROUNDS = Math.min(8, CALLS);
const REPORTS = ["summary", "customers", "installments"] as const;

/** Milliseconds at the median of a report that nothing has changed in, over REST: made again, and asked with its ETag. */
export async function measurePolls({ core, url, times }: OpenService, { tenantId }: AgingBook) {
  const { key } = await operate(core, tenantId, createApiKey, { name: "polls", permission: "readonly" });
  const ask = async (report: string, known: string, expected: number): Promise<string> => {
    const headers = { Authorization: `Bearer ${key}`, "If-None-Match": known };
    const answer = await fetch(`${url}/v1/aging/${report}`, { headers });
    await answer.arrayBuffer();
    if (answer.status !== expected) throw new Error(`${report} answered ${answer.status}, not ${expected}`);
    return answer.headers.get("ETag") ?? "";
  };
  const rows: string[][] = [];
  let value = 0;
  for (const report of REPORTS) {
    const etag = await ask(report, '"other"', 200);
    const [made, kept]: number[][] = [[], []];
    const some = async (into: number[] | undefined, known: string, expected: number): Promise<void> => {
      times.length = 0;
      for (let call = 0; call < CALLS / ROUNDS; call += 1) await ask(report, known, expected);
      into?.push(...times);
    };
    // By turns: a machine is not the same from one minute to the next.
    for (let round = 0; round < ROUNDS; round += 1) {
      await some(made, '"other"', 200);
      await some(kept, etag, 304);
    }
    const [whole, saved] = [median(made ?? []), median(kept ?? [])];
    value = Math.max(value, saved / whole);
    rows.push([`${report} over REST, made again`, whole.toFixed(2), "", "", ""]);
    rows.push([`${report} over REST, with its ETag`, saved.toFixed(2), "", "", (saved / whole).toFixed(2)]);
  }
  return { rows, limit: { what: "greatest ratio of a poll with its ETag to one without", value, most: 0.95 } };
}
