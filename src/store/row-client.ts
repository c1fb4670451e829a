import { Readable } from "node:stream";
import pg from "pg";
import { parse } from "pg-protocol";
import { RowReader, type RowShape, type RowValues } from "./row-reader.ts";
import { ServerClient, type Whereabouts } from "./server-client.ts";
import { unavailableFrom } from "./unavailable.ts";

/** A client that has rows read by {@link RowReader}, which takes a quarter of the time, and all else by `pg`. */
export class RowClient extends ServerClient {
  constructor(config?: pg.ClientConfig, server?: Whereabouts) {
    super(config, server);
    const { connection } = this;
    const attachListeners = (stream: Readable): void => {
      const others = new Readable({ read: () => undefined });
      void parse(others, (message) => {
        connection.emit(message.name === "error" ? "errorMessage" : message.name, message);
      });
      const reader = new RowReader({
        shape: (shape) => connection.emit("rowDescription", shape),
        row: (fields) => connection.emit("dataRow", { fields }),
        others: (messages) => others.emit("data", messages),
      });
      stream.on("data", (bytes: Buffer) => reader.read(bytes));
    };
    // Where a connection of pg's begins to listen to its socket, or to what TLS makes of it.
    Object.assign(connection, { attachListeners });
  }
}

/** A statement's text, and its name where a connection is to know it from then on. */
interface Statement {
  readonly text: string;
  readonly name?: string | undefined;
}

/** What a statement answered. */
export type Answer<R> = Pick<pg.QueryResult, "command" | "rowCount"> & { rows: R[] };

/** Sends one statement over a {@link RowClient}. */
export function ask<R>(client: pg.ClientBase, statement: Statement, values: readonly unknown[]): Promise<Answer<R>> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer<R>>();
  const query: RowQuery = new RowQuery(statement, values, (error, result) => {
    // An answer's absence is null or undefined.
    if (error) return reject(unavailableFrom(error));
    if (query.failure !== undefined) return reject(query.failure);
    result.rows = query.found;
    resolve(result);
  });
  client.query(query);
  return promise;
}

/** Makes the rows of its answer itself. */
class RowQuery extends pg.Query {
  /** Under which the connection knows the statement. */
  readonly name: string | undefined;
  readonly found: object[] = [];
  /** Why a value could not be read. */
  failure: Error | undefined;
  #shape: RowShape | undefined;

  constructor(
    { text, name }: Statement,
    values: readonly unknown[],
    answered: (error: Error | undefined, result: pg.ResultBuilder) => void,
  ) {
    // A name is set by itself: pg copies what comes as one object, which costs as much as sending it.
    super(text, [...values], answered);
    this.name = name;
  }

  /** Called by the client, as is what follows. */
  handleRowDescription(shape: RowShape): void {
    this.#shape = shape;
  }

  handleDataRow({ fields }: { fields: RowValues }): void {
    try {
      if (this.#shape === undefined) throw new Error("a row came before its description");
      this.found.push(this.#shape.rowOf(fields));
    } catch (error) {
      this.failure = error instanceof Error ? error : new Error(String(error));
    }
  }
}
