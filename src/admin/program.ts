import { Command as Commander, CommanderError, Help, Option } from "commander";
import { UNCHANGED } from "../core/gate/audit.ts";
import { faultsMessage } from "../core/kernel/validation.ts";
import { inOurWords } from "../core/kernel/validation-messages.ts";
import { type Command, flags, optionName, optionOf } from "./command.ts";
import { NOUNS } from "./commands/index.ts";
import { AdminAnswer, type AdminRequest } from "./execute.ts";
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
export async function runProgram(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = OK;
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
      const options = Object.keys(command.input.shape).map((field) => ({ field, option: toOption(command, field) }));
      const leaf = settle(level.command(command.verb)).description(command.summary);
      for (const { option } of options) leaf.addOption(option);
      leaf.option("--json", "print the result as JSON");
      leaf.action(async (given: Values) => {
        const values = options.map(({ field, option }) => [field, given[option.attributeName()]] as const);
        await act(command, Object.fromEntries(values.filter(([, value]) => value !== undefined)), given.json === true);
      });
    }
  }
  return program;
}

function toOption({ input }: Command, field: string): Option {
  const schema = input.shape[field];
  const flag = schema === undefined ? undefined : flags.get(schema);
  if (schema === undefined || flag === undefined) throw new Error(`the option for ${field} has no description`);
  const name = optionName(input, field);
  const required = !schema.safeParse(undefined).success;
  const description = required ? `${flag.description} (required)` : flag.description;
  const option = new Option(flag.value === null ? name : `${name} <${flag.value}>`, description);
  if (flag.repeatable === true) option.argParser((value: string, before: string[] = []) => [...before, value]);
  return option.makeOptionMandatory(required);
}

async function run(command: Command, values: Values, asJson: boolean, terminal: Terminal): Promise<number> {
  const input = await readSecrets(command, values, terminal);
  const understood = command.input.safeParse(input, { error: inOurWords });
  if (!understood.success) {
    for (const { path, message } of understood.error.issues) {
      const field = path[0];
      const subject = field === undefined ? "" : `${optionName(command.input, String(field))} `;
      terminal.err(`error: ${subject}${message}\n`);
    }
    return USAGE;
  }
  const answer = await send(command, input, terminal);
  if (answer === null) return REFUSED;
  if ("refusal" in answer) {
    for (const line of refusalLines(command, answer.refusal)) terminal.err(`error: ${line}\n`);
    return REFUSED;
  }
  terminal.out(
    `${asJson ? JSON.stringify(answer.result, null, 2) : shown(command, answer.result, terminal.columns)}\n`,
  );
  const failure = command.failure(answer.result);
  if (failure !== null) terminal.err(`error: ${failure}\n`);
  const said = answer.unchanged === true ? UNCHANGED : command.note(answer.result);
  const note = failure === null && !asJson ? said : null;
  if (note !== null) terminal.err(`${note}\n`);
  return failure === null ? OK : REFUSED;
}

/** The error lines of a refused command, with options named as typed; one line per fault where the message adds nothing. */
function refusalLines({ input }: Command, { message, details }: Refusal): string[] {
  const faults = details.map(
    ({ field, message: fault }) => `${field === "" ? "It" : optionOf(input, field)} ${fault}.`,
  );
  return faults.length > 0 && message === faultsMessage(details) ? faults : [[message, ...faults].join(" ")];
}

type Refusal = Extract<AdminAnswer, { refusal: unknown }>["refusal"];

type Answer = Exclude<AdminAnswer, { confirmation: unknown }>;

/** Sends a command, asking for confirmation where it is required; null without confirmation. */
async function send(command: Command, input: Values, terminal: Terminal): Promise<Answer | null> {
  const request = { command: command.name, input };
  let answer = AdminAnswer.parse(await terminal.send(request));
  while ("confirmation" in answer) {
    const { message, expected, result } = answer.confirmation;
    terminal.err(`${shown(command, result, terminal.columns)}\n`);
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

function shown(command: Command, result: Parameters<typeof render>[0], columns: number | undefined): string {
  return command.show(result, columns) ?? render(result, columns);
}

/** Fills in the options that are read from standard input. */
async function readSecrets(command: Command, values: Values, terminal: Terminal): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = { ...values };
  for (const [field, schema] of Object.entries(command.input.shape)) {
    const flag = flags.get(schema);
    if (flag?.stdin === true && values[field] === true) input[field] = await terminal.readSecret(flag.lines ?? [field]);
  }
  return input;
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
