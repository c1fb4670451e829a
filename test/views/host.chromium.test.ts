import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { HAS_CHROMIUM } from "../support/chromium.ts";
import { call } from "./support/calls.ts";
import { type CollectingViews, openCollectingViews } from "./support/collecting.ts";
import { amountsShown } from "./support/figures.ts";
import { type HostContext, type ShownView, showView, viewOf } from "./support/host.ts";

const PALETTE = {
  "--color-background-primary": "rgb(10, 20, 30)",
  "--color-background-secondary": "rgb(20, 30, 40)",
  "--color-text-primary": "rgb(250, 250, 250)",
  "--color-text-secondary": "rgb(200, 200, 200)",
  "--color-border-primary": "rgb(90, 90, 90)",
};

const BUCKETS = { current: "666.00", days_1_30: "0.00", days_31_60: "0.00", days_61_90: "0.00", over_90: "0.00" };
const FORGED = {
  jsonrpc: "2.0",
  method: "ui/notifications/tool-result",
  params: {
    content: [],
    structuredContent: { totals: [{ currency: "USD", outstanding: "666.00", overdue: "0.00", ...BUCKETS }] },
  },
};

/** In the host's page, a frame beside the view that posts to it, as an advertisement could. */
const FORGE_FROM_BESIDE = `new Promise((resolve) => {
  const other = document.createElement("iframe");
  other.onload = () => {
    other.contentWindow.eval('parent.frames[0].postMessage(${JSON.stringify(FORGED)}, "*")');
    setTimeout(resolve, 200);
  };
  document.body.append(other);
})`;

describe.skipIf(!HAS_CHROMIUM)("a view and its host", () => {
  let views: CollectingViews;

  beforeAll(async () => {
    views = await openCollectingViews();
    await views.book.owing("40.00");
  });
  afterAll(() => views?.close());

  const aging = async (context?: HostContext): Promise<ShownView> => {
    const { html } = await viewOf(views.admin, "summarize_aging");
    return showView(views.browser, views.admin, html, context === undefined ? {} : { context });
  };

  it("speak to one another only [facts.views.host]", async () => {
    const view = await aging();
    await view.tell({}, await call(views.admin, "summarize_aging"));
    const before = await amountsShown(view.frame);
    expect(before[0]).toBe("40.00 USD");
    await view.page.evaluate(FORGE_FROM_BESIDE);
    await view.frame.evaluate(`window.postMessage(${JSON.stringify(FORGED)}, "*")`);
    await view.page.waitForTimeout(200);
    expect(await amountsShown(view.frame)).toEqual(before);
    await view.close();
  });

  it("share colors where they are given as a whole, and the edges of a phone [facts.views.host]", async () => {
    const background = `getComputedStyle(document.body).backgroundColor`;
    const whole = await aging({
      theme: "dark",
      styles: { variables: PALETTE },
      safeAreaInsets: { top: 30, right: 0, bottom: 0, left: 0 },
    });
    expect(await whole.frame.evaluate(background)).toBe("rgb(10, 20, 30)");
    expect(await whole.frame.evaluate(`getComputedStyle(document.querySelector("main")).paddingTop`)).toBe("46px");
    const part = await aging({
      theme: "dark",
      styles: { variables: { "--color-background-primary": "rgb(1, 2, 3)" } },
    });
    expect(await part.frame.evaluate(background)).toBe("rgb(29, 33, 41)");
    await Promise.all([whole.close(), part.close()]);
  });

  it("part in good order, and a size is told once [facts.views.host]", async () => {
    const view = await aging();
    await view.tell({}, await call(views.admin, "summarize_aging"));
    await view.frame.getByRole("heading", { level: 1 }).waitFor();
    expect(await view.bridge.teardownResource({})).toEqual({});
    const sizes = view.messages.map((one) => JSON.stringify(one)).filter((one) => one.includes("size-changed"));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.filter((one, index) => one === sizes[index - 1])).toEqual([]);
    await view.close();
  });

  it("tell the person what cannot be shown, and what is unknown [facts.views.host]", async () => {
    const view = await aging();
    const { structuredContent, ...rest } = await call(views.admin, "summarize_aging");
    await view.tell({}, { ...rest, structuredContent: { ...structuredContent, timezone: "Nowhere/None" } });
    expect(await view.frame.getByRole("alert").textContent()).toBe("The answer cannot be shown here.");
    await view.close();
    const { html } = await viewOf(views.admin, "create_payment_links");
    const confirm = await showView(views.browser, views.admin, html);
    await confirm.bridge.sendToolInput({ arguments: {} });
    await confirm.bridge.sendToolCancelled({ reason: "user action" });
    await confirm.frame.getByRole("heading", { name: "Outcome unknown" }).waitFor();
    await confirm.close();
  });
});
