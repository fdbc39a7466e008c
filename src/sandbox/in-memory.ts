/**
 * The sandbox behind the client's transport ports, without sockets. Requests and frames arrive in a later turn, so
 * nothing is re-entrant.
 */
import type {
  Clock,
  HttpResult,
  HttpTransport,
  PreparedRequest,
  SocketConnection,
  SocketHandlers,
  SocketTransport,
} from '../model/ports.ts';
import type { SocketClient } from './sockets/client-frames.ts';
import type { SandboxOptions } from './options.ts';
import { accessTo, Sandbox, type SandboxAccess } from './sandbox.ts';
import type { ServerConnection } from './sockets/socket-session.ts';
import { SOCKET_PATH } from './sockets/socket-server.ts';

export interface InMemorySandbox extends SandboxAccess {
  readonly http: HttpTransport;
  readonly sockets: SocketTransport;
  stop(): void;
}

const ADDRESS = '127.0.0.1';
const HOST = 'sandbox.invalid';

export function createInMemorySandbox(options: SandboxOptions): InMemorySandbox {
  const sandbox = new Sandbox(options);
  sandbox.start();
  const { clock } = options;
  return {
    ...accessTo(sandbox, HOST),
    http: httpTransport(sandbox, clock),
    sockets: { connect: (url, handlers) => connect(sandbox, clock, url, handlers) } satisfies SocketTransport,
    stop: () => sandbox.stop(),
  };
}

function httpTransport(sandbox: Sandbox, clock: Clock): HttpTransport {
  return {
    request(request, deadlineMs, done) {
      let finished = false;
      const finish = (result: HttpResult): void => {
        if (finished) return;
        finished = true;
        cancelDeadline();
        done(result);
      };
      const cancelDeadline = clock.after(deadlineMs, () => finish({ kind: 'unknown', reason: 'deadline' }));
      clock.after(0, () => deliver(sandbox, request, finish));
    },
    close: () => Promise.resolve(),
  };
}

function deliver(sandbox: Sandbox, request: PreparedRequest, finish: (result: HttpResult) => void): void {
  const url = new URL(request.url);
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  sandbox.handle(
    {
      method: request.method,
      target: request.url.slice(url.origin.length),
      headers,
      body: Buffer.from(request.body, 'utf8'),
      address: ADDRESS,
    },
    (reply) => {
      if (reply === null) finish({ kind: 'unknown', reason: 'the connection was closed' });
      else finish({ kind: 'response', status: reply.status, headers: reply.headers, body: reply.body });
    },
  );
}

/** Undefined for another path or an invalid P2P token. */
function attach(sandbox: Sandbox, server: ServerConnection, { pathname, searchParams }: URL): SocketClient | undefined {
  if (pathname === SOCKET_PATH) return sandbox.hub.attach(server, ADDRESS);
  const { path, tokenParameter } = sandbox.settings.p2pSocket;
  return pathname === path ? sandbox.p2pHub.attach(server, searchParams.get(tokenParameter) ?? '') : undefined;
}

function connect(sandbox: Sandbox, clock: Clock, url: string, handlers: SocketHandlers): SocketConnection {
  let open = false;
  let over = false;
  const end = (code: number, reason: string): void => {
    if (over) return;
    over = true;
    open = false;
    clock.after(0, () => handlers.close(code, reason));
  };
  const server: ServerConnection = {
    send(text) {
      clock.after(0, () => {
        if (open) handlers.message(text);
      });
    },
    bufferedBytes: 0,
    close: end,
    terminate: () => end(1006, 'terminated'),
  };
  let session: SocketClient | undefined;
  clock.after(0, () => {
    if (over) return;
    session = attach(sandbox, server, new URL(url));
    if (session === undefined) {
      end(1006, 'refused');
      return;
    }
    open = true;
    handlers.open();
  });
  const leave = (code: number, reason: string) => (): void => {
    session?.ended();
    end(code, reason);
  };
  return {
    send(text, sent) {
      if (!open) {
        sent?.(false);
        return;
      }
      clock.after(0, () => session?.receive(text));
      sent?.(true);
    },
    bufferedBytes: 0,
    close: leave(1000, ''),
    terminate: leave(1006, 'terminated'),
  };
}
