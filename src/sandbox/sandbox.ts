/**
 * The sandbox without transports.
 *
 *   request ─▶ faults ─▶ control | api ─▶ core ─▶ publisher ─▶ hub ─▶ sessions
 *   driver  ───────────▶ operate ───────▶ core ─▶ publisher ─▶ hub ─▶ sessions
 *
 * Exchange time = port clock + advanced time, whole ms, never backwards. Idle closes and the market use the port clock.
 */
import { silentLogger, type Cancel, type Clock, type Logger, type Random } from '../model/ports.ts';
import { messageOf } from '../model/errors.ts';
import { seededRandom } from '../model/random.ts';
import { handleRequest, pathOf, type ApiPorts } from './api.ts';
import type { SandboxRequest } from './authentication.ts';
import { handleControl, isControlPath, type ControlPorts } from './control.ts';
import { Exchange } from './core/exchange.ts';
import { refuse } from './core/refusal.ts';
import type { UserCredentials } from './core/identity/users.ts';
import { Faults, type FaultRule } from './faults.ts';
import type { DrivenExchange, MarketDriver } from './market/driver.ts';
import { sandboxSettings, type SandboxOptions, type SandboxSettings } from './options.ts';
import { P2pHub } from './sockets/p2p-hub.ts';
import { Publisher, createTopic, type Topic } from './sockets/publisher.ts';
import { errorReply, internalErrorReply, rateLimitedReply, refusalReply, type Reply } from './reply.ts';
import type { RouteShell } from './routes/route.ts';
import { SocketHub } from './sockets/socket-hub.ts';
import type { HubPorts } from './sockets/hub-ports.ts';
import { syntheticMarket } from './synthetic-market.ts';

const SECOND_MS = 1000;
const TIMER_LOOK_MS = 60_000;

/** Null: the connection dies without an answer. */
export type Respond = (reply: Reply | null) => void;

export interface SandboxAccess {
  readonly sandbox: Sandbox;
  readonly users: readonly UserCredentials[];
  readonly restUrl: string;
  readonly gatewayUrl: string;
  readonly wsUrl: string;
  /** As `POST /sandbox/clock`. */
  advance(ms: number): void;
}

/** `host`: with port. */
export function accessTo(sandbox: Sandbox, host: string): SandboxAccess {
  const restUrl = `http://${host}`;
  const urls = { restUrl, gatewayUrl: restUrl, wsUrl: `ws://${host}` };
  return { sandbox, users: sandbox.users, ...urls, advance: (ms) => sandbox.advance(ms) };
}

export class Sandbox implements ControlPorts, HubPorts {
  readonly exchange: Exchange;
  readonly settings: SandboxSettings;
  readonly users: readonly UserCredentials[];
  readonly hub: SocketHub;
  readonly p2pHub: P2pHub;
  readonly logger: Logger;
  readonly faults: Faults;
  readonly #clock: Clock;
  readonly #random: Random;
  readonly #publisher: Publisher;
  readonly #api: ApiPorts;
  readonly #driver: MarketDriver | null;
  readonly #keyRandom: Random;
  #advancedMs = 0;
  #latestMs = 0;
  #cancelSecond: Cancel = () => {};
  #cancelTimer: Cancel = () => {};
  #armedFor: number | undefined = undefined;

  constructor(options: SandboxOptions) {
    this.settings = sandboxSettings(options);
    const { assumed, clock, seed, clientOrderIds } = this.settings;
    this.#clock = clock;
    this.logger = options.logger ?? silentLogger;
    this.#random = seededRandom(seed);
    this.#keyRandom = this.#random.fork('keys');
    this.faults = new Faults(this.#random.fork('faults'));
    const { instruments } = options;
    this.exchange = new Exchange({ assumed, seed, startMs: this.now(), clientOrderIds, instruments });
    this.users = this.exchange.users;
    this.hub = new SocketHub(this);
    this.p2pHub = new P2pHub(this);
    this.#publisher = new Publisher(this.exchange, this.settings.channels, this.hub);
    this.#api = { endpoints: this.settings.endpoints, shell: this.#shell(), logger: this.logger };
    this.#driver = driverOf(options.market ?? 'synthetic');
  }

  /** Exchange time, Unix ms. */
  now(): number {
    this.#latestMs = Math.max(this.#latestMs, Math.floor(this.#clock.now() + this.#advancedMs));
    return this.#latestMs;
  }

  start(): void {
    const driven: DrivenExchange = {
      exchange: this.exchange,
      clock: this.#clock,
      random: this.#random.fork('market'),
      operate: (run) => this.operate(run),
    };
    this.#driver?.start(driven);
    this.#everySecond();
    this.#cancelSecond = this.#clock.every(SECOND_MS, () => this.#everySecond());
    this.#armTimers();
  }

  stop(): void {
    this.#driver?.stop();
    this.#cancelSecond();
    this.#cancelTimer();
    this.hub.stop();
    this.p2pHub.stop();
  }

  /** Fires due timers, runs the operation and publishes its changes. */
  operate(run: (now: number) => void): void {
    const now = this.now();
    this.exchange.timers.fire(now);
    run(now);
    this.exchange.futures.check(now);
    this.#publisher.flush(now);
  }

  /** Fires each due timer at its own time. */
  advance(ms: number): void {
    const target = this.now() + ms;
    for (;;) {
      const due = this.exchange.timers.nextDue;
      if (due === undefined || due > target) break;
      this.#advancedMs += Math.max(0, due - this.now());
      this.operate(() => {});
    }
    this.#advancedMs += Math.max(0, target - this.now());
    this.hub.expelDeadKeys();
    this.#armTimers();
  }

  /** Replaces all rules; channel disconnects act at once. */
  setFaults(rules: readonly FaultRule[]): void {
    this.faults.set(rules);
    for (const pattern of this.faults.takeDisconnects()) this.hub.disconnect(pattern);
  }

  handle(request: SandboxRequest, respond: Respond): void {
    const path = pathOf(request.target);
    if (isControlPath(path)) {
      respond(this.#perform(request, path));
      return;
    }
    const rule = this.faults.forRequest(request.method, path);
    if (rule === undefined) respond(this.#answer(request, path));
    else if (rule.fault === 'status') respond(errorReply(rule.status, 'fault', 'an injected fault'));
    else if (rule.fault === 'rateLimit') respond(rateLimitedReply(rule.ms));
    else if (rule.fault === 'delay') this.#clock.after(rule.ms, () => respond(this.#answer(request, path)));
    else if (rule.fault === 'falseCancel') respond(this.#answer({ ...request, cancelsNothing: true }, path));
    else if (rule.fault === 'falseRefusal') {
      this.#perform(request, path);
      respond(refusalReply(refuse('insufficient_balance', 'an injected fault')));
    } else {
      if (rule.fault === 'dropAfterEffect') this.#perform(request, path);
      respond(null);
    }
  }

  /** A number is an HTTP status. */
  admit(request: SandboxRequest, answer: (admission: 'go' | 'drop' | number) => void): void {
    const rule = this.faults.forRequest(request.method, pathOf(request.target));
    if (rule === undefined) answer('go');
    else if (rule.fault === 'delay') this.#clock.after(rule.ms, () => answer('go'));
    else if (rule.fault === 'status') answer(rule.status);
    else if (rule.fault === 'rateLimit') answer(429);
    else answer('drop');
  }

  snapshot(topic: Topic): string | undefined {
    return this.#publisher.snapshot(topic, this.now());
  }

  #answer(request: SandboxRequest, path: string): Reply {
    const reply = this.#perform(request, path);
    const body = this.faults.answerTold(request.method, path, reply.body);
    return body === reply.body ? reply : { ...reply, body };
  }

  #perform(request: SandboxRequest, path: string): Reply {
    try {
      if (isControlPath(path)) return handleControl(this, request, path);
      let reply = internalErrorReply();
      this.operate((now) => {
        reply = handleRequest(this.#api, request, now);
      });
      if (this.exchange.timers.nextDue !== this.#armedFor) this.#armTimers();
      return reply;
    } catch (thrown) {
      this.logger.error({ method: request.method, path, error: messageOf(thrown) }, 'operation failed');
      return internalErrorReply();
    }
  }

  #everySecond(): void {
    this.operate(() => {
      for (const perpetual of this.exchange.futures.perpetuals.values()) perpetual.observe();
    });
    this.#publisher.everySecond(this.now());
  }

  #armTimers(): void {
    this.#cancelTimer();
    const due = this.exchange.timers.nextDue;
    this.#armedFor = due;
    const delayMs = due === undefined ? TIMER_LOOK_MS : Math.min(TIMER_LOOK_MS, due - this.now());
    this.#cancelTimer = this.#clock.after(delayMs, () => {
      this.operate(() => {});
      this.#armTimers();
    });
  }

  #shell(): RouteShell {
    return {
      exchange: this.exchange,
      depthSeq: (symbol) => this.#publisher.seq(createTopic(this.settings.channels.name('depth', symbol), null)),
      randomHex: () => Array.from({ length: 64 }, () => Math.floor(this.#keyRandom.next() * 16).toString(16)).join(''),
      expelDeadKeys: () => this.hub.expelDeadKeys(),
    };
  }
}

function driverOf(market: 'synthetic' | 'none' | MarketDriver): MarketDriver | null {
  if (market === 'none') return null;
  return market === 'synthetic' ? syntheticMarket() : market;
}
