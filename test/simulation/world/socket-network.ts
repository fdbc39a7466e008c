/**
 * The way of WebSocket frames between a simulated process and the exchange: in order, each with its latency. Frames may be
 * lost, doubled, torn or slow, a channel may go mute, a connection may be cut, refused, or stay open and say nothing.
 * Reliability §3.3, row WS.
 */
import type { SocketConnection, SocketHandlers, SocketTransport } from '../../../src/model/ports.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { ServerConnection } from '../../../src/sandbox/sockets/socket-session.ts';
import type { VirtualClock } from '../../../src/simulation/clock/virtual-clock.ts';
import type { FalseStatus } from './false-status.ts';
import type { FaultPlan } from './fault-plan.ts';
import type { ForgottenIds } from './forgotten-ids.ts';
import type { OwnTradeWords } from './own-trade-words.ts';
import type { ProcessClock } from './process-clock.ts';
import type { Trace } from './trace.ts';
import type { WrongClock } from './wrong-clock.ts';

const ADDRESS = '127.0.0.1';
const LATENCY_MS_MIN = 1;
const LATENCY_MS_MAX = 15;
const MUTE_MS_MAX = 90_000;
const OVERTAKEN_US = 60_000;
const CLOSE_CODES = [1000, 1001, 1006, 1008, 1012, 1013] as const;
const BURST = 200;
/** What no exchange sends that keeps to its profile. */
const STRANGE = [
  '',
  'null',
  '[]',
  '{}',
  '\u0000\ufffd',
  '{"channel":"spot/nobody@knows","seq":1,"data":{}}',
  '{"channel":"","seq":-1,"ts":"yesterday","data":null}',
  '{"id":999999,"method":"subscribe","success":false,"error":"whatever"}',
  '{"event":"maintenance","in":60}',
  `{"channel":"x","pad":"${' '.repeat(20_000)}"}`,
] as const;

type Muted = 'up' | 'down' | 'both';
const LOGIN = '"method":"auth"';
const SUBSCRIBE = '"method":"subscribe"';

export interface SocketWorld {
  readonly clock: VirtualClock;
  readonly sandbox: Sandbox;
  readonly plan: FaultPlan;
  readonly trace: Trace;
  readonly ids: ForgottenIds;
  readonly ownTrades: OwnTradeWords;
  readonly falseStatus: FalseStatus;
  readonly venueClock: WrongClock;
  readonly isOut: () => boolean;
  readonly isClosed: () => boolean;
  /** Hands over what a connection says although the process was told that it ended. */
  readonly afterEnd: (run: () => void) => void;
}

export class SocketNetwork implements SocketTransport {
  readonly #world: SocketWorld;
  readonly #process: ProcessClock;
  readonly #open = new Set<Link>();
  #made = 0;

  constructor(world: SocketWorld, process: ProcessClock) {
    this.#world = world;
    this.#process = process;
  }

  get openConnections(): number {
    return this.#open.size;
  }

  /** Lines by their numbers → frames that came on each since it was made. */
  get heard(): ReadonlyMap<number, number> {
    return new Map([...this.#open].map((link) => [link.number, link.heard]));
  }

  connect(url: string, handlers: SocketHandlers): SocketConnection {
    const link = new Link(this.#world, this.#process, handlers, () => this.#open.delete(link));
    link.number = ++this.#made;
    this.#open.add(link);
    link.begin(url);
    return link;
  }

  /** Once a second: the faults that strike a connection as a whole. */
  everySecond(): void {
    const { plan } = this.#world;
    for (const link of this.#open) {
      if (plan.strikes('socket-cut')) link.cut();
      else if (plan.strikes('socket-closed')) link.cut(plan.pick(CLOSE_CODES));
      else if (plan.strikes('socket-mute')) link.muteFor(plan.between(1000, MUTE_MS_MAX));
      else if (plan.strikes('socket-half-open'))
        link.muteFor(plan.between(1000, MUTE_MS_MAX), plan.pick(['up', 'down']));
      else if (plan.strikes('sequence-reset')) link.resetSequence();
      else if (plan.strikes('channel-mute')) link.muteChannelFor(plan.between(1000, MUTE_MS_MAX));
      else if (plan.strikes('channel-forgotten')) link.forgetChannel();
    }
  }

  /** The exchange ends every connection. */
  closeAll(code: number): void {
    for (const link of this.#open) link.cut(code);
  }

  /** The kernel is gone as well: nobody is told. */
  loseAll(): void {
    for (const link of this.#open) link.lose();
    this.#open.clear();
  }

  /** The process is gone: its kernel closes what it had open. */
  abandon(): void {
    for (const link of this.#open) link.terminate();
  }
}

class Link implements SocketConnection {
  readonly bufferedBytes = 0;
  number = 0;
  /** Frames. */
  heard = 0;
  readonly #world: SocketWorld;
  readonly #process: ProcessClock;
  readonly #handlers: SocketHandlers;
  readonly #gone: () => void;
  #session: ReturnType<Sandbox['hub']['attach']>;
  #isOpen = false;
  #wasOpen = false;
  #isOver = false;
  #downUs = 0;
  #upUs = 0;
  #muteUntilUs = 0;
  #muted: Muted = 'both';
  /** Channel → what its sequence numbers are short of since it began again. */
  readonly #restarts = new Map<string, number>();
  #resetNext = false;
  #endIsTold = false;
  #mutedChannel = '';
  #channelMuteUntilUs = 0;
  #lastChannel = '';
  /** Subscribed as far as the client knows; the exchange sends nothing until it is asked for again. */
  #forgottenChannel = '';

  constructor(world: SocketWorld, process: ProcessClock, handlers: SocketHandlers, gone: () => void) {
    this.#world = world;
    this.#process = process;
    this.#handlers = handlers;
    this.#gone = gone;
  }

  begin(url: string): void {
    const { clock, plan, sandbox, trace, isOut } = this.#world;
    const refused = isOut() || this.#world.isClosed() || plan.strikes('connect-refused');
    this.#downUs = clock.nowUs() + this.#latencyUs();
    this.#process.handAt(this.#downUs, () => {
      if (this.#isOver) return;
      if (!refused) this.#session = sandbox.hub.attach(this.#server(), ADDRESS);
      trace.add(clock.nowUs(), `ws ${url} ${this.#session === undefined ? 'refused' : 'open'}`);
      if (this.#session === undefined) {
        this.#end(1006, 'refused');
        return;
      }
      this.#isOpen = true;
      this.#wasOpen = true;
      this.#handlers.open();
    });
  }

  send(text: string, sent?: (ok: boolean) => void): void {
    if (!this.#isOpen) {
      sent?.(false);
      return;
    }
    sent?.(true);
    const { clock, trace } = this.#world;
    this.#upUs = Math.max(this.#upUs, clock.nowUs() + this.#latencyUs());
    clock.schedule(this.#upUs, 'command', () => {
      if (this.#isSilent('up')) return;
      trace.add(clock.nowUs(), `ws> ${text}`);
      const isSubscribe = text.includes(SUBSCRIBE);
      if (isSubscribe && this.#world.plan.strikes('subscribe-refused')) {
        this.#down(`{"id":${ID.exec(text)?.[1]},"method":"subscribe","success":false,"error":"internal_error"}`);
        return;
      }
      if (isSubscribe && text.includes(`"${this.#forgottenChannel}"`)) this.#forgottenChannel = '';
      if (text.includes(LOGIN) && this.#world.plan.strikes('login-refused')) {
        this.#down('{"method":"auth","success":false,"error":"internal_error"}');
      } else this.#session?.receive(text.includes(LOGIN) ? this.#world.venueClock.login(text) : text);
    });
  }

  close(): void {
    this.#leave(1000);
  }

  terminate(): void {
    this.#leave(1006);
  }

  cut(code = 1006): void {
    this.#session?.ended();
    this.#end(code, 'cut');
  }

  /** One way only, or both. */
  muteFor(ms: number, way: Muted = 'both'): void {
    this.#muted = way;
    this.#muteUntilUs = this.#world.clock.nowUs() + Math.round(ms * 1000);
  }

  muteChannelFor(ms: number): void {
    this.#mutedChannel = this.#lastChannel;
    this.#channelMuteUntilUs = this.#world.clock.nowUs() + Math.round(ms * 1000);
  }

  forgetChannel(): void {
    this.#forgottenChannel = this.#lastChannel;
  }

  /** The next frame of a channel bears the number 1, as after a restart of the exchange that keeps connections. */
  resetSequence(): void {
    this.#resetNext = true;
  }

  /** The other side is not told. */
  lose(): void {
    this.#muted = 'both';
    this.#muteUntilUs = Number.POSITIVE_INFINITY;
  }

  #isSilent(way: 'up' | 'down'): boolean {
    const { isOut, plan, clock } = this.#world;
    if (isOut()) return true;
    const isMuted = this.#muted === 'both' || this.#muted === way;
    return isMuted && plan.isOn && clock.nowUs() < this.#muteUntilUs;
  }

  #server(): ServerConnection {
    const { ids, ownTrades, falseStatus, venueClock, clock } = this.#world;
    return {
      send: (text) => this.#down(venueClock.frame(ids.frame(falseStatus.frame(ownTrades.frame(text)), clock.now()))),
      bufferedBytes: 0,
      close: (code, reason) => this.#end(code, reason),
      terminate: () => this.#end(1006, 'terminated'),
    };
  }

  #down(text: string): void {
    const { clock, plan } = this.#world;
    if (this.#isSilent('down')) return;
    const channel = channelOf(text);
    if (channel !== '') {
      this.#lastChannel = channel;
      if (channel === this.#forgottenChannel) return;
      if (plan.isOn && channel === this.#mutedChannel && clock.nowUs() < this.#channelMuteUntilUs) return;
      if (plan.strikes('frame-lost')) return;
    } else if (plan.strikes('control-lost')) return;
    const slowUs = plan.strikes('frame-slow') ? Math.round(plan.between(100, 4000) * 1000) : 0;
    this.#downUs = Math.max(this.#downUs, clock.nowUs() + this.#latencyUs() + slowUs);
    const numbered = channel === '' ? text : this.#renumbered(channel, text);
    const shown = plan.strikes('frame-garbage') ? numbered.slice(0, numbered.length >> 1) : numbered;
    if (plan.strikes('frame-strange')) this.#deliver(plan.pick(STRANGE), 0);
    // Later frames do not wait for one that is overtaken.
    const lateUs = channel !== '' && plan.strikes('frame-overtaken') ? OVERTAKEN_US : 0;
    this.#deliver(shown, lateUs);
    if (plan.strikes('frame-doubled')) this.#deliver(shown, lateUs);
    if (plan.strikes('frame-burst')) for (let count = 0; count < BURST; count++) this.#deliver(shown, lateUs);
  }

  #deliver(text: string, lateUs: number): void {
    this.#process.handAt(this.#downUs + lateUs, () => {
      if (!this.#isOpen && !(this.#wasOpen && this.#world.plan.strikes('frame-after-end'))) return;
      this.heard++;
      this.#world.trace.add(this.#world.clock.nowUs(), `ws< ${text}`);
      if (this.#endIsTold) this.#world.afterEnd(() => this.#handlers.message(text));
      else this.#handlers.message(text);
    });
  }

  #renumbered(channel: string, text: string): string {
    const seq = Number(SEQ.exec(text)?.[1] ?? Number.NaN);
    if (Number.isNaN(seq)) return text;
    if (this.#resetNext) {
      this.#resetNext = false;
      this.#restarts.set(channel, seq - 1);
    }
    const shortBy = this.#restarts.get(channel);
    return shortBy === undefined ? text : text.replace(SEQ, `"seq":${seq - shortBy}`);
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
    this.#process.after(0, () => {
      this.#endIsTold = true;
      this.#handlers.close(code, reason);
    });
  }

  #latencyUs(): number {
    return Math.round(this.#world.plan.between(LATENCY_MS_MIN, LATENCY_MS_MAX) * 1000);
  }
}

const SEQ = /"seq":(\d+)/;
const ID = /"id":(\d+)/;
const CHANNEL = /^\{"channel":"([^"]+)"/;

function channelOf(text: string): string {
  return CHANNEL.exec(text)?.[1] ?? '';
}
