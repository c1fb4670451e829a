import type { Act, Advice } from "../core/attention/advice.ts";

/** Words that need no quotes in a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** What to do as an operator reads it: a sentence, then each command, ready to be pasted into a shell. */
export function adviceAtTerminal({ say, steps }: Advice, workspace: string): string {
  return [say, ...steps.flatMap(({ when, act }) => [`${when}:`, commandOf(act, workspace)])].join("\n");
}

function commandOf(act: Act, workspace: string): string {
  const [noun, ...options] = wordsOf(act);
  return `npm run admin -- ${[noun, "--workspace", quoted(workspace), ...options].join(" ")}`;
}

function wordsOf(act: Act): readonly [command: string, ...options: string[]] {
  switch (act.kind) {
    case "resolve_item":
      return ["attention resolve", "--id", act.id];
    case "push_receipt":
      return ["payment retry", "--payment", act.paymentId, ...(act.anyway ? ["--anyway"] : [])];
    case "settle_by_hand":
      return ["payment settle-by-hand", "--payment", act.paymentId, "--receipt-number", "NUMBER"];
    case "set_receipt_method":
      return ["erp set", "--connection", act.connectionId, "--receipt-method", "'NAME'"];
    case "reconnect_erp":
      return ["erp reconnect", "--connection", act.connectionId, "--password-stdin"];
  }
}

function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
