import { z } from "zod";
import { listAgingInstallments } from "../../src/core/aging/operations/list-aging-installments.ts";
import { listCustomerAging } from "../../src/core/aging/operations/list-customer-aging.ts";
import type { Actor, Core, Operation } from "../../src/core/gate/operation.ts";
import { listInvoices } from "../../src/core/invoices/operations/list-invoices.ts";
import { formatMoney, fromMinor } from "../../src/core/kernel/money.ts";
import { listPaymentLinks } from "../../src/core/payment-links/operations/list-payment-links.ts";
import { listPayments } from "../../src/core/payments/operations/list-payments.ts";
import { listSyncRuns } from "../../src/core/sync-runs/operations/list-sync-runs.ts";
import { listTasks } from "../../src/core/tasks/operations/list-tasks.ts";
import type { Browser, BrowserPage } from "./browser.ts";

type Row = Record<string, unknown>;

/** A list of the pages: its operation, and which figures of a row and of a total it shows, in order. */
export interface ShownList {
  readonly path: string;
  readonly operation: Operation<z.ZodObject, z.ZodType>;
  readonly filters: readonly Record<string, string>[];
  readonly ofRow: readonly string[];
  readonly ofTotal: readonly string[];
}

const BUCKETS = ["outstanding", "overdue", "current", "days_1_30", "days_31_60", "days_61_90", "over_90"];

/** Every list there is, each with filters that matter. */
export const SHOWN_LISTS: readonly ShownList[] = [
  {
    path: "/invoices",
    operation: listInvoices,
    filters: [{}, { collection_status: "open", sort: "overdue_desc" }, { currency: "EUR" }, { search: "globex" }],
    ofRow: ["total_amount", "collection_outstanding", "overdue_outstanding"],
    ofTotal: ["total_amount", "collection_outstanding", "overdue_outstanding", "amount_collected"],
  },
  {
    path: "/customers",
    operation: listCustomerAging,
    filters: [{}, { bucket: "over_90" }, { overdue_only: "true", sort: "customer_asc" }],
    ofRow: [...BUCKETS, "past_expected"],
    ofTotal: [...BUCKETS, "past_expected"],
  },
  {
    path: "/installments",
    operation: listAgingInstallments,
    filters: [{}, { bucket: "current" }, { currency: "USD" }, { due_from: "2026-01-01" }],
    ofRow: ["amount"],
    ofTotal: BUCKETS,
  },
  { path: "/payments", operation: listPayments, filters: [{}], ofRow: ["amount"], ofTotal: ["amount"] },
  {
    path: "/payment-links",
    operation: listPaymentLinks,
    filters: [{}, { status: "active" }],
    ofRow: ["amount_minor"],
    ofTotal: ["amount"],
  },
  { path: "/tasks", operation: listTasks, filters: [{}], ofRow: ["collection_outstanding"], ofTotal: [] },
  {
    path: "/sync-runs",
    operation: listSyncRuns,
    filters: [{}, { status: "failed" }],
    ofRow: ["invoices_read", "invoices_created", "invoices_updated", "invoices_retired", "invoices_set_aside"],
    ofTotal: [],
  },
];

const Answer = z.looseObject({
  data: z.array(z.record(z.string(), z.unknown())),
  totals: z.array(z.record(z.string(), z.unknown())).optional(),
  pagination: z.looseObject({ next_cursor: z.string().nullable(), total_count: z.int().optional() }),
});

/** All rows and the totals of a list, as the API answers them. */
export async function askedOfApi(core: Core, actor: Actor, { operation }: ShownList, filters: Record<string, string>) {
  const isYes = (text: string): unknown => (text === "true" ? true : text);
  const given = Object.fromEntries(Object.entries(filters).map(([name, value]) => [name, isYes(value)]));
  const counted = "include_total" in operation.input.shape ? { include_total: true } : {};
  const history = "bucket" in operation.input.shape ? { include: "payment_history" } : {};
  const ask = async (paging: object) =>
    Answer.parse(
      await operation.call(actor, { ...given, ...history, ...paging, limit: 100 }, { core, requestId: "r" }),
    );
  const first = await ask(counted);
  const rows: Row[] = [...first.data];
  for (let next = first.pagination.next_cursor; next !== null; ) {
    const page = await ask({ cursor: next });
    rows.push(...page.data);
    next = page.pagination.next_cursor;
  }
  return { rows, totals: first.totals ?? [], count: first.pagination.total_count };
}

/** The exact amounts and counts that a part of a page shows, in order. */
export const amountsIn = (markup: string): string[] =>
  [...markup.matchAll(/<data class="(?:amount|count)[^"]*" value="([^"]*)"/g)].map(([, value = ""]) => value);

/** The figures of each row of the tables with this class, or without it. */
function figuresOf(page: BrowserPage, look: "totals" | "rows"): string[][] {
  return [...page.html.matchAll(/<table class="(rows[^"]*)">[\s\S]*?<\/table>/g)]
    .filter(([, classes = ""]) => classes.includes("totals") === (look === "totals"))
    .flatMap(([table]) => [...(table.split("<tbody>")[1] ?? "").matchAll(/<tr>([\s\S]*?)<\/tr>/g)])
    .map(([, row = ""]) => amountsIn(row));
}

/** All rows and the totals of a list, as its pages show them. */
export async function readOnPages(browser: Browser, { path }: ShownList, filters: Record<string, string>) {
  const first = await browser.open(`${path}?${new URLSearchParams(filters)}`);
  const rows = figuresOf(first, "rows");
  let page = first;
  for (let next = nextOf(page); next !== null; next = nextOf(page)) {
    page = await browser.open(next);
    rows.push(...figuresOf(page, "rows"));
  }
  return { first, rows, totals: figuresOf(first, "totals") };
}

/** Each figure of the bridge that is not zero, and the total of the page that it leads to. */
export async function followBridge(browser: Browser) {
  const figure =
    /<th scope="row">([^<]*)<\/th><td class="number"><a href="([^"]*)"><data class="amount" value="([^"]*)"/g;
  const found = [...(await browser.open("/bridge")).html.matchAll(figure)];
  const followed = [];
  for (const [, name = "", href = "", shown = ""] of found) {
    const totals = figuresOf(await browser.open(href.replaceAll("&amp;", "&")), "totals");
    followed.push({ name, href, shown, total: totals.map((row) => row[href.startsWith("/invoices") ? 1 : 0]).join() });
  }
  return followed;
}

function nextOf(page: BrowserPage): string | null {
  return /<a rel="next" href="([^"]*)"/.exec(page.html)?.[1]?.replaceAll("&amp;", "&") ?? null;
}

/** The named figures of a row of the API, as a page has them. */
export function figures(names: readonly string[], row: Row): string[] {
  return names.flatMap((name) => {
    const value = row[name];
    const isUnknown = name === "past_expected" && Number(row.paid_installments ?? 3) < 3;
    if (value === null || value === undefined || isUnknown) return [];
    if (name !== "amount_minor") return [String(value)];
    const major = fromMinor(BigInt(String(value)), String(row.currency));
    return [major === undefined ? String(value) : formatMoney(major, String(row.currency))];
  });
}
