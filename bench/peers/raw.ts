/** Plain node:http that answers every request with the same bytes, those of the file it is given. */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";

const body = readFileSync(process.env.BODY ?? "");
const headers = { "Content-Type": "application/json", "Content-Length": body.byteLength };
const server = createServer((request, response) => {
  request.resume().once("end", () => response.writeHead(200, headers).end(body));
});
server.listen(Number(process.env.PORT), "127.0.0.1", () => process.stdout.write("is ready\n"));
