import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { generateBook } from "./book.ts";
import { createFusionSimulator } from "./index.ts";
import { type Dataset, parseNdjson } from "./ndjson.ts";
import { REFUSAL_NAMES } from "./refusals.ts";

const HELP = `An Oracle-Fusion-shaped receivables service.

  npm run erp-simulator -- [options]

  --port P             port to listen on (4010)
  --host H             address to listen on (127.0.0.1)
  --data FILE.ndjson   items to serve, one a line: {"resource":"receivablesInvoices"|"accounts","item":{…}}
                       (without it: a made-up book)
  --seed N             of the made-up book (1)
  --invoices N         in the made-up book (300)
  --today YYYY-MM-DD   the day the made-up book is arranged around
  --user U --password P
                       ask for these; without them, anyone may read and post receipts

  POST /_control {"mode":"ok"|"401"|"403"|"404"|"429"|"500"|"503"|"hang"|"drop"|"cut"|"refuse"|
    "page"|"sign-in"|"empty"|"object"|"204"} makes it fail on purpose;
  "retry_after", "after": N requests, "times": N requests and "latency_ms" say how, "when":"after-effect" that it
  happens after what was asked for was done, "resource", "method" and "action" to which requests.
  "refuse" takes "refusal": ${REFUSAL_NAMES.map((name) => `"${name}"`).join("|")},
  or a "code" and "detail" of your own.
  POST /_close-periods {"closed_through":"2026-10-31"|null} closes accounting periods: receipts dated up to then are refused.
  POST /_enter-receipt {"invoice":"INV-10001","installment":1,"amount":"100.00","number":"CHK-1"} enters one by hand.
  POST /_reverse-receipt {"number":"CHK-1","category":"REV"|"NSF"|"STOP"} undoes one.
  POST /_automatch applies receipts by their remittance references, as Fusion's job does.
`;

function readOptions() {
  return parseArgs({
    options: {
      port: { type: "string", default: "4010" },
      host: { type: "string", default: "127.0.0.1" },
      data: { type: "string" },
      seed: { type: "string", default: "1" },
      invoices: { type: "string", default: "300" },
      today: { type: "string", default: new Date().toISOString().slice(0, 10) },
      user: { type: "string" },
      password: { type: "string" },
      help: { type: "boolean", default: false },
    },
  }).values;
}

type Options = ReturnType<typeof readOptions>;

function wholeNumber(name: string, text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} must be a whole number`);
  return Number(text);
}

function load(options: Options): Dataset {
  if (options.data !== undefined) return parseNdjson(readFileSync(options.data, "utf8"));
  const seed = wholeNumber("seed", options.seed);
  const book = generateBook({ seed, today: options.today, invoices: wholeNumber("invoices", options.invoices) });
  return { invoices: [...book.invoices], accounts: [...book.accounts] };
}

async function run(): Promise<void> {
  const options = readOptions();
  if (options.help) return void process.stdout.write(HELP);
  const { user, password } = options;
  if ((user === undefined) !== (password === undefined)) throw new Error("--user and --password come together");
  const dataset = load(options);
  const simulator = createFusionSimulator({
    ...dataset,
    credentials: user === undefined || password === undefined ? undefined : { username: user, password },
  });
  const url = await simulator.listen(wholeNumber("port", options.port), options.host);
  const { invoices, accounts } = dataset;
  process.stdout.write(`Fusion simulator: ${url} (${invoices.length} invoices, ${accounts.length} accounts)\n`);
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => void simulator.close());
}

try {
  await run();
} catch (error) {
  process.stderr.write(`erp-simulator: ${error instanceof Error ? error.message : "failed"}\n`);
  process.exitCode = 1;
}
