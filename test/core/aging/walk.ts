import { expect } from "vitest";
import type { z } from "zod";
import { AgingGrouping } from "../../../src/core/aging/list-parameters.ts";
import { listAgingInstallments } from "../../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../../src/core/aging/operations/list-customer-aging.ts";
import { summarizeAging } from "../../../src/core/aging/operations/summarize-aging.ts";
import type { ApiKeyActor } from "../../../src/core/gate/actor.ts";
import type { Core } from "../../../src/core/gate/dependencies.ts";
import { call } from "../../support/lists.ts";
import { type Filters, modelReport } from "./model.ts";
import type { ModelBook } from "./model-book.ts";
import { modelGroups } from "./model-groups.ts";

type AgingList = typeof listCustomerAging | typeof listAgingInstallments;

/** All rows of a report, page by page; every page has to tell the same of the whole. */
async function walk(core: Core, list: AgingList, actor: ApiKeyActor, filters: Filters, limit: number) {
  const data: object[] = [];
  const wholes = new Set<string>();
  let cursor: string | null = null;
  do {
    const {
      data: rows,
      pagination,
      nearest: _,
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

const RANKED = { sort: "outstanding_desc", limit_per_currency: 2 } as const;

/** The first rows of each currency, at most `count`. */
function firstOfEach<Row extends { currency: string }>(rows: readonly Row[], count: number): Row[] {
  return rows.filter((row, at) => rows.slice(0, at).filter(({ currency }) => currency === row.currency).length < count);
}

/** Fails where one of the three operations answers otherwise than the model; answers how many rows were compared. */
export async function expectModel(
  core: Core,
  actor: ApiKeyActor,
  model: ModelBook,
  { filters, limit }: { filters: Filters; limit: number },
): Promise<number> {
  const expected = modelReport(model, filters);
  const asked = JSON.stringify(filters);
  const { revision, nearest: _, ...summary } = await call(core, summarizeAging, actor, filters);
  expect(summary, asked).toEqual(expected.envelope);
  for (const by of AgingGrouping.options) {
    const { groups } = await call(core, summarizeAging, actor, { ...filters, group_by: by });
    expect(groups, asked).toEqual(modelGroups(model, filters, by));
  }
  const ranked = await call(core, listCustomerAging, actor, { ...filters, ...RANKED, limit: 100 });
  const ranking = modelReport(model, { ...filters, ...RANKED }).customers;
  expect(ranked.data, asked).toEqual(firstOfEach(ranking, RANKED.limit_per_currency));
  for (const [list, rows] of [
    [listCustomerAging, expected.customers],
    [listAgingInstallments, expected.installments],
  ] as const)
    expect(await walk(core, list, actor, filters, limit), asked).toEqual({
      envelope: { ...expected.envelope, revision },
      data: rows,
      total_count: rows.length,
    });
  return expected.customers.length + expected.installments.length;
}
