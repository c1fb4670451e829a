import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { openKnownBrowser, sealKnownBrowser } from "../../auth/known-browsers.ts";
import { hashPassword } from "../../auth/passwords.ts";
import { selectPersonByEmail } from "../../auth/session-queries.ts";
import { type SignIn, signIn } from "../../auth/sign-in.ts";
import { housekeep } from "../../src/jobs/housekeeping.ts";
import { setAttempts } from "../support/attempts.ts";
import { TestClock, testCore } from "../support/core.ts";
import { PASSWORD, peopleOf } from "../support/people.ts";
import { makeTenant } from "../support/pulls.ts";
import { addRows, rowsOf } from "../support/stored.ts";
import { everyRow, STORES } from "../support/stores.ts";
import { useStore } from "../support/use-store.ts";

describe.each(STORES)("wrong passwords on $name", ({ open }) => {
  const clock = new TestClock("2026-11-20T12:00:00.000Z");
  const opened = useStore(open);
  const core = testCore(opened.store, clock);

  /** Their password is cheap to check; the flood below tries unknown emails, whose checks cost what real ones do. */
  async function person(): Promise<string> {
    const { email } = await peopleOf(core).addPerson(await makeTenant(core));
    return email;
  }
  const outcomeOf = (outcome: SignIn): string => ("personId" in outcome ? "in" : outcome.refused);
  const attempt = async (email: string, address: string, password = "wrong"): Promise<string> =>
    outcomeOf(await signIn(core, { email, password, address }));
  /** Attempts at the office in a browser that a person signed in with. */
  async function browserOf(email: string) {
    const found = await core.store.directory((tx) => selectPersonByEmail(tx, email));
    const proof = { passwordHash: found?.password_hash ?? "" };
    const who = { personId: found?.person_id ?? "", tenantId: null, secondFactor: false, proof };
    const browser = openKnownBrowser(core, sealKnownBrowser(core, who) ?? "");
    return async (to: string, password: string) =>
      outcomeOf(await signIn(core, { email: to, password, address: "office", browser }));
  }
  /** Others at the office have failed so often; at 200 it is over its limit. */
  const failAtOffice = (hits: number) => setAttempts(core, "sign-in-address:office", 300, hits);
  const waitOf = async (email: string, address: string): Promise<number> => {
    const outcome = await signIn(core, { email, password: "wrong", address });
    return "retryAfterSeconds" in outcome ? outcome.retryAfterSeconds : 0;
  };
  const guess = async (times: number, email: string, address: string): Promise<string[]> => {
    const outcomes: string[] = [];
    for (let time = 0; time < times; time += 1) outcomes.push(await attempt(email, address));
    return outcomes;
  };

  it("[contract.edges.sign-in.growing-delay] are counted by account and address, each further one after twice the time", async () => {
    const email = await person();
    expect(await guess(12, email, "a")).toEqual([...Array(10).fill("wrong"), "too_many", "too_many"]);
    for (const seconds of [1, 2, 4, 8, 15, 15]) {
      expect(await waitOf(email, "a")).toBe(seconds);
      clock.advance((seconds - 1) * 1_000);
      expect(await attempt(email, "a", PASSWORD)).toBe("too_many");
      clock.advance(1_000);
      expect(await attempt(email, "a")).toBe("wrong");
    }
    expect(await attempt(email, "b", PASSWORD)).toBe("in");
    clock.advance(15_000);
    expect(await attempt(email, "a", PASSWORD)).toBe("in");
    expect(await attempt(email, "a")).toBe("wrong");
  });

  it("[service.8.wrong-clock] keep nobody waiting until a time that a wrong clock told", async () => {
    const AHEAD_MS = 20 * 3_600_000;
    const [once, often] = [await person(), await person()];
    clock.advance(AHEAD_MS);
    await guess(1, once, "a");
    await guess(11, often, "a");
    clock.advance(-AHEAD_MS);
    for (const email of [once, often]) expect(await attempt(email, "a", PASSWORD)).toBe("in");
  });

  it("[contract.edges.sign-in.untold] are answered alike where their person signed in before and where not, beyond each limit too", async () => {
    const [known, unknown] = [await person(), await person()];
    // At the beginning of a window.
    clock.advance(300_000 - (clock.now().getTime() % 300_000));
    expect(await attempt(known, "office", PASSWORD)).toBe("in");
    const both = async (): Promise<SignIn[]> =>
      Promise.all([known, unknown].map((email) => signIn(core, { email, password: "wrong", address: "office" })));
    const differing: SignIn[][] = [];
    const answers = new Set<string>();
    for (let round = 0; round < 40; round += 1) {
      if (round === 25) await failAtOffice(200);
      const [one, other] = await both();
      if (!isDeepStrictEqual(one, other)) differing.push([one, other].filter((answer) => answer !== undefined));
      answers.add(JSON.stringify(one));
      if (round % 3 === 0) clock.advance(1_000);
    }
    expect([...answers].some((answer) => /"retryAfterSeconds":\d{3,}/.test(answer))).toBe(true);
    expect(differing).toEqual([]);
    await failAtOffice(0);
  });

  it("[contract.edges.sign-in.known-address] never keep somebody out where they signed in before", async () => {
    const email = await person();
    expect(await attempt(email, "home", PASSWORD)).toBe("in");
    // From six networks, and from their own: more than all limits together.
    for (let network = 0; network < 6; network += 1)
      for (let round = 0; round < 2; round += 1) {
        await guess(11, email, `network ${network}`);
        clock.advance(901_000);
      }
    await Promise.all(Array.from({ length: 105 }, (_, index) => attempt(email, `zombie ${index}`)));
    expect(await attempt(email, "elsewhere", PASSWORD)).toBe("too_many");
    expect(await attempt(email, "home", PASSWORD)).toBe("in");
    await guess(30, email, "home");
    expect(await attempt(email, "home", PASSWORD)).toBe("too_many");
    clock.advance(15_000);
    expect(await attempt(email, "home", PASSWORD)).toBe("in");
  });

  it("[contract.edges.sign-in.known-browser] delay nobody in a browser they signed in with while a neighbour takes each next try", async () => {
    const [email, other] = [await person(), await person()];
    expect(await attempt(email, "office", PASSWORD)).toBe("in");
    const inBrowser = await browserOf(email);
    const another = await browserOf(email);
    // A neighbour takes each next try.
    await guess(12, email, "office");
    for (let time = 0; time < 3; time += 1) {
      clock.advance(15_000);
      expect(await attempt(email, "office")).toBe("wrong");
      expect(await attempt(email, "office", PASSWORD)).toBe("too_many");
      expect(await inBrowser(email, PASSWORD)).toBe("in");
    }
    // It is no way around the delay of another account, nor around its own.
    await guess(12, other, "office");
    expect(await inBrowser(other, PASSWORD)).toBe("too_many");
    for (let time = 0; time < 11; time += 1) await inBrowser(email, "wrong");
    expect(await inBrowser(email, PASSWORD)).toBe("too_many");
    // Nor is another browser: all of a person count together.
    expect(await another(email, PASSWORD)).toBe("too_many");
    clock.advance(15_000);
    // What others used up changes no answer there.
    await failAtOffice(200);
    expect([await another(email, "wrong"), await attempt(email, "office")]).toEqual(["wrong", "too_many"]);
    await failAtOffice(0);
    clock.advance(300_000);
  });

  it("[contract.edges.sign-in.known-browser] delay somebody in a browser they signed in with under another password, or by a provider", async () => {
    const email = await person();
    const inBrowser = await browserOf(email);
    await guess(12, email, "office");
    expect(await inBrowser(email, PASSWORD)).toBe("in");
    const [personId, tenantId, identityId] = [core.newId(), core.newId(), core.newId()];
    expect(sealKnownBrowser(core, { personId, tenantId, secondFactor: false, proof: { identityId } })).toBe(null);
    await everyRow(core.store, async (tx) => {
      const password_hash = await hashPassword("another one", { memory: 8, passes: 1, parallelism: 1 });
      await tx.updateTable("people").set({ password_hash }).where("email", "=", email).execute();
    });
    expect(await inBrowser(email, "another one")).toBe("too_many");
  });

  it("[contract.edges.sign-in.at-once] a hundred on one account are checked, also of those that are sent at once from many addresses", async () => {
    const email = await person();
    // At the beginning of a window.
    clock.advance(900_000 - (clock.now().getTime() % 900_000));
    expect(await attempt(email, "home", PASSWORD)).toBe("in");
    const outcomes = await Promise.all(
      Array.from({ length: 130 }, (_, index) => attempt(email, `scattered ${index % 65}`)),
    );
    const checked = outcomes.filter((outcome) => outcome === "wrong").length;
    expect(checked).toBeGreaterThanOrEqual(100);
    // Two are checked at a time.
    expect(checked).toBeLessThanOrEqual(101);
    expect(await attempt(email, "home")).toBe("too_many");
    expect(await attempt(email, "home", PASSWORD)).toBe("in");
  });

  it("[contract.edges.sign-in.nobody-else] a thousand of six networks shut nobody else out, on any account", async () => {
    const email = await person();
    const { start } = { start: Math.floor(clock.now().getTime() / 300_000) * 300_000 };
    await everyRow(core.store, async (tx) => {
      await tx
        .insertInto("attempt_windows")
        .values({ subject: "sign-in-failures:all", window_start: new Date(start).toISOString(), hits: 1_006 })
        .execute();
      for (let network = 0; network < 6; network += 1)
        await tx
          .insertInto("attempt_windows")
          .values({ subject: `sign-in-address:net ${network}`, window_start: new Date(start).toISOString(), hits: 168 })
          .execute();
    });
    expect(await attempt(email, "a network of its own", PASSWORD)).toBe("in");
    for (let network = 0; network < 6; network += 1)
      expect(await attempt(await person(), `net ${network}`, PASSWORD)).toBe("in");
  });

  it("[contract.edges.sign-in.memory] addresses are remembered as keyed digests, 20 of a person, 90 days", async () => {
    const email = await person();
    for (let index = 0; index < 22; index += 1) {
      expect(await attempt(email, `place ${index}`, PASSWORD)).toBe("in");
      clock.advance(1_000);
    }
    const rows = await rowsOf(core.store, null, "sign_in_addresses");
    expect(JSON.stringify(rows)).not.toContain("place");
    const own = await everyRow(core.store, (tx) =>
      tx
        .selectFrom("sign_in_addresses")
        .innerJoin("people", "people.person_id", "sign_in_addresses.person_id")
        .select("address_hash")
        .where("email", "=", email)
        .execute(),
    );
    expect(own).toHaveLength(20);
    clock.advance(91 * 86_400_000);
    await housekeep(core);
    expect(await rowsOf(core.store, null, "sign_in_addresses")).toEqual([]);
    expect(await rowsOf(core.store, null, "sign_in_failures")).toEqual([]);
  });

  it("[contract.edges.sign-in.fair-work] a flood of one address makes an honest sign-in wait for a few checks, not for all", async () => {
    const email = await person();
    const flood = Array.from({ length: 60 }, (_, index) => attempt(`nobody${index}@acme.example`, "flooder"));
    const done: string[] = [];
    const counted = flood.map((one) => one.then((outcome) => done.push(outcome)));
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await attempt(email, "honest", PASSWORD)).toBe("in");
    expect(done.filter((outcome) => outcome === "wrong").length).toBeLessThan(15);
    await Promise.all(counted);
    expect(done).toContain("too_many");
  });

  it("[contract.edges.sign-in.fair-work] hundreds of addresses that go on failing make a new one wait for few of them", async () => {
    const email = await person();
    const window = new Date(Math.floor(clock.now().getTime() / 300_000) * 300_000).toISOString();
    const addresses = Array.from({ length: 150 }, (_, n) => `bot ${n}`);
    await addRows(core.store, null, {
      attempt_windows: addresses.map((bot) => ({ subject: `sign-in-address:${bot}`, window_start: window, hits: 9 })),
    });
    const done: string[] = [];
    const flood = addresses.map(async (bot) => done.push(await attempt("nobody@acme.example", bot)));
    await expect.poll(() => done.length, { timeout: 20_000 }).toBeGreaterThan(60);
    const checked = () => done.filter((outcome) => outcome === "wrong").length;
    const before = checked();
    expect(await attempt(email, "honest", PASSWORD)).toBe("in");
    // Two are checked at once, and a tenth of the sources may wait.
    expect(checked() - before).toBeLessThan(60);
    await Promise.all(flood);
    expect(done).toContain("too_many");
  });
});
