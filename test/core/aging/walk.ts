import { expect } from "vitest";
import type { z } from "zod";
import type { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import type { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import type { ApiKeyActor } from "../../../src/core/gate/actor.ts";
import type { Core } from "../../../src/core/gate/core.ts";
import { call } from "../../support/lists.ts";
import type { Filters } from "./model.ts";

type AgingList = typeof listCustomerAging | typeof listAgingInstallments;

/** All rows of a report, page by page; every page has to tell the same of the whole. */
export async function walk(core: Core, list: AgingList, actor: ApiKeyActor, filters: Filters, limit: number) {
  const data: object[] = [];
  const wholes = new Set<string>();
  let cursor: string | null = null;
  do {
    const {
      data: rows,
      pagination,
      ...envelope
    }: z.output<AgingList["output"]> = await call<AgingList["output"]>(core, list, actor, {
      ...filters,
      limit,
      ...(cursor === null ? {} : { cursor }),
    });
    expect(rows.length).toBe(pagination.next_cursor === null ? rows.length : limit);
    expect(rows.length > 0 || cursor === null).toBe(true);
    expect(pagination.next_cursor?.length ?? 1).toBeLessThanOrEqual(400);
    wholes.add(JSON.stringify({ envelope, total_count: pagination.total_count }));
    data.push(...rows);
    cursor = pagination.next_cursor;
  } while (cursor !== null);
  expect(wholes.size).toBe(1);
  const whole: { envelope: object; total_count: number } = JSON.parse([...wholes][0] ?? "");
  return { data, ...whole };
}
