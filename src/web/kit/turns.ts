import type { Request } from "express";
import { costlyWork } from "../../core/gate/costly-work.ts";
import { ServiceError } from "../../core/kernel/error.ts";
import type { Site } from "./site.ts";

const TURNS = { concurrency: 4, waitingOfSource: 40, sources: 2_000, retryAfterSeconds: 5 };
const PAGES = { ...TURNS, tooMuch: "You have asked for too many pages at once. Try again in a moment." };

const OWN = { ...PAGES, concurrency: Number.POSITIVE_INFINITY, ofSource: 2 };
const ownTurns = costlyWork({ ...OWN, rests: 1 });
/** Who is not signed in, by address, which many may share: all of an office may wait behind one of them. */
const strangersTurns = costlyWork({ ...OWN, waitingOfSource: 400 });
/** A page may wait long for figures of its workspace: of one that has many such, most turns are left to others. */
const pageTurns = costlyWork({ ...PAGES, concurrency: 16, ofSource: 4, waitingOfSource: 400, leavesRoom: true });

/** Two of a person, whose turns then rest as long, and four of a workspace at a time; fewer where few are free. */
export function inPageTurn<T>(site: Site, request: Request, show: () => Promise<T>) {
  const { person, workspace, isFound } = site.sourceOf(request);
  return (isFound ? ownTurns : strangersTurns)(person, () => pageTurns(workspace, show));
}

const doorTurns = costlyWork({ ...PAGES, ofSource: 2, leavesRoom: true });

/** Who sends a form is looked up apart from pages, which may take long: what it is to stop is stopped at once. */
export const inDoorTurn = <T>(site: Site, request: Request, enter: () => Promise<T>) =>
  doorTurns(site.sourceOf(request).person, enter);

/** Forms under way, by person. */
const forms = new Map<string, { inTurn: ReturnType<typeof costlyWork>; open: number; files: number }>();

/** Forms with a file that a person may have under way: memory holds each from its first byte on. */
const MOST_FILES = 2;

/** A form: `read` takes as long as its sender likes. */
interface Form {
  readonly hasFile: boolean;
  /** Counts it; rejects where there were too many. */
  count(): Promise<void>;
  read(): Promise<void>;
  work(): Promise<void>;
}

/** The forms of a person are carried out some at a time, apart from others: one may wait for an ERP. */
export async function inFormTurn(person: string, { hasFile, count, read, work }: Form) {
  const tooMuch = "You have sent too many forms at once. Try again in a moment.";
  const own = forms.get(person) ?? { inTurn: costlyWork({ ...TURNS, tooMuch }), open: 0, files: 0 };
  forms.set(person, own);
  own.open += 1;
  own.files += Number(hasFile);
  try {
    if (hasFile && own.files > MOST_FILES) throw new ServiceError("rate_limit_exceeded", tooMuch, TURNS);
    // One with a file takes a while to be read: it counts though it proves to be none of ours.
    if (hasFile) await count();
    await read();
    if (!hasFile) await count();
    await own.inTurn(person, work);
  } finally {
    own.files -= Number(hasFile);
    own.open -= 1;
    if (own.open === 0) forms.delete(person);
  }
}
