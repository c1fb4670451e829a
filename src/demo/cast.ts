import type { Permission, Role } from "../core/gate/actor.ts";
import type { BookProfile } from "../simulators/fusion/book.ts";
import {
  AMERICAN_CUSTOMERS,
  CANADIAN_CUSTOMERS,
  type DemoCustomer,
  SWISS_CUSTOMERS,
  TRADE_CUSTOMERS,
} from "./customers.ts";

/** A person of the demo, with one password for all their workspaces. */
interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly roles: Readonly<Partial<Record<WorkspaceKey, Role>>>;
}

export type WorkspaceKey = "northwind" | "alpenglow" | "odd";

/** A workspace of the demo. */
export interface DemoWorkspace {
  readonly key: WorkspaceKey;
  readonly name: string;
  readonly timezone: string;
  /** The currencies its sandbox integration can charge; its invoices have others too. */
  readonly currencies: readonly string[];
  readonly keys: readonly { readonly name: string; readonly permission: Permission }[];
}

/** The final state of an ERP of the demo, and so of the connection to it. */
export type Fate = "works" | "refuses" | "fails" | "disconnected";

/** One simulated ERP. */
export interface DemoSite {
  readonly key: string;
  readonly workspace: WorkspaceKey;
  readonly username: string;
  readonly fate: Fate;
  readonly book: Omit<BookProfile, "today" | "customerNames" | "trickyCustomers">;
  /** Whom a company bills; null for one invoice of each peculiar kind, and names that are easy to get wrong. */
  readonly customers: readonly DemoCustomer[] | null;
}

const KEYS = [
  { name: "Reporting", permission: "readonly" },
  { name: "Collections automation", permission: "admin" },
] as const;

/** Two companies as there are many, and a workspace in which everything peculiar happens. */
export const WORKSPACES: readonly DemoWorkspace[] = [
  { key: "northwind", name: "Northwind Trading", timezone: "America/New_York", currencies: ["USD", "CAD"], keys: KEYS },
  { key: "alpenglow", name: "Alpenglow Foods", timezone: "Europe/Zurich", currencies: ["CHF", "EUR"], keys: KEYS },
  { key: "odd", name: "Odd Cases", timezone: "Asia/Tokyo", currencies: ["USD", "CAD", "EUR", "JPY"], keys: KEYS },
];

export const PEOPLE: readonly DemoPerson[] = [
  { email: "dana.whitfield@northwind.example", name: "Dana Whitfield", roles: { northwind: "admin" } },
  { email: "marcus.lee@northwind.example", name: "Marcus Lee", roles: { northwind: "member" } },
  { email: "lena.brunner@alpenglow.example", name: "Lena Brunner", roles: { alpenglow: "admin" } },
  { email: "jonas.keller@alpenglow.example", name: "Jonas Keller", roles: { alpenglow: "member" } },
  {
    email: "sam.okafor@ledgerline.example",
    name: "Sam Okafor",
    roles: { northwind: "member", alpenglow: "admin" },
  },
  { email: "kei.mori@oddcases.example", name: "Kei Mori", roles: { odd: "admin" } },
  { email: "noa.levi@oddcases.example", name: "Noa Levi", roles: { odd: "member" } },
];

/** Far enough apart for ids not to overlap. */
const APART = 1_000_000;

/** A company's books: most of what is due is paid, and no invoice is out of all proportion. */
const ORDERLY = { paidOnceDue: 80, magnitudes: [1, 2, 2, 2] } as const;

export const SITES: readonly DemoSite[] = [
  {
    key: "northwind-us",
    workspace: "northwind",
    username: "RECEIVABLES_SVC",
    fate: "works",
    customers: AMERICAN_CUSTOMERS,
    book: {
      ...ORDERLY,
      seed: 2101,
      invoices: 230,
      currencies: ["USD", "USD", "USD", "USD", "USD", "CAD"],
      numberPrefix: "NW-",
      businessUnit: "Northwind US",
    },
  },
  {
    key: "northwind-canada",
    workspace: "northwind",
    username: "RECEIVABLES_SVC_CA",
    fate: "refuses",
    customers: CANADIAN_CUSTOMERS,
    book: {
      ...ORDERLY,
      seed: 2102,
      invoices: 80,
      currencies: ["CAD"],
      idOffset: APART,
      numberPrefix: "NWC-",
      businessUnit: "Northwind Canada",
    },
  },
  {
    key: "alpenglow-food",
    workspace: "alpenglow",
    username: "AR_INTEGRATION",
    fate: "works",
    customers: SWISS_CUSTOMERS,
    book: {
      ...ORDERLY,
      seed: 3101,
      invoices: 260,
      currencies: ["CHF", "CHF", "EUR"],
      idOffset: 2 * APART,
      numberPrefix: "AF-",
      businessUnit: "Alpenglow Foods AG",
    },
  },
  {
    key: "alpenglow-trade",
    workspace: "alpenglow",
    username: "AR_INTEGRATION_TRADE",
    fate: "works",
    customers: TRADE_CUSTOMERS,
    book: {
      ...ORDERLY,
      seed: 3102,
      invoices: 76,
      currencies: ["EUR"],
      idOffset: 3 * APART,
      numberPrefix: "AT-",
      businessUnit: "Alpenglow Trade GmbH",
    },
  },
  {
    key: "odd-main",
    workspace: "odd",
    username: "ODD_MAIN",
    fate: "works",
    customers: null,
    book: {
      seed: 2101,
      invoices: 260,
      currencies: ["USD", "USD", "CAD", "USD", "EUR", "USD", "JPY", "USD", "USD", "KWD", "USD"],
      idOffset: 4 * APART,
      numberPrefix: "OC-",
      businessUnit: "Odd Cases",
    },
  },
  {
    key: "odd-branch",
    workspace: "odd",
    username: "ODD_BRANCH",
    fate: "fails",
    customers: CANADIAN_CUSTOMERS,
    book: {
      seed: 2103,
      invoices: 50,
      currencies: ["CAD", "USD"],
      idOffset: 5 * APART,
      numberPrefix: "OB-",
      businessUnit: "Odd Branch",
    },
  },
  {
    key: "odd-legacy",
    workspace: "odd",
    username: "ODD_OLD",
    fate: "disconnected",
    customers: CANADIAN_CUSTOMERS,
    book: {
      seed: 2104,
      invoices: 44,
      currencies: ["EUR"],
      idOffset: 6 * APART,
      numberPrefix: "OL-",
      businessUnit: "Odd Archive",
    },
  },
];
