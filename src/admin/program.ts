import { Command as Commander, CommanderError, Option } from "commander";
import { type Command, flags, optionName, optionOf } from "./command.ts";
import { COMMANDS, NOUNS } from "./commands/index.ts";
import { AdminAnswer, type AdminRequest } from "./execute.ts";
import { render } from "./render.ts";

/** Where the command line reads and writes, and who executes what it was told. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. Each prompt is shown to a person who has to type a line for it. */
  readSecret(prompts: readonly string[]): Promise<string>;
  send(request: AdminRequest): Promise<unknown>;
}

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
    level.exitOverride().helpCommand(false).configureOutput({ writeOut: terminal.out, writeErr: terminal.err });
  const program = settle(new Commander("npm run admin --")).description(
    "Workspaces, members, API keys and connections, for whoever operates the service.",
  );
  for (const [noun, description] of Object.entries(NOUNS)) {
    const level = settle(program.command(noun)).description(description);
    for (const command of COMMANDS.filter((candidate) => candidate.noun === noun)) {
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
  const understood = command.input.safeParse(input);
  if (!understood.success) {
    for (const { path, message } of understood.error.issues) {
      const field = path[0];
      const subject = field === undefined ? "" : `${optionName(command.input, String(field))} `;
      terminal.err(`error: ${subject}${message}\n`);
    }
    return USAGE;
  }
  const answer = AdminAnswer.parse(await terminal.send({ command: `${command.noun} ${command.verb}`, input }));
  if ("refusal" in answer) {
    const { message, details } = answer.refusal;
    const fields = details.map((one) => ` ${optionOf(command.input, one.field)} ${one.message}.`).join("");
    terminal.err(`error: ${message}${fields}\n`);
    return REFUSED;
  }
  terminal.out(`${asJson ? JSON.stringify(answer.result, null, 2) : render(answer.result)}\n`);
  const failure = command.failure(answer.result);
  if (failure !== null) terminal.err(`error: ${failure}\n`);
  else if (command.note !== null && !asJson) terminal.err(`${command.note}\n`);
  return failure === null ? OK : REFUSED;
}

/** Puts what standard input holds where an option said that it comes from there. */
async function readSecrets(command: Command, values: Values, terminal: Terminal): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = { ...values };
  for (const [field, schema] of Object.entries(command.input.shape)) {
    const flag = flags.get(schema);
    if (flag?.stdin === true && values[field] === true) input[field] = await terminal.readSecret(flag.lines ?? [field]);
  }
  return input;
}
