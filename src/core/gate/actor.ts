/** Scopes of the assistant route (completions §2). */
export const SCOPES = ["receivables:read", "payment_links:write", "tasks:write", "receipts:push"] as const;
export type Scope = (typeof SCOPES)[number];

/** What a workspace lets assistants do at most, regardless of their scopes (completions §11). */
export const ASSISTANT_MODES = ["read", "write"] as const;
export type AssistantMode = (typeof ASSISTANT_MODES)[number];

/** Every connection can read (completions §2: "always needed"). */
export const READ_SCOPE = "receivables:read" satisfies Scope;

/** What is left of a connection's scopes in a workspace of this mode. */
export function scopesIn(mode: AssistantMode, scopes: readonly Scope[]) {
  return scopes.filter((scope) => scope === READ_SCOPE || mode === "write");
}

/** What a person may do in one tenant (completions §1). */
export type Role = "admin" | "member";

/** What an API key may do, chosen at creation (service.md §5.2). */
export type Permission = "admin" | "readonly";

/** A system, by its tenant's API key. */
export interface ApiKeyActor {
  readonly kind: "api_key";
  readonly tenantId: string;
  readonly keyId: string;
  readonly permission: Permission;
  /** The key's previous use, as authentication read it; null for its first. Absent where it was not read. */
  readonly lastUsedAt?: string | null;
}

/** A person through an assistant connection; `role` is what it was when this call was authenticated. */
export interface AssistantActor {
  readonly kind: "assistant";
  readonly tenantId: string;
  readonly memberId: string;
  readonly role: Role;
  readonly connectionId: string;
  readonly scopes: readonly Scope[];
  /** The workspace lets assistants only read: `scopes` holds no more than reading, and step-up is not offered. */
  readonly readsOnly: boolean;
}

/** A member on the service's own pages, signed in with a browser. */
export interface PersonActor {
  readonly kind: "person";
  readonly tenantId: string;
  readonly memberId: string;
}

/** Someone at the operators' terminal. */
export interface OperatorActor {
  readonly kind: "operator";
  readonly tenantId: string;
  /** Their name on the machine they typed on; absent where nothing says it. */
  readonly name?: string | undefined;
}

/** A job or a workflow of the service itself. */
export interface SystemActor {
  readonly kind: "system";
  readonly tenantId: string;
  /** The job's or workflow's name, such as `auto_generate`. */
  readonly name: string;
}

/** A payment provider, by what its verified notification or its list of events says. */
export interface ProviderActor {
  readonly kind: "provider";
  readonly tenantId: string;
  readonly integrationId: string;
}

/** Who calls through one of the two routes (completions §1). The tenant of every operation comes from here, never from input. */
export type Actor = ApiKeyActor | AssistantActor;

/** All kinds of actors (completions §1). */
export type AnyActor = Actor | PersonActor | OperatorActor | SystemActor | ProviderActor;

export type ActorKind = AnyActor["kind"];
/** The actors of these kinds. */
export type ActorOf<K extends ActorKind> = Extract<AnyActor, { readonly kind: K }>;

/** Callers of the two routes. */
export const ROUTE_CALLERS = ["api_key", "assistant"] as const;
/** Who reads a workspace's receivables: callers of the two routes, and members on the pages. */
const READERS = [...ROUTE_CALLERS, "person"] as const;
export type Reader = ActorOf<(typeof READERS)[number]>;
/** Who collects: callers of the two routes, and admins of the workspace on the pages. */
export const COLLECTORS = [...ROUTE_CALLERS, "person"] as const;
export type Collector = ActorOf<(typeof COLLECTORS)[number]>;
/** Who manages a workspace: an admin of it on the pages, or an operator at the terminal. */
export const MANAGERS = ["person", "operator"] as const;
export type Manager = ActorOf<(typeof MANAGERS)[number]>;

/** How a workspace's receivables are read, by its pages only too, and how its settings are read and changed. */
export const RECEIVABLES_READ = {
  callers: READERS,
  permission: "readonly",
  scope: READ_SCOPE,
  sideEffects: "None.",
} as const;
export const PAGES_READ = { callers: ["person"], permission: "readonly", scope: null, sideEffects: "None." } as const;
export const SETTINGS_READ = { callers: MANAGERS, permission: "readonly", scope: null, sideEffects: "None." } as const;
export const ADMINS_READ = { ...SETTINGS_READ, admins: true } as const;
export const OPERATORS_READ = { ...SETTINGS_READ, callers: ["operator"] } as const;
export const SETTINGS_CHANGE = { callers: MANAGERS, permission: "admin", scope: null } as const;

/** Keeps the known scopes of a space-separated list, in our own order. */
export function parseScopes(text: string) {
  const asked = new Set(text.split(" "));
  return SCOPES.filter((scope) => asked.has(scope));
}
