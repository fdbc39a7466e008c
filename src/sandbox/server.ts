/** The sandbox on loopback. It listens, with filled books, before it resolves. */
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { messageOf } from '../model/errors.ts';
import { sandboxErrors } from './errors.ts';
import { createHttpServer } from './http-server.ts';
import type { SandboxOptions } from './options.ts';
import { accessTo, Sandbox, type SandboxAccess } from './sandbox.ts';
import { attachSocketServer } from './sockets/socket-server.ts';

export interface ListenOptions extends SandboxOptions {
  /** Default 0: any free port. */
  readonly port?: number | undefined;
}

export interface RunningSandbox extends SandboxAccess {
  readonly port: number;
  /** Idempotent. */
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';

/** Throws `sandbox_port_in_use`, `sandbox_listen_failed` or `sandbox_bad_option`. */
export async function startSandbox(options: ListenOptions): Promise<RunningSandbox> {
  const port = options.port ?? 0;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw sandboxErrors.make('sandbox_bad_option', `port ${port} is not an integer from 0 to 65535`, { port });
  }
  const sandbox = new Sandbox(options);
  const server = createHttpServer(sandbox);
  const sockets = attachSocketServer(server, sandbox);
  try {
    await listen(server, port);
    sandbox.start();
  } catch (thrown) {
    sandbox.stop();
    server.close();
    throw thrown;
  }
  const { port: given } = server.address() as AddressInfo;
  let stopping: Promise<void> | undefined;
  return {
    ...accessTo(sandbox, `${HOST}:${given}`),
    port: given,
    stop() {
      stopping ??= new Promise((resolve) => {
        sandbox.stop();
        for (const client of sockets.clients) client.terminate();
        server.close(() => resolve());
        server.closeAllConnections();
      });
      return stopping;
    },
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const code = error.code === 'EADDRINUSE' ? 'sandbox_port_in_use' : 'sandbox_listen_failed';
      reject(sandboxErrors.make(code, `cannot listen on ${HOST}:${port}: ${messageOf(error)}`, { port }, error));
    });
    server.listen(port, HOST, resolve);
  });
}
