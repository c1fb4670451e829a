import { expect, it } from "vitest";
import { html } from "../../src/web/kit/html.ts";

it("markup escapes whatever is put in, and nothing twice", () => {
  const name = `<b>"O'Neil" & sons</b>`;
  expect(html`<p title="${name}">${html`<i>${name}</i>`}${[1, null, false, undefined, "&"]}</p>`.text).toBe(
    '<p title="&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;"><i>&lt;b&gt;&quot;O&#39;Neil&quot; &amp; sons&lt;/b&gt;</i>1&amp;</p>',
  );
});
