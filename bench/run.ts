/** `npm run bench -- NAME …`: the benchmarks, each a table with the limits it is held to. */
const BENCHMARKS: Readonly<Record<string, () => Promise<{ run(): Promise<boolean> }>>> = {
  calls: () => import("./calls.ts"),
  lists: () => import("./lists.ts"),
};

const asked = process.argv.slice(2);
const names = asked.length > 0 ? asked : Object.keys(BENCHMARKS);
for (const name of names) {
  const load = BENCHMARKS[name];
  if (load === undefined) {
    process.stderr.write(`no benchmark ${name}; there are: ${Object.keys(BENCHMARKS).join(", ")}\n`);
    process.exit(1);
  }
  const { run } = await load();
  if (!(await run())) process.exitCode = 1;
}
