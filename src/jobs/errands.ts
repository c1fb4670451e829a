import type { Core } from "../core/gate/dependencies.ts";
import { jobs } from "../signals.ts";
import { finishLinks } from "./finish-links.ts";
import { readProviderEvents } from "./read-provider-events.ts";
import { type Rounds, rounds } from "./rounds.ts";
import { runWorkflows } from "./run-workflows.ts";
import { type PostOffice, sendLinkEmails, sendMails } from "./send-mails.ts";

interface ErrandOptions {
  /** Null: nothing is mailed by this process. */
  readonly office: PostOffice | null;
  /** Begins nothing more. */
  readonly stop: AbortSignal;
  /** Gives up the mails under way; a provider that is asked for a link is not interrupted. */
  readonly giveUp: AbortSignal;
}

/** What follows from the state of the book and is looked for every few seconds: links, workflows and mail. */
export function errands(core: Core, { office, stop, giveUp }: ErrandOptions): Rounds {
  const errand = (what: string, job: string, work: () => Promise<unknown>): Rounds =>
    rounds(
      () => jobs.during({ job, kind: "look", outcome: "ok" }, work),
      (error) => core.log.error({ err: error }, `${what} failed`),
    );
  const all = [
    errand("settling payment links", "settle_links", () => finishLinks(core, stop)),
    errand("reading provider events", "read_provider_events", () => readProviderEvents(core, { signal: stop })),
    errand("running workflows", "run_workflows", () => runWorkflows(core, stop)),
  ];
  if (office !== null)
    all.push(
      errand("mailing members", "send_mails", () => sendMails(core, office, { stop, giveUp })),
      errand("mailing payment links", "send_link_emails", () => sendLinkEmails(core, office, { stop, giveUp })),
    );
  return {
    wake() {
      for (const one of all) one.wake();
    },
    async idle() {
      await Promise.all(all.map((one) => one.idle()));
    },
  };
}
