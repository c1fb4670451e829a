import { answerEndless, type Endless } from "./endless-erp.ts";
import { served } from "./served.ts";

/** An ERP of which something has no end; it is closed with the test. */
export async function endlessErp(endless: Endless): Promise<{ readonly url: string; readonly requests: URL[] }> {
  const requests: URL[] = [];
  const url = await served((request, response) => {
    const asked = new URL(request.url ?? "/", "http://erp");
    requests.push(asked);
    answerEndless(endless, asked, response);
  });
  return { url, requests };
}
