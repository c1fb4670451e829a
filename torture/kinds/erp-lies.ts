import { z } from "zod";
import { parseLossless } from "../../src/gateways/erp/lossless-json.ts";
import type { Random } from "../../src/simulators/fusion/random.ts";
import { type Kind, onPostgres } from "../kind.ts";
import { type Lie, type LyingProxy, startLyingProxy } from "../lying-proxy.ts";

/** Of a tenant: its invoices fill three pages. */
const PARTS = 3_300;
const NO_NUMBERS = ["12,50", "NaN", "1e400", {}, true, "- 5", "0x10", [1]];

/** A page of a list, as its JSON is. */
const Page = z.looseObject({ items: z.array(z.looseObject({})) });
type Page = z.output<typeof Page>;

/** Changes a page, or answers the text that is told instead. */
type Change = (page: Page) => string | undefined;

const lieOf =
  (change: Change): Lie =>
  (told) => {
    const page = Page.parse(parseLossless(told, (digits) => JSON.rawJSON(digits)));
    return change(page) ?? JSON.stringify(page);
  };

const isOfBook = (method: string, { pathname }: URL): boolean =>
  method === "GET" && pathname.endsWith("/receivablesInvoices");

/** Asked for by id, it tells the truth: what it denied then would rightly be believed gone. */
const isListing = ({ searchParams }: URL): boolean => !searchParams.has("q");
const isStart = (url: URL): boolean => isListing(url) && url.searchParams.get("offset") === "0";

/** The service's user has lost sight of every second invoice, asked for by id too: that is too much to be believed gone. */
const hide: Lie = lieOf((page) => {
  const isShown = ({ CustomerTransactionId: id }: object & { CustomerTransactionId?: unknown }): boolean =>
    Number(JSON.stringify(id)?.at(-3)) % 2 === 0;
  Object.assign(page, { items: page.items.filter(isShown) });
});

/** What an ERP may tell that is not so. The last one is no lie yet: it tells the next page what this one was. */
const liesOf = (random: Random): (() => Lie) => {
  let earlier: string | undefined;
  const changes: [Change, ...Change[]] = [
    (page) => void Object.assign(page, { hasMore: true, count: 7, totalResults: 3 }),
    (page) => void Object.assign(page, { hasMore: false, count: 0 }),
    (page) => void page.items.splice(random.between(0, page.items.length), 1),
    (page) => void page.items.reverse(),
    (page) => void page.items.push(...page.items.slice(-2)),
    (page) => void Object.assign(page.items.at(-1) ?? {}, { InvoiceBalanceAmount: random.pick(["x", ...NO_NUMBERS]) }),
    (page) => void Object.assign(page.items.at(0) ?? {}, { EnteredAmount: JSON.rawJSON("99999999.99") }),
    (page) => void Object.assign(page.items.at(0) ?? {}, { EnteredAmount: random.pick(["", ...NO_NUMBERS]) }),
    (page) => void Object.assign(page.items.at(0) ?? {}, { CustomerTransactionId: "one" }),
    (page) => JSON.stringify(page).slice(0, -20),
    () => "<html>Signed out</html>",
    () => `{"items": [{"CustomerTransactionId": 00012}], "hasMore": false}`,
    (page) => {
      const told = earlier;
      earlier = JSON.stringify(page);
      return told;
    },
  ];
  return () => lieOf(random.pick(changes));
};

/** ERPs that answer politely what is not so: no pull may take it for the truth for good, nor anything be lost by it. */
export default {
  name: "erp-lies",
  does: "the ERP tells wrong totals, the same page again, malformed numbers and half answers; two processes",
  async run(options) {
    const proxies: LyingProxy[] = [];
    try {
      return await onPostgres(options, {
        size: 2,
        parts: PARTS,
        async erpAt(simulator) {
          const proxy = await startLyingProxy(simulator, isOfBook);
          proxies.push(proxy);
          return proxy.url;
        },
        async disturb({ world, load, random, tally }) {
          for (const proxy of proxies) {
            // Its own: what one ERP told earlier is not for another one to tell.
            const aLie = liesOf(random);
            let isHidden = false;
            proxy.lie = (url) => {
              if (isStart(url)) isHidden = random.chance(25);
              if (isHidden) return hide;
              return isListing(url) && random.chance(60) ? aLie() : null;
            };
          }
          while (!load.over) {
            await load.sync(random.pick(world.tenants));
            await load.further(random.between(3, 20));
          }
          for (const proxy of proxies) proxy.lie = null;
          tally.notes.push(`${proxies.reduce((sum, proxy) => sum + proxy.lies, 0)} lies`);
        },
      });
    } finally {
      await Promise.all(proxies.map((proxy) => proxy.close()));
    }
  },
} satisfies Kind;
