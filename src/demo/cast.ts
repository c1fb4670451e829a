import type { Permission, Role } from "../core/gate/actor.ts";
import type { BookProfile } from "../simulators/fusion/book.ts";

/** A person of the demo, with one password for all their workspaces. */
export interface DemoPerson {
  readonly email: string;
  readonly name: string;
  readonly roles: Readonly<Partial<Record<WorkspaceKey, Role>>>;
}

export type WorkspaceKey = "northwind" | "alpenglow";

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
  readonly book: Omit<BookProfile, "today">;
  /** Whether it also has one invoice of each peculiar kind, or ordinary ones only. */
  readonly peculiar: boolean;
}

const KEYS = [
  { name: "Reporting", permission: "readonly" },
  { name: "Collections automation", permission: "admin" },
] as const;

export const WORKSPACES: readonly DemoWorkspace[] = [
  {
    key: "northwind",
    name: "Northwind Trading",
    timezone: "America/New_York",
    currencies: ["USD", "CAD", "EUR", "JPY"],
    keys: KEYS,
  },
  {
    key: "alpenglow",
    name: "Alpenglow Foods",
    timezone: "Europe/Zurich",
    currencies: ["CHF", "EUR", "KWD", "JPY"],
    keys: KEYS,
  },
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
];

/** Far enough apart for ids not to overlap. */
const APART = 1_000_000;

export const SITES: readonly DemoSite[] = [
  {
    key: "northwind-us",
    workspace: "northwind",
    username: "RECEIVABLES_SVC",
    fate: "works",
    peculiar: true,
    book: {
      seed: 2101,
      invoices: 260,
      currencies: ["USD", "USD", "CAD", "USD", "EUR", "USD", "JPY", "USD", "USD", "KWD", "USD"],
      numberPrefix: "NW-",
      businessUnit: "Northwind US",
    },
  },
  {
    key: "northwind-canada",
    workspace: "northwind",
    username: "RECEIVABLES_SVC_CA",
    fate: "refuses",
    peculiar: false,
    book: {
      seed: 2102,
      invoices: 80,
      currencies: ["CAD", "CAD", "USD"],
      customerNames: [
        "Maple Ridge Outfitters",
        "Laurentian Paperworks",
        "Prairie Grain Co-op",
        "Halifax Marine Supply",
      ],
      trickyCustomers: false,
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
    peculiar: true,
    book: {
      seed: 3101,
      invoices: 250,
      currencies: ["CHF", "EUR", "CHF", "KWD", "EUR", "CHF", "GBP", "CHF", "JPY"],
      idOffset: 2 * APART,
      numberPrefix: "AF-",
      businessUnit: "Alpenglow Foods AG",
    },
  },
  {
    key: "alpenglow-trade",
    workspace: "alpenglow",
    username: "AR_INTEGRATION_TRADE",
    fate: "fails",
    peculiar: false,
    book: {
      seed: 3102,
      invoices: 72,
      currencies: ["EUR", "CHF"],
      customerNames: ["Käserei Oberland", "Zürich Gastro Service", "Rhône Primeurs", "Lago Alimentari", "Brot & Söhne"],
      trickyCustomers: false,
      idOffset: 3 * APART,
      numberPrefix: "AT-",
      businessUnit: "Alpenglow Trade GmbH",
    },
  },
  {
    key: "alpenglow-legacy",
    workspace: "alpenglow",
    username: "AR_INTEGRATION_OLD",
    fate: "disconnected",
    peculiar: false,
    book: {
      seed: 3103,
      invoices: 60,
      currencies: ["CHF"],
      customerNames: ["Gasthof Sonne", "Bergbahn Kiosk AG", "Hotel Edelweiss"],
      trickyCustomers: false,
      idOffset: 4 * APART,
      numberPrefix: "AL-",
      businessUnit: "Alpenglow Altbestand",
    },
  },
];
