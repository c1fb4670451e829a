import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type Answer, FusionFault } from "./answers.ts";
import { REFUSAL_NAMES, refusal } from "./refusals.ts";

/** What something that stands in for the ERP answers, with a success or a redirect. */
const PAGES = {
  page: { status: 200, body: "<html><title>Maintenance</title></html>" },
  "sign-in": { status: 302, body: "", headers: { Location: "/login" } },
  empty: { status: 200, body: "" },
  object: { status: 200, body: {} },
  "204": { status: 204, body: "" },
} as const satisfies Readonly<Record<string, Answer>>;
/** The modes of {@link Control} in which something else answers in the ERP's place. */
export const PAGE_MODES = Object.keys(PAGES).filter(isPage);

function isPage(mode: string): mode is keyof typeof PAGES {
  return Object.hasOwn(PAGES, mode);
}

/** An answer that is not the ERP's. */
export class StandIn extends Error {
  readonly answer: Answer;

  constructor(answer: Answer) {
    super("something else answers");
    this.answer = answer;
  }
}

/**
 * What `POST /_control` takes. `hang` never answers, `drop` cuts the connection before the answer, `cut` halfway
 * through it, `refuse` answers a refusal that Fusion documents, `page`, `sign-in`, `empty`, `object` and `204` what a proxy answers in its
 * place. `after` requests still go well, `times` requests then fail (all, when absent). `resource`, `method` and
 * `action` (`applyReceipt`, …) name the requests that are meant; others go well and do not count.
 */
const Control = z.strictObject({
  mode: z
    .enum(["ok", "401", "403", "404", "429", "500", "503", "hang", "drop", "cut", "refuse", ...PAGE_MODES])
    .default("ok"),
  /** Of mode `refuse`: which; its wordings come in turn. */
  refusal: z.enum(REFUSAL_NAMES).default("closed_period"),
  /** Of mode `refuse`, a code and a text of one's own instead. */
  code: z.string().max(100).optional(),
  detail: z.string().max(8_000).optional(),
  /** `after-effect`: what was asked for is done first, so that the failure hides a success. `cut` is always so. */
  when: z.enum(["before", "after-effect"]).default("before"),
  resource: z.string().optional(),
  method: z.string().optional(),
  action: z.string().optional(),
  /** Seconds, or an HTTP date, for the `Retry-After` of 429 and 503. */
  retry_after: z.union([z.int().min(0), z.string()]).optional(),
  after: z.int().min(0).default(0),
  times: z.int().min(1).optional(),
  latency_ms: z.int().min(0).max(600_000).default(0),
});

/** A `POST /_control` body. */
export type ControlInput = z.input<typeof Control>;

type Fault = z.output<typeof Control>;

/** Does to a request what is set for that moment; see {@link Faults.of}. */
type Strike = (moment: Fault["when"], response: ServerResponse) => Promise<"answer" | "cut" | "silence">;

const DETAILS = {
  "401": "Authentication failed.",
  "403": "The user does not have the privilege to access this resource.",
  "404": "Not found.",
  "429": "Too many requests.",
  "500": "JBO-25013: an unexpected error occurred.",
  "503": "The service is under maintenance.",
} as const;

/** Makes the simulator fail on purpose. */
export class Faults {
  #control = Control.parse({});
  #seen = 0;
  #refused = 0;

  /** Replaces what was set before. Throws a ZodError for a body that is not understood. */
  set(input: unknown): Fault {
    this.#control = Control.parse(input);
    this.#seen = 0;
    return this.#control;
  }

  /**
   * Counts a request, and answers what to do to it at each of its moments: wait, then `"answer"` means it goes on, `"cut"`
   * that its answer is to be cut off, `"silence"` that nothing may be sent; a status mode throws its fault.
   */
  of(method: string, path: string): Strike {
    const control = this.#control;
    if (!isMeant(control, method, path)) return async () => "answer";
    this.#seen += 1;
    const { after, times } = control;
    const affected = this.#seen > after && (times === undefined || this.#seen <= after + times);
    return async (moment, response) => {
      if (moment !== control.when) return "answer";
      if (control.latency_ms > 0) await sleep(control.latency_ms, undefined, { ref: false });
      return affected ? struck(control, response, this.#refused++) : "answer";
    };
  }
}

/** `/{base}/resources/{version}/{resource}[/{id}/action/{action}]` */
function isMeant({ resource, method, action }: Fault, asked: string, path: string): boolean {
  const [, , , , name, , word, called] = path.split("/");
  return (
    (resource === undefined || resource === name) &&
    (method === undefined || method === asked) &&
    (action === undefined || (word === "action" && action === called))
  );
}

function struck(fault: Fault, response: ServerResponse, count: number): "answer" | "cut" | "silence" {
  const { mode, retry_after, code, detail } = fault;
  if (mode === "ok") return "answer";
  if (mode === "cut") return "cut";
  if (mode === "hang") return "silence";
  if (mode === "drop") {
    response.destroy();
    return "silence";
  }
  if (mode === "refuse") {
    throw detail === undefined ? refusal(fault.refusal, count) : new FusionFault(400, detail, code ?? "");
  }
  if (isPage(mode)) throw new StandIn(PAGES[mode]);
  throw new FusionFault(Number(mode), DETAILS[mode], "", {
    ...(mode === "401" ? { "WWW-Authenticate": 'Basic realm="fusion"' } : {}),
    ...(retry_after === undefined ? {} : { "Retry-After": String(retry_after) }),
  });
}
