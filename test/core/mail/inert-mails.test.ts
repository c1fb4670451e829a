import { describe, expect, it } from "vitest";
import { inertText } from "../../../src/core/mail/inert-text.ts";
import { MEMBER_MAILS } from "../../../src/store/tables/mail.ts";
import { testCore } from "../../support/core.ts";
import { queueEveryMail } from "../../support/member-mails.ts";
import { mailsIn } from "../../support/outbox.ts";
import { rowsOf } from "../../support/stored.ts";
import { A_STORE } from "../../support/thorough.ts";
import { useStore } from "../../support/use-store.ts";

const ORIGIN = "https://receivables.example.test";
/** What mail programs make links of, which read letters as NFKC has them: schemes, hosts, emails and shares. */
const LINK =
  /\b[a-z][a-z0-9+.-]*:\/\/\S+|\bwww\.\S+|\b(?:mailto|tel):\S+|\S+@\S+|\\\\\S+|[\p{L}\p{N}-]+[.\u3002]\p{L}[\p{L}\p{N}-]+\S*/giu;
const EVIL = [
  "https://evil.example/login",
  "www.evil.example",
  "evil.example/pay",
  "pay@evil.example",
  "mailto:x@evil.example",
  "tel:+19005550100",
  "\\\\evil.example\\share",
  "evil\u3002example",
  "evil\u2024example",
  "ⓔⓥⓘⓛ.ⓔⓧⓐⓜⓟⓛⓔ",
  "http://192.0.2.1:80/x",
];

describe.each(A_STORE)("a mail to a member, on $name", ({ open }) => {
  const { store } = useStore(open);
  const core = testCore(store);

  it("of every kind leads to the service's own pages only, with any names in it [completions.7.mail-inert]", async () => {
    const told = new Set<string>();
    for (const evil of EVIL) {
      await queueEveryMail(core, { workspace: evil, person: evil, customer: evil, client: evil, host: "evil.example" });
      const members = await rowsOf(core.store, null, "people");
      const own = new Set(members.map(({ email }) => email));
      const mails = await mailsIn({ core, origin: ORIGIN });
      expect(mails).toHaveLength(MEMBER_MAILS.length);
      for (const { subject = "", text = "", html = "", from } of mails) {
        const shown = html.replace(/<(style|title)[\s\S]*?<\/\1>/g, " ").replace(/<[^>]+>/g, " ");
        const links = [subject, text, shown, from?.name ?? ""].flatMap(
          (part) => part.normalize("NFKC").match(LINK) ?? [],
        );
        const targets = [...html.matchAll(/href="([^"]*)"/g)].map(([, target = ""]) => target);
        const foreign = [...links, ...targets].filter((link) => !link.startsWith(`${ORIGIN}/`) && !own.has(link));
        expect(foreign, `${subject}: ${evil}`).toEqual([]);
        if (/evil|192\.0\.2|19005550100/.test(subject + text))
          told.add(/invoice|invited|assistant|ERP/i.exec(subject)?.[0] ?? subject);
      }
    }
    // Those that have names in them had these.
    expect([...told].sort()).toEqual(["ERP", "Invoice", "assistant", "invited"]);
  });
});

describe("a text in a mail to members", () => {
  it.each([
    ["Claude Code (receivables)", "Claude Code (receivables)"],
    ["MCP Inspector 2.12.0", "MCP Inspector 2.12.0"],
    ["Connected: 22 Nov 2026, 14:05 (Europe/Berlin), 1,250.50 USD.", undefined],
    ["Globex <GmbH> & Co", "Globex GmbH & Co"],
    ["claude.ai", "claude ai"],
    ["www.evil.example", "www evil example"],
    ["see https://evil.example/x", "see https evil example/x"],
    ["https://1.2.3.4/x", "https 1.2.3.4 x"],
    ["mailto:a@b.example", "mailto a b example"],
    ["\\\\host\\share", " host share"],
    ["½ of the № 5 bill is due…", undefined],
    ["evil.ⓔⓧⓐⓜⓟⓛⓔ", "evil example"],
    [
      "evil\u2024example evil\ufe52example evil\uff0eexample evil\uff61example",
      "evil example evil example evil example evil example",
    ],
    ["https\uff1a\uff0f\uff0f1\ufe522\ufe523\ufe524\uff0fx", "https 1.2.3.4 x"],
    ["a\uff20b \uff1cb\uff1e \uff3c\uff3chost", "a b b host"],
    ["evil.\u200bexample", "evil example"],
  ])("%j reads %j [completions.7.mail-inert]", (text, inert = text) => {
    expect(inertText(text)).toBe(inert);
  });
});
