import { expect, test } from "vitest";
import { idOf, invoices, simulator } from "../support.ts";
import { get, INVOICES, post, RECEIPTS } from "./client.ts";

async function tenant() {
  const { url } = await simulator({ credentials: undefined, invoices: invoices(1, 3) });
  const control = (body: unknown) =>
    fetch(`${url}/_control`, { method: "POST", body: typeof body === "string" ? body : JSON.stringify(body) });
  const status = () => get(url, INVOICES).then((answer) => answer.status);
  return { url, control, status };
}

test.each(["401", "403", "404", "429", "500", "503"])("mode %s answers so until it is ok again", async (mode) => {
  const { control, status } = await tenant();
  expect((await control({ mode })).status).toBe(200);
  expect([await status(), await status()]).toEqual([Number(mode), Number(mode)]);
  await control({ mode: "ok" });
  expect(await status()).toBe(200);
});

test("mode drop cuts the connection", async () => {
  const { control, status } = await tenant();
  await control({ mode: "drop" });
  await expect(status()).rejects.toThrow("fetch failed");
});

test("mode cut cuts it amid the answer", async () => {
  const { url, control } = await tenant();
  await control({ mode: "cut" });
  const response = await fetch(`${url}${INVOICES}`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow();
});

test("mode hang answers nothing", async () => {
  const { url, control } = await tenant();
  await control({ mode: "hang" });
  await expect(fetch(`${url}${INVOICES}`, { signal: AbortSignal.timeout(100) })).rejects.toThrow("timeout");
});

test("after and times say which requests fail", async () => {
  const { control, status } = await tenant();
  await control({ mode: "500", after: 1, times: 2 });
  expect([await status(), await status(), await status(), await status()]).toEqual([200, 500, 500, 200]);
});

test("retry_after and latency_ms", async () => {
  const { url, control } = await tenant();
  await control({ mode: "429", retry_after: 7, latency_ms: 60 });
  const start = performance.now();
  const response = await fetch(`${url}${INVOICES}`);
  expect(response.headers.get("retry-after")).toBe("7");
  expect(performance.now() - start).toBeGreaterThan(55);
});

test("control needs no credentials, and refuses what it does not know", async () => {
  const erp = await simulator();
  expect((await fetch(`${erp.url}/_control`, { method: "POST", body: '{"mode":"ok"}' })).status).toBe(200);
  const { url, control, status } = await tenant();
  for (const body of [{ mode: "explode" }, { mode: "ok", extra: 1 }, "no json", "x".repeat(20_000)]) {
    expect((await control(body)).status).toBe(400);
  }
  expect((await fetch(`${url}/_control`)).status).toBe(405);
  expect(await status()).toBe(200);
});

test("resource, method and action say which requests fail; others do not count", async () => {
  const { url, control, status } = await tenant();
  const receipts = () => get(url, RECEIPTS).then((answer) => answer.status);
  await control({ mode: "500", resource: "standardReceipts", after: 1, times: 1 });
  expect([await status(), await receipts(), await status(), await receipts(), await receipts()]).toEqual([
    200, 200, 200, 500, 200,
  ]);
  await control({ mode: "503", resource: "standardReceipts", method: "POST" });
  expect([await receipts(), (await post(url, RECEIPTS, {})).status]).toEqual([200, 503]);
  await control({ mode: "403", action: "applyReceipt" });
  const acting = (name: string) => post(url, `${RECEIPTS}/1/action/${name}`, {}).then((answer) => answer.status);
  expect([await acting("reverseReceipt"), await acting("applyReceipt"), await receipts()]).toEqual([415, 403, 200]);
});

test.each([
  [{ mode: "drop" }, 0],
  [{ mode: "500" }, 0],
  [{ mode: "drop", when: "after-effect" }, 1],
  [{ mode: "500", when: "after-effect" }, 1],
  [{ mode: "hang", when: "after-effect" }, 1],
  [{ mode: "cut" }, 1],
] as const)("after %j so many receipts are there: %i", async (mode, there) => {
  const erp = await simulator({ credentials: undefined, invoices: invoices(1, 1) });
  erp.control({ ...mode, resource: "standardReceipts", method: "POST", times: 1 });
  const sent = {
    ReceiptNumber: "R-1",
    ReceiptMethod: "Stripe",
    BusinessUnit: "Vision Operations",
    Amount: 1,
    Currency: "USD",
    ReceiptDate: "2026-11-20",
  };
  const answering = fetch(`${erp.url}${RECEIPTS}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(sent),
    signal: AbortSignal.timeout(mode.mode === "hang" ? 150 : 30_000),
  }).then(async (response) => ({ status: response.status, text: await response.text() }));
  if (mode.mode === "500") expect((await answering).status).toBe(500);
  else await expect(answering).rejects.toThrow();
  await expect.poll(() => erp.receipts).toHaveLength(there);
});

test("what follows an effect may come late, too", async () => {
  const erp = await simulator({ credentials: undefined, invoices: invoices(1, 1) });
  erp.control({ mode: "ok", when: "after-effect", latency_ms: 60 });
  const start = performance.now();
  expect((await get(erp.url, INVOICES)).status).toBe(200);
  expect(performance.now() - start).toBeGreaterThan(55);
});

test("mode refuse answers what Fusion documents, its wordings in turn, or any code and text", async () => {
  const { url, control } = await tenant();
  const creating = () => post(url, RECEIPTS, {}).then(({ status, text }) => [status, text] as const);
  await control({ mode: "refuse", refusal: "closed_period", resource: "standardReceipts", method: "POST" });
  const said = new Set<string>();
  for (let count = 0; count < 4; count += 1) {
    const [status, text] = await creating();
    expect(status).toBe(400);
    expect(text).toMatch(/period/);
    said.add(text);
  }
  expect(said.size).toBe(4);
  await control({ mode: "refuse", refusal: "currency" });
  expect((await creating())[1]).toContain("AR_RAPI_CURR_CODE_INVALID");
  await control({ mode: "refuse", code: "AR_OWN", detail: "Our own words." });
  expect((await creating())[1]).toMatch(/Our own words\..*AR_OWN/);
  expect((await control({ mode: "refuse", refusal: "no such" })).status).toBe(400);
});

test("the ERP's users enter receipts, reverse them and close periods by requests of their own [facts.fusion.office]", async () => {
  const erp = await simulator({ credentials: undefined, invoices: invoices(1, 1) });
  const act = (name: string, body: unknown) =>
    fetch(`${erp.url}/_${name}`, { method: "POST", body: JSON.stringify(body) }).then(async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
  const entered = await act("enter-receipt", { invoice: "INV-1", amount: "250.5", number: "CHK-1" });
  expect(entered.status).toBe(201);
  expect(erp.receipts).toMatchObject([{ receiptNumber: "CHK-1", amount: "250.5", state: "Applied" }]);
  const balance = async () => {
    const path = `${INVOICES}/${idOf(1)}/child/receivablesInvoiceInstallments`;
    return (await get(erp.url, path)).body.items?.[0]?.InstallmentBalanceDue;
  };
  expect(await balance()).toBe("1000");
  expect((await act("reverse-receipt", { number: "CHK-1", category: "NSF" })).status).toBe(200);
  expect(await balance()).toBe("1250.5");
  expect(erp.receipts).toMatchObject([{ state: "NSF" }]);

  const sent = {
    ReceiptNumber: "R-1",
    ReceiptMethod: "Stripe",
    BusinessUnit: "Vision Operations",
    Amount: 1,
    Currency: "USD",
    ReceiptDate: "2026-10-31",
    CustomerAccountNumber: "1006",
  };
  expect((await act("close-periods", { closed_through: "2026-10-31" })).status).toBe(200);
  expect((await post(erp.url, RECEIPTS, sent)).status).toBe(400);
  expect((await post(erp.url, RECEIPTS, { ...sent, ReceiptDate: "2026-11-01" })).status).toBe(201);
  expect((await act("close-periods", { closed_through: null })).status).toBe(200);
  expect((await post(erp.url, RECEIPTS, sent)).status).toBe(201);

  for (const [name, body, status] of [
    ["enter-receipt", { invoice: "INV-9", amount: "1", number: "CHK-2" }, 400],
    ["enter-receipt", { invoice: "INV-1", amount: "-1", number: "CHK-2" }, 400],
    ["reverse-receipt", { number: "CHK-9" }, 404],
    ["nothing", {}, 404],
  ] as const)
    expect((await act(name, body)).status, name).toBe(status);
  expect((await fetch(`${erp.url}/_enter-receipt`)).status).toBe(405);
});
