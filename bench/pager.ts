/** A client on a thread of its own: asks for page after page of each query, so that its work is not the server's. */
import { once } from "node:events";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { z } from "zod";

const Page = z.object({ pagination: z.object({ next_cursor: z.string().nullable() }) });

interface Pages {
  url: string;
  authorization: string;
  calls: number;
}

/** Asks for so many pages of a list, one at a time, from the start again at its end. Rejects unless all answer 200. */
export async function askForPages(pages: Pages): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), { workerData: pages });
  const [code] = await once(worker, "exit");
  if (code !== 0) throw new Error(`the pages of ${pages.url} were not answered`);
}

async function ask({ url, authorization, calls }: Pages): Promise<void> {
  let cursor: string | null = null;
  for (let call = 0; call < calls; call += 1) {
    const address: string = cursor === null ? url : `${url}&cursor=${cursor}`;
    const response: Response = await fetch(address, { headers: { authorization } });
    if (response.status !== 200) throw new Error(`${url}: ${await response.text()}`);
    cursor = Page.parse(await response.json()).pagination.next_cursor;
  }
}

if (parentPort !== null) await ask(workerData);
