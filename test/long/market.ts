/**
 * The exchange of the long runs: the sandbox with a maker that quotes six levels and a taker now and then. It remembers few
 * closed orders of its users, so that what grows in a run of weeks is not the exchange.
 */
import { seededRandom } from '../../src/model/random.ts';
import type { Random } from '../../src/model/ports.ts';
import type { OrderRecord } from '../../src/sandbox/core/orders/order-record.ts';
import { AgentOrders } from '../../src/sandbox/market/agent-orders.ts';
import { Sandbox } from '../../src/sandbox/sandbox.ts';
import type { VirtualClock } from '../../src/simulation/clock/virtual-clock.ts';

export const SYMBOL = 'BTCUSDT';

const HISTORY_MAX = 2_000;
const LEVELS = 6;
const LOTS = 1000;
const PLENTY = { USDT: '1000000000', BTC: '100000' };

export class Market {
  readonly sandbox: Sandbox;
  readonly #random: Random;
  readonly #maker: AgentOrders;
  readonly #taker: AgentOrders;
  #midTicks = 6_000_000;
  #quotes: OrderRecord[] = [];

  constructor(clock: VirtualClock, seed: number) {
    this.sandbox = new Sandbox({ clock, seed, market: 'none', assumed: { historyMax: HISTORY_MAX } });
    const { exchange } = this.sandbox;
    const market = exchange.markets.get(SYMBOL);
    if (market === undefined) throw new Error(`no ${SYMBOL}`);
    this.#random = seededRandom(seed).fork('market');
    this.#maker = new AgentOrders(exchange, market, exchange.addAgent('maker', PLENTY));
    this.#taker = new AgentOrders(exchange, market, exchange.addAgent('taker', PLENTY));
    this.sandbox.start();
    this.move();
  }

  get user() {
    const user = this.sandbox.users.find(({ login }) => login === 'alice');
    if (user === undefined) throw new Error('there is no alice');
    return user;
  }

  /** Old quotes go, new ones come around a mid that wanders back to where it began, now and then somebody takes. */
  move(): void {
    this.#midTicks += Math.round((this.#random.next() - 0.5) * 2000 + (6_000_000 - this.#midTicks) * 0.01);
    this.sandbox.operate((now) => {
      for (const quote of this.#quotes) this.#maker.cancel(quote, now);
      this.#quotes = [];
      for (let level = 1; level <= LEVELS; level++) {
        const away = Math.round(level * (100 + this.#random.next() * 600));
        for (const side of ['buy', 'sell'] as const) {
          const ticks = this.#midTicks + (side === 'buy' ? -away : away);
          const order = this.#maker.rest(side, ticks, LOTS * (1 + Math.floor(this.#random.next() * 8)), now);
          if (order !== undefined) this.#quotes.push(order);
        }
      }
      if (this.#random.next() >= 0.4) return;
      const side = this.#random.next() < 0.5 ? 'buy' : 'sell';
      const lots = LOTS * (1 + Math.floor(this.#random.next() * 9));
      this.#taker.take(side, this.#midTicks + (side === 'buy' ? 6000 : -6000), lots, now);
    });
  }
}
