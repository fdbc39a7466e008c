/**
 * The whole live stack with its frames open to us: the process of the fault simulator in a calm world. Frames that it
 * receives are kept as material, and others can be put into the same sockets in their place, while time stands still.
 */
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import type { HttpResult, PreparedRequest } from '../../src/model/ports.ts';
import { seededRandom } from '../../src/model/random.ts';
import { CalmNetwork } from '../long/calm-network.ts';
import { CensusClock } from '../long/census-clock.ts';
import { Market } from '../long/market.ts';
import { busy } from '../long/strategies.ts';
import { Process } from '../simulation/world/process.ts';
import { SimulatedTime } from '../simulation/world/simulated-time.ts';

const START_MS = Date.UTC(2026, 0, 1);
const MARKET_MOVES_MS = 700;
/** Of each channel, so that rare ones are as likely as busy ones. */
const KEPT_PER_CHANNEL = 40;

export interface Frame {
  readonly channel: string;
  readonly text: string;
  /** Which of the sockets received it, in order of their connecting. */
  readonly socket: number;
}

export interface Body {
  readonly method: string;
  readonly path: string;
  readonly status: number;
  readonly text: string;
}

export class Stack {
  /** By `METHOD path`. */
  readonly #bodies = new Map<string, Body[]>();
  readonly #frames = new Map<string, Frame[]>();
  exit: string | null = null;
  readonly #time = new SimulatedTime(START_MS);
  readonly #venue: Market;
  readonly #network: CalmNetwork;
  readonly #process: Process;

  constructor(seed: number) {
    const { clock } = this.#time;
    const random = seededRandom(seed).fork('fuzz');
    this.#venue = new Market(clock, seed);
    const census = new CensusClock(clock);
    this.#network = new CalmNetwork({
      clock: census,
      sandbox: this.#venue.sandbox,
      isOut: () => false,
      onAnswer: (request, result) => this.#keepBody(request, result),
      onFrame: (socket, text) => this.#keepFrame(socket, text),
    });
    this.#process = new Process({
      clock: census,
      http: this.#network,
      sockets: this.#network,
      journal: createMemoryJournal(),
      random,
      user: this.#venue.user,
      clientOrderIds: true,
      strategies: [busy],
      bootId: `fuzz${seed}`,
      onExit: (reason) => {
        this.exit ??= reason;
      },
    });
    clock.every(MARKET_MOVES_MS, () => this.#venue.move());
  }

  async runSeconds(seconds: number): Promise<void> {
    await this.#time.runTo(this.#time.clock.nowUs() + seconds * 1e6, () => {});
  }

  get frames(): readonly Frame[] {
    return [...this.#frames.values()].flat();
  }

  get bodies(): readonly Body[] {
    return [...this.#bodies.values()].flat();
  }

  /** As if the socket had received it. */
  receive(socket: number, text: string): void {
    this.#network.handlers.get(socket)?.message(text);
  }

  get executor() {
    const executor = this.#process.engine?.executor;
    if (executor === undefined) throw new Error(`the process does not run: ${this.exit ?? 'not started'}`);
    return executor;
  }

  close(): void {
    // A strategy that dies with its process is never taken off the list of those that live in this thread.
    this.#process.engine?.stopStrategies('signal');
    this.#process.bury();
    this.#venue.sandbox.stop();
  }

  #keepBody({ method, url }: PreparedRequest, result: HttpResult): void {
    if (result.kind !== 'response') return;
    const { pathname } = new URL(url);
    keep(this.#bodies, `${method} ${pathname}`, { method, path: pathname, status: result.status, text: result.body });
  }

  #keepFrame(socket: number, text: string): void {
    const channel = /^\{"channel":"([^"]+)"/.exec(text)?.[1] ?? `control ${/"method":"(\w+)"/.exec(text)?.[1] ?? ''}`;
    keep(this.#frames, channel, { channel, text, socket });
  }
}

function keep<T>(into: Map<string, T[]>, name: string, item: T): void {
  const kept = into.get(name);
  if (kept === undefined) into.set(name, [item]);
  else if (kept.length < KEPT_PER_CHANNEL) kept.push(item);
}
