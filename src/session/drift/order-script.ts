/** Replays a session's commands on the simulated venue, without strategy or executor. */
import { Instruments } from '../../model/market/instrument.ts';
import { dec, type Decimal } from '../../model/numbers/money.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Tape } from '../../recording/tape/tape.ts';
import { SimulatedExchange } from '../../simulation/venue/exchange.ts';
import type { VenueObserver } from '../../simulation/venue/observer.ts';
import type { SimulationOptions } from '../../simulation/options.ts';
import { VirtualClock } from '../../simulation/clock/virtual-clock.ts';
import { CursorSource } from '../feed/replay-tape.ts';
import { tapeSync } from '../replay/tape-sync.ts';
import type { SentCommand } from '../paper-venue/sent-commands.ts';

/** µs of the tape. */
export interface Arrival {
  readonly command: SentCommand;
  readonly us: number;
}

export interface ScriptResult {
  /** By intent id of the create. */
  readonly fills: ReadonlyMap<string, readonly VenueFill[]>;
  /** Liquidations. */
  readonly others: readonly VenueFill[];
  /** Mid of spot, mark of a perpetual. */
  readonly marks: ReadonlyMap<string, Decimal>;
}

export interface ScriptOptions {
  readonly tape: Tape;
  readonly simulation: SimulationOptions;
  readonly start: Readonly<Record<string, string>>;
  /** In order of arrival. */
  readonly arrivals: readonly Arrival[];
}

class Watcher implements VenueObserver {
  readonly fills: VenueFill[] = [];
  readonly marks = new Map<string, Decimal>();

  mid(instrument: Parameters<VenueObserver['mid']>[0], halfTicks: number): void {
    if (instrument.market === 'spot') this.marks.set(instrument.symbol, instrument.exactPrice(halfTicks).div(2));
  }

  marked({ symbol }: Parameters<VenueObserver['marked']>[0], price: number): void {
    this.marks.set(symbol, dec(price));
  }

  filled(fill: VenueFill): void {
    this.fills.push(fill);
  }

  granted(): void {}

  funded(): void {}

  settled(): void {}

  liquidated(): void {}
}

class Player {
  readonly intents = new Map<string, string>();
  readonly #orders = new Map<string, string>();
  readonly #exchange: SimulatedExchange;

  constructor(exchange: SimulatedExchange) {
    this.#exchange = exchange;
  }

  play(command: SentCommand, us: number): void {
    if (command.kind === 'create') {
      const outcome = this.#exchange.create(command.order, us);
      if (outcome.kind === 'accepted' && outcome.order !== undefined) {
        this.#orders.set(command.intentId, outcome.order.orderId);
        this.intents.set(outcome.order.orderId, command.intentId);
      }
    } else {
      const orders = command.targets.flatMap((target) => this.#orders.get(target) ?? []);
      if (orders.length > 0) this.#exchange.cancelMany(orders, us);
    }
    this.#exchange.takeEvents();
  }
}

export function playScript({ tape, simulation, start, arrivals }: ScriptOptions): ScriptResult {
  const clock = new VirtualClock(Math.min(tape.fromUs, arrivals[0]?.us ?? Infinity));
  const watcher = new Watcher();
  const exchange = new SimulatedExchange({
    instruments: new Instruments(tape.instruments.map(({ spec }) => spec)),
    options: simulation,
    start,
    sync: tapeSync(tape),
    observer: watcher,
  });
  exchange.open();
  const player = new Player(exchange);
  const onMarket = (event: Parameters<SimulatedExchange['onMarket']>[0]): void => {
    if (exchange.onMarket(event)) exchange.takeEvents();
  };
  clock.addSource('venue', new CursorSource(tape.cursor('exchange'), onMarket));
  for (const { command, us } of arrivals) clock.schedule(us, 'command', () => player.play(command, us));
  clock.run();
  exchange.endInstant();
  const fills = new Map<string, VenueFill[]>();
  const others: VenueFill[] = [];
  for (const fill of watcher.fills) {
    const intentId = player.intents.get(fill.orderId);
    const list = intentId === undefined ? others : (fills.get(intentId) ?? []);
    list.push(fill);
    if (intentId !== undefined) fills.set(intentId, list);
  }
  return { fills, others, marks: watcher.marks };
}
