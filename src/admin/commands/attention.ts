import type { Act, Advice } from "../../core/attention/advice.ts";
import { listAttention } from "../../core/attention/list-attention.ts";
import { resolveAttention } from "../../core/attention/operations/resolve-attention.ts";
import { type Command, command } from "../command.ts";

export const attentionCommands: readonly Command[] = [
  command("attention list", listAttention, {
    async run({ operate, workspace }) {
      const entries = await operate(listAttention, {});
      return entries.map(({ advice, ...entry }) => ({ ...entry, what_to_do: adviceAtTerminal(advice, workspace) }));
    },
  }),
  command("attention resolve", resolveAttention),
];

/** Words that need no quotes in a shell. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/;

/** What to do as an operator reads it: a sentence, then each command, ready to be pasted into a shell. */
function adviceAtTerminal({ say, steps }: Advice, workspace: string): string {
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
    case "retire_missing":
      return ["erp sync", "--connection", act.connectionId, "--retire-missing"];
  }
}

function quoted(word: string): string {
  return PLAIN_WORD.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
