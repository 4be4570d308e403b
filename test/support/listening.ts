import type { Server as HttpServer } from "node:http";
import type { Server } from "node:net";

/** Lets a server listen on a port of the system's choice, and returns its address. */
export async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("the server does not listen");
  return `http://127.0.0.1:${address.port}`;
}

/** Closes a server with all its connections. */
export async function closing(server: HttpServer): Promise<void> {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
}
