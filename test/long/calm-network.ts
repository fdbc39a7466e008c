/**
 * Requests and frames between a process and the sandbox of its world: a few milliseconds each way, in order, and nothing
 * lost unless the whole network is out. What is received can be looked at before it is handed over.
 */
import type {
  Clock,
  HttpResult,
  HttpTransport,
  PreparedRequest,
  SocketConnection,
  SocketHandlers,
  SocketTransport,
} from '../../src/model/ports.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { Reply } from '../../src/sandbox/reply.ts';

const ADDRESS = '127.0.0.1';
const LATENCY_MS = 5;

export interface CalmWorld {
  readonly clock: Clock;
  readonly sandbox: Sandbox;
  readonly isOut: () => boolean;
  readonly onAnswer?: (request: PreparedRequest, result: HttpResult) => void;
  readonly onFrame?: (socket: number, text: string) => void;
}

export class CalmNetwork implements HttpTransport, SocketTransport {
  /** Of each socket in order of its connecting, until it ends. */
  readonly handlers = new Map<number, SocketHandlers>();
  readonly #world: CalmWorld;
  readonly #links = new Set<CalmLink>();
  #count = 0;

  constructor(world: CalmWorld) {
    this.#world = world;
  }

  get openSockets(): number {
    return this.#links.size;
  }

  connect(_url: string, handlers: SocketHandlers): SocketConnection {
    const socket = this.#count++;
    this.handlers.set(socket, handlers);
    const link = new CalmLink(this.#world, socket, handlers, () => {
      this.handlers.delete(socket);
      this.#links.delete(link);
    });
    this.#links.add(link);
    link.begin();
    return link;
  }

  abandon(): void {
    for (const link of this.#links) link.terminate();
  }

  request(request: PreparedRequest, deadlineMs: number, done: (result: HttpResult) => void): void {
    const { clock, isOut, sandbox, onAnswer } = this.#world;
    let isOver = false;
    const end = (result: HttpResult): void => {
      if (isOver) return;
      isOver = true;
      disarm();
      onAnswer?.(request, result);
      done(result);
    };
    const disarm = clock.after(deadlineMs, () => end({ kind: 'unknown', reason: 'no whole answer' }));
    if (isOut()) return;
    clock.after(LATENCY_MS, () => {
      const { origin } = new URL(request.url);
      const headers = Object.fromEntries(
        Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
      );
      const target = request.url.slice(origin.length);
      const body = Buffer.from(request.body, 'utf8');
      sandbox.handle({ method: request.method, target, headers, body, address: ADDRESS }, (reply) => {
        clock.after(LATENCY_MS, () => end(resultOf(reply)));
      });
    });
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

function resultOf(reply: Reply | null): HttpResult {
  if (reply === null) return { kind: 'unknown', reason: 'ECONNRESET' };
  return { kind: 'response', status: reply.status, headers: reply.headers, body: reply.body };
}

class CalmLink implements SocketConnection {
  readonly bufferedBytes = 0;
  readonly #world: CalmWorld;
  readonly #socket: number;
  readonly #handlers: SocketHandlers;
  readonly #gone: () => void;
  #session: ReturnType<Sandbox['hub']['attach']>;
  #isOpen = false;
  #isOver = false;

  constructor(world: CalmWorld, socket: number, handlers: SocketHandlers, gone: () => void) {
    this.#world = world;
    this.#socket = socket;
    this.#handlers = handlers;
    this.#gone = gone;
  }

  begin(): void {
    const { clock, sandbox, isOut } = this.#world;
    clock.after(LATENCY_MS, () => {
      if (this.#isOver) return;
      if (!isOut()) {
        this.#session = sandbox.hub.attach(
          {
            send: (text) => this.#down(text),
            bufferedBytes: 0,
            close: (code, reason) => this.#end(code, reason),
            terminate: () => this.#end(1006, 'terminated'),
          },
          ADDRESS,
        );
      }
      if (this.#session === undefined) {
        this.#end(1006, 'refused');
        return;
      }
      this.#isOpen = true;
      this.#handlers.open();
    });
  }

  send(text: string, sent?: (ok: boolean) => void): void {
    sent?.(this.#isOpen);
    if (!this.#isOpen) return;
    this.#world.clock.after(LATENCY_MS, () => {
      if (!this.#world.isOut()) this.#session?.receive(text);
    });
  }

  close(): void {
    this.#leave(1000);
  }

  terminate(): void {
    this.#leave(1006);
  }

  #down(text: string): void {
    const { clock, isOut, onFrame } = this.#world;
    if (isOut()) return;
    clock.after(LATENCY_MS, () => {
      if (!this.#isOpen) return;
      onFrame?.(this.#socket, text);
      this.#handlers.message(text);
    });
  }

  #leave(code: number): void {
    this.#session?.ended();
    this.#end(code, '');
  }

  #end(code: number, reason: string): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#isOpen = false;
    this.#gone();
    this.#world.clock.after(0, () => this.#handlers.close(code, reason));
  }
}
