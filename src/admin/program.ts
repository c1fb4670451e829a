import { Command as Commander, CommanderError, Help, Option as Shown } from "commander";
import { UNCHANGED } from "../core/gate/audit.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import type { Command } from "./command.ts";
import { COMMANDS, NOUNS } from "./commands/index.ts";
import type { AdminAnswer, AdminRequest } from "./execute.ts";
import { type Option, optionNamed } from "./options.ts";
import { render } from "./render.ts";

/** The terminal: where the command line reads and writes, and how it sends requests. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Its width; undefined when the output goes to a file or another program. */
  readonly columns?: number | undefined;
  /** All of standard input. A person is asked for one line per prompt. */
  readSecret(prompts: readonly string[]): Promise<string>;
  /** Asks a person for a line; absent when the terminal is not interactive. */
  ask?(prompt: string): Promise<string>;
  send(request: AdminRequest): Promise<AdminAnswer>;
}

/** The maximum width, and the default. */
const WIDEST = 100;
const USUAL = 80;
/** A longer option gets a line of its own, to leave room for its description. */
const WIDEST_TERM = 30;

const ORDINARY = new Help();

const OK = 0;
const REFUSED = 1;
const USAGE = 2;

/** Runs one command line and answers its exit code: 0 done, 1 refused (one line says why), 2 not understood. */
export async function runProgram(args: readonly string[], plain: Terminal) {
  const terminal: Terminal = {
    ...plain,
    out: (text) => plain.out(withoutControls(text)),
    err: (text) => plain.err(withoutControls(text)),
  };
  try {
    await programOn(terminal).parseAsync(args, { from: "user" });
    return OK;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    terminal.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return REFUSED;
  }
}

/** Moves a cursor, colours a terminal or turns a line around. */
const CONTROL = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** Text that may be shown at a terminal: control characters as JSON escapes them. */
export const withoutControls = (text: string) =>
  text.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

function programOn(terminal: Terminal) {
  const program = new Commander("npm run admin --")
    .description("Workspaces, members, API keys and connections, for operators of the service.")
    .exitOverride()
    .helpCommand(false)
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
    .configureHelp(helpFor(terminal.columns));
  for (const [noun, about] of Object.entries(NOUNS)) {
    const level = program.command(noun).description(about).helpCommand(false);
    for (const command of COMMANDS.filter(({ name }) => name.startsWith(`${noun} `))) {
      const leaf = level.command(command.name.slice(noun.length + 1)).description(command.summary);
      for (const option of command.options) leaf.addOption(shownOption(option));
      leaf.option("--json", "print the result as JSON").action((given) => run(command, given, terminal, leaf));
    }
  }
  return program;
}

function shownOption({ field, flag, value, about, isRequired, isRepeatable }: Option) {
  const option = new Shown(value === "" ? flag : `${flag} <${value}>`, isRequired ? `${about} (required)` : about);
  if (isRepeatable) option.argParser((one: string, before: string[] = []) => [...before, one]);
  option.attributeName = () => field;
  return option.makeOptionMandatory(isRequired);
}

/** Throws an Error that says why a command was refused, and a CommanderError for one that was not understood. */
async function run(
  { name, options, input: schema }: Command,
  { json, ...given }: Readonly<Record<string, unknown>>,
  terminal: Terminal,
  leaf: Commander,
) {
  const typed = { ...given };
  for (const { field, prompts } of options)
    if (prompts !== null && given[field] === true) typed[field] = await terminal.readSecret(prompts);
  const { data: input = {}, error } = schema.safeParse(typed, { error: inOurWords });
  const faults = error?.issues.map(({ path, message }) => `${optionNamed(options, String(path[0]))} ${message}`);
  if (faults !== undefined) leaf.error(`error: ${faults.join(NEXT_ERROR)}`);
  const { result, shown, note, failure, unchanged } = await send({ command: name, input }, options, terminal);
  const parts = shown.map((part) => render(part, terminal.columns)).filter((part) => part !== "");
  terminal.out(`${json === true ? JSON.stringify(result, null, 2) : parts.join("\n\n")}\n`);
  if (failure !== null) throw new Error(failure);
  const said = unchanged ? UNCHANGED : note;
  if (said !== null && json !== true) terminal.err(`${said}\n`);
}

const NEXT_ERROR = "\nerror: ";

/** Sends a command, asking for confirmation where it is required. Throws an Error for a refusal, with options named as typed. */
async function send(
  request: AdminRequest,
  options: readonly Option[],
  terminal: Terminal,
): Promise<Extract<AdminAnswer, { result: unknown }>> {
  const answer = await terminal.send(request);
  if ("result" in answer) return answer;
  if ("refusal" in answer) {
    const { message, details } = answer.refusal;
    const faults = details.map(
      ({ field, message }) => `${field === "" ? "It" : optionNamed(options, field)} ${message}.`,
    );
    throw new Error(message === null ? faults.join(NEXT_ERROR) : [message, ...faults].join(" "));
  }
  const { message, expected, text } = answer.confirmation;
  terminal.err(`${text}\n`);
  if (terminal.ask === undefined) throw new Error(`${message} Nothing was changed. Add --yes to confirm.`);
  const confirmed = (await terminal.ask(`Type ${expected} to confirm: `)).trim();
  if (confirmed !== expected) throw new Error("Not confirmed. Nothing was changed.");
  return send({ ...request, input: { ...request.input, confirmed } }, options, terminal);
}

/** Help that fits a terminal of `columns`, or of the default width where that is unknown. */
function helpFor(columns = USUAL): Partial<Help> {
  return {
    helpWidth: Math.min(columns, WIDEST),
    padWidth: (command, helper) => Math.min(ORDINARY.padWidth(command, helper), WIDEST_TERM),
    formatItem(term, termWidth, description, helper) {
      const item = (shown: string) => ORDINARY.formatItem.call(helper, shown, termWidth, description, helper);
      return helper.displayWidth(term) <= termWidth ? item(term) : `  ${term}\n${item("")}`;
    },
  };
}
