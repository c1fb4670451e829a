import { Command as Commander, CommanderError, Help, Option as Shown } from "commander";
import { UNCHANGED } from "../core/gate/audit.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import type { Command } from "./command.ts";
import { NOUNS } from "./commands/index.ts";
import { AdminAnswer, type AdminRequest } from "./execute.ts";
import { type Option, optionNamed } from "./options.ts";

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
  send(request: AdminRequest): Promise<unknown>;
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
export async function runProgram(args: readonly string[], plain: Terminal): Promise<number> {
  let exitCode = OK;
  const terminal: Terminal = {
    ...plain,
    out: (text) => plain.out(withoutControls(text)),
    err: (text) => plain.err(withoutControls(text)),
  };
  const program = build(terminal, async (command, values, asJson) => {
    exitCode = await run(command, values, asJson, terminal);
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? OK : USAGE;
    terminal.err(`error: ${error instanceof Error ? error.message : String(error)}\n`);
    return REFUSED;
  }
}

/** Moves a cursor, colours a terminal or turns a line around. */
const CONTROL = /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/** Text that may be shown at a terminal: control characters as JSON escapes them. */
export const withoutControls = (text: string): string =>
  text.replace(CONTROL, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

type Values = Readonly<Record<string, unknown>>;

function build(
  terminal: Terminal,
  act: (command: Command, values: Values, asJson: boolean) => Promise<void>,
): Commander {
  const settle = (level: Commander): Commander =>
    level
      .exitOverride()
      .helpCommand(false)
      .configureOutput({ writeOut: terminal.out, writeErr: terminal.err })
      .configureHelp(helpFor(terminal.columns));
  const program = settle(new Commander("npm run admin --")).description(
    "Workspaces, members, API keys and connections, for operators of the service.",
  );
  for (const [noun, [description, commands]] of Object.entries(NOUNS)) {
    const level = settle(program.command(noun)).description(description);
    for (const command of commands) {
      const options = command.options.map((option) => ({ field: option.field, shown: shownOption(option) }));
      const leaf = settle(level.command(command.verb)).description(command.summary);
      for (const { shown } of options) leaf.addOption(shown);
      leaf.option("--json", "print the result as JSON");
      leaf.action(async (given: Values) => {
        const values = options.map(({ field, shown }) => [field, given[shown.attributeName()]] as const);
        await act(command, Object.fromEntries(values.filter(([, value]) => value !== undefined)), given.json === true);
      });
    }
  }
  return program;
}

function shownOption({ flag, value, about, isRequired, isRepeatable }: Option): Shown {
  const option = new Shown(value === "" ? flag : `${flag} <${value}>`, isRequired ? `${about} (required)` : about);
  if (isRepeatable) option.argParser((one: string, before: string[] = []) => [...before, one]);
  return option.makeOptionMandatory(isRequired);
}

async function run(command: Command, values: Values, asJson: boolean, terminal: Terminal): Promise<number> {
  const input: Record<string, unknown> = { ...values };
  for (const { field, prompts } of command.options)
    if (prompts !== null && values[field] === true) input[field] = await terminal.readSecret(prompts);
  const fail = (lines: readonly string[], code: number): number => {
    for (const line of lines) terminal.err(`error: ${line}\n`);
    return code;
  };
  const understood = command.input.safeParse(input, { error: inOurWords });
  if (!understood.success) {
    const faults = understood.error.issues.map(
      ({ path, message }) => `${optionNamed(command.options, String(path[0]))} ${message}`,
    );
    return fail(faults, USAGE);
  }
  const answer = await send({ command: command.name, input, columns: terminal.columns }, terminal);
  if (answer === null) return REFUSED;
  if ("refusal" in answer) return fail(refusalLines(command, answer.refusal), REFUSED);
  const { result, text, note, failure, unchanged } = answer;
  terminal.out(`${asJson ? JSON.stringify(result, null, 2) : text}\n`);
  if (failure !== null) return fail([failure], REFUSED);
  const said = unchanged ? UNCHANGED : note;
  if (said !== null && !asJson) terminal.err(`${said}\n`);
  return OK;
}

/** The error lines of a refused command, with options named as typed; one line per fault where the message adds nothing. */
function refusalLines({ options }: Command, { message, details }: Refusal): string[] {
  const faults = details.map(
    ({ field, message: fault }) => `${field === "" ? "It" : optionNamed(options, field)} ${fault}.`,
  );
  return message === null ? faults : [[message, ...faults].join(" ")];
}

type Refusal = Extract<AdminAnswer, { refusal: unknown }>["refusal"];

type Answer = Exclude<AdminAnswer, { confirmation: unknown }>;

/** Sends a command, asking for confirmation where it is required; null without confirmation. */
async function send(request: AdminRequest, terminal: Terminal): Promise<Answer | null> {
  let answer = AdminAnswer.parse(await terminal.send(request));
  while ("confirmation" in answer) {
    const { message, expected, text } = answer.confirmation;
    terminal.err(`${text}\n`);
    if (terminal.ask === undefined) {
      terminal.err(`error: ${message} Nothing was changed. Add --yes to confirm.\n`);
      return null;
    }
    const confirmed = (await terminal.ask(`Type ${expected} to confirm: `)).trim();
    if (confirmed !== expected) {
      terminal.err("error: Not confirmed. Nothing was changed.\n");
      return null;
    }
    answer = AdminAnswer.parse(await terminal.send({ ...request, confirmed }));
  }
  return answer;
}

/** Help that fits a terminal of `columns`, or of the default width where that is unknown. */
function helpFor(columns: number | undefined): Partial<Help> {
  return {
    helpWidth: Math.min(columns ?? USUAL, WIDEST),
    padWidth: (command: Commander, helper: Help) => Math.min(ORDINARY.padWidth(command, helper), WIDEST_TERM),
    formatItem(term: string, termWidth: number, description: string, helper: Help): string {
      const item = (shown: string) => ORDINARY.formatItem.call(helper, shown, termWidth, description, helper);
      return helper.displayWidth(term) <= termWidth ? item(term) : `  ${term}\n${item("")}`;
    },
  };
}
