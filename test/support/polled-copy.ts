import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const Page = z.looseObject({
  data: z.array(z.looseObject({ id: z.string() })),
  pagination: z.looseObject({ next_cursor: z.string().nullable(), as_of: z.string() }),
});

type Row = z.output<typeof Page>["data"][number];

/** What is polled, and by which filter. */
const POLLS = [
  ["/v1/invoices", "updated_since"],
  ["/v1/invoices", "collection_updated_since"],
  ["/v1/payments", "updated_since"],
  ["/v1/payment-links", "updated_since"],
  ["/v1/tasks", "updated_since"],
] as const;

type Path = (typeof POLLS)[number][0];

const PATHS: readonly Path[] = [...new Set(POLLS.map(([path]) => path))];

/** Moves with the day or with every sync, and by no cursor (completions §13, service.md §2.3). */
const withoutDerived = ({ overdue_outstanding: _, last_synced_at: __, ...row }: Row): Row => row;

/** A warehouse's copy of a workspace, kept by polling as docs say: all of it once, then what each list has since its `as_of`. */
export class PolledCopy {
  readonly #key: string;
  readonly #since = new Map<string, string>();
  readonly #rows = new Map<Path, Map<string, Row>>(PATHS.map((path) => [path, new Map()]));
  /** Rows that came by a cursor, and walks that were cut off. */
  taken = 0;
  cutOff = 0;

  constructor(key: string) {
    this.#key = key;
  }

  /** Polls everything once; a walk that is cut off is begun again by the next one. */
  async poll(url: string): Promise<void> {
    for (const [path, filter] of POLLS) {
      const since = this.#since.get(path + filter);
      const { rows, asOf } = await this.#walk(url, path, since === undefined ? {} : { [filter]: since });
      for (const row of rows) this.#rows.get(path)?.set(row.id, row);
      if (since !== undefined) this.taken += rows.length;
      this.#since.set(path + filter, asOf);
    }
  }

  /** Polls until the signal, whether the service is there or not. */
  async follow(url: string, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.poll(url).catch(() => {
        this.cutOff += 1;
      });
      await sleep(10);
    }
  }

  /** The copy and the service's own rows, by list and in the same order, after a last poll. */
  async compared(url: string): Promise<Record<"copy" | "service", Record<string, Row[]>>> {
    await this.poll(url);
    const [copy, service]: Record<string, Row[]>[] = [{}, {}];
    if (copy === undefined || service === undefined) throw new Error("two copies");
    for (const path of PATHS) {
      copy[path] = inOrder([...(this.#rows.get(path)?.values() ?? [])]);
      service[path] = inOrder((await this.#walk(url, path, {})).rows);
    }
    return { copy, service };
  }

  async #walk(url: string, path: Path, filters: Record<string, string>): Promise<{ rows: Row[]; asOf: string }> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    let asOf: string | undefined;
    do {
      const query: URLSearchParams = new URLSearchParams({
        limit: "50",
        ...filters,
        ...(cursor !== null && { cursor }),
      });
      const headers = { authorization: `Bearer ${this.#key}` };
      const response = await fetch(`${url}${path}?${query}`, { headers, signal: AbortSignal.timeout(10_000) });
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
      const page = Page.parse(await response.json());
      if (asOf !== undefined && asOf !== page.pagination.as_of) throw new Error(`${path}: another as_of within a walk`);
      asOf = page.pagination.as_of;
      rows.push(...page.data.map(withoutDerived));
      cursor = page.pagination.next_cursor;
    } while (cursor !== null);
    return { rows, asOf };
  }
}

const inOrder = (rows: Row[]): Row[] => rows.sort((a, b) => (a.id < b.id ? -1 : 1));
