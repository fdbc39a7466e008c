/** A simulated venue on virtual time for the venue tests: sends commands, feeds market events at their exchange time. */
import { Instruments } from '../../src/model/market/instrument.ts';
import type { MarketEvent } from '../../src/model/market/market-event.ts';
import type { OrderReport, OrderRequest } from '../../src/model/trading/order.ts';
import { seededRandom } from '../../src/model/random.ts';
import type { OnDispatch, VenueCommand, VenueEvent } from '../../src/model/venue.ts';
import { simulationOptions } from '../../src/simulation/options.ts';
import { SimulatedVenue, type SimulatedVenueDeps } from '../../src/simulation/venue/venue.ts';
import { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';
import { perpetualSpec, spec } from './market.ts';

export interface Told {
  readonly us: number;
  readonly event: VenueEvent;
}

export class TestSession {
  readonly clock = new VirtualClock(0);
  readonly told: Told[] = [];
  readonly venue: SimulatedVenue;
  #sent = 0;

  constructor(options: unknown = {}, over: Partial<SimulatedVenueDeps> = {}) {
    this.venue = new SimulatedVenue({
      clock: this.clock,
      instruments: new Instruments([spec, perpetualSpec]),
      options: simulationOptions.parse(options),
      random: seededRandom(7),
      ...over,
    });
    this.venue.listen((events) => {
      for (const event of events) this.told.push({ us: this.clock.nowUs(), event });
    });
  }

  market(event: MarketEvent): void {
    this.clock.advanceTo(Math.max(event.exchangeUs, this.clock.nowUs()));
    this.venue.onMarket(event);
  }

  /** Sends an order and answers its intent id. */
  place(order: Partial<OrderRequest> & Pick<OrderRequest, 'side' | 'quantity'>): string {
    const intentId = `i${++this.#sent}`;
    const price = order.price ?? null;
    this.send({
      kind: 'create',
      intentId,
      lane: 'create',
      order: {
        market: 'spot',
        symbol: 'AAABBB',
        type: price === null ? 'market' : 'limit',
        timeInForce: 'gtc',
        price,
        clientOrderId: intentId,
        ...order,
      },
    });
    return intentId;
  }

  cancel(orderId: string): string {
    const intentId = `i${++this.#sent}`;
    this.send({ kind: 'cancel', intentId, lane: 'cancel', symbol: 'AAABBB', market: 'spot', orderId });
    return intentId;
  }

  send(command: VenueCommand, onDispatch: OnDispatch = () => 'go'): void {
    this.venue.send(command, onDispatch);
  }

  /** Runs `ms` of virtual time. */
  pass(ms: number): void {
    this.clock.advanceTo(this.clock.nowUs() + ms * 1000);
  }

  outcome(intentId: string) {
    for (const { event } of this.told) {
      if (event.kind === 'outcome' && event.intentId === intentId) return event.outcome;
    }
    return undefined;
  }

  /** What the venue said of orders, in answers and by itself. */
  reports(): OrderReport[] {
    return this.told.flatMap(({ event }) => {
      if (event.kind === 'order') return [event.order];
      return event.kind === 'outcome' && event.outcome.kind === 'accepted' ? (event.outcome.order ?? []) : [];
    });
  }

  of<Kind extends VenueEvent['kind']>(kind: Kind): Extract<VenueEvent, { kind: Kind }>[] {
    return this.told.flatMap(({ event }) =>
      event.kind === kind ? [event as Extract<VenueEvent, { kind: Kind }>] : [],
    );
  }

  /** `available/locked` of a currency, as last told. */
  balance(currency: string): string {
    const rows = this.of('balances').flatMap(({ balances }) => balances.filter((row) => row.currency === currency));
    const last = rows.at(-1);
    return last === undefined ? 'none' : `${last.available}/${last.locked}`;
  }
}
