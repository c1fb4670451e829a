import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { answerEndless, type Endless } from "./endless-erp.ts";

/** An ERP of which something has no end; it is closed with the test. */
export async function endlessErp(endless: Endless): Promise<{ readonly url: string; readonly requests: URL[] }> {
  const requests: URL[] = [];
  const erp = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://erp");
    requests.push(url);
    answerEndless(endless, url, response);
  });
  await new Promise<void>((resolve) => erp.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    erp.closeAllConnections();
    erp.close();
  });
  const address = erp.address();
  return { url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`, requests };
}
