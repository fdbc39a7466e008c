/**
 * Seeded agents. Each of twenty steps a second moves prices, then makers, then takers. Deterministic for seed and clock
 * steps; no trading in skipped time.
 *
 *   fair prices ─▶ moment of each market ─▶ makers (rest, cancel) ─▶ takers (take, rest) ─▶ impact on fair prices
 */
import type { Cancel, Random } from '../model/ports.ts';
import type { SymbolMarket } from './core/orders/order-record.ts';
import { AgentOrders } from './market/agent-orders.ts';
import type { DrivenExchange, MarketDriver } from './market/driver.ts';
import { FairPrices } from './market/fair-prices.ts';
import { Maker, makerStyles } from './market/maker.ts';
import { writePast } from './market/past.ts';
import { Takers } from './market/takers.ts';
import { marketStyles, type MarketMoment, type MarketStyle } from './market/venue-view.ts';

const STEP_MS = 50;
/** A suspended process does not catch up. */
const STEP_MS_MAX = 250;
/** Impact of one typical size, fractions. */
const LASTING_IMPACT = 2e-6;
const PASSING_IMPACT = 6e-6;
const PASSING_MEMORY_S = 20;
const BASIS_DEVIATION = 2e-5;

// prettier-ignore
const agentMoney = { BTC: '1000000', ETH: '10000000', USDT: '100000000000', RUB: '10000000000000' };

interface Pit {
  readonly market: SymbolMarket;
  readonly style: MarketStyle;
  readonly makers: readonly Maker[];
  readonly takers: Takers;
  takenLots: number;
  /** Fraction. */
  pressure: number;
  /** Over spot, fraction. */
  basis: number;
}

export function syntheticMarket(): MarketDriver {
  let cancel: Cancel = () => {};
  return {
    start(driven) {
      const agents = new Agents(driven);
      let lastMs = driven.clock.now();
      cancel = driven.clock.every(STEP_MS, () => {
        const nowMs = driven.clock.now();
        const stepMs = Math.min(STEP_MS_MAX, Math.max(0, nowMs - lastMs));
        lastMs = nowMs;
        driven.operate((now) => agents.step(now, stepMs / 1000));
      });
    },
    stop() {
      cancel();
    },
  };
}

class Agents {
  readonly #fair: FairPrices;
  readonly #pits: readonly Pit[];
  readonly #random: Random;
  #seconds = 0;

  constructor(driven: DrivenExchange) {
    const { random } = driven;
    this.#random = random.fork('basis');
    this.#fair = new FairPrices(random.fork('fair'));
    this.#pits = marketStyles.flatMap((style) => {
      const market = driven.exchange.markets.get(style.symbol);
      return market === undefined ? [] : [openPit(driven, market, style)];
    });
    driven.operate((now) => {
      writePast(this.#pits, this.#fair, random.fork('past'), now);
      for (const pit of this.#pits) {
        for (const maker of pit.makers) maker.act(this.#moment(pit, now, 0));
      }
    });
  }

  step(now: number, stepSeconds: number): void {
    this.#seconds += stepSeconds;
    this.#fair.step(stepSeconds);
    for (const pit of this.#pits) {
      this.#feelImpact(pit, stepSeconds);
      const moment = this.#moment(pit, now, stepSeconds);
      for (const maker of pit.makers) maker.act(moment);
      pit.takenLots += pit.takers.act(moment);
    }
  }

  #feelImpact(pit: Pit, stepSeconds: number): void {
    const { market, style } = pit;
    const sizes = ((market.netTakenLots - pit.takenLots) * market.instrument.lot) / style.size;
    pit.takenLots = market.netTakenLots;
    pit.pressure = pit.pressure * Math.exp(-stepSeconds / PASSING_MEMORY_S) + sizes * PASSING_IMPACT;
    pit.pressure = Math.max(-0.02, Math.min(0.02, pit.pressure));
    const { base, quote } = market.instrument;
    if (quote === 'USDT' && (base === 'BTC' || base === 'ETH')) this.#fair.push(base, sizes * LASTING_IMPACT);
    if (market.instrument.market === 'derivative') {
      const noise = (this.#random.next() - 0.5) * BASIS_DEVIATION * Math.sqrt(stepSeconds);
      pit.basis = pit.basis * Math.exp(-stepSeconds / 120) + noise;
    }
  }

  #moment(pit: Pit, now: number, stepSeconds: number): MarketMoment {
    const { market, style } = pit;
    const { volatility } = this.#fair;
    const fairTicks = (this.#fair.priceOf(market.instrument) * (1 + pit.basis + pit.pressure)) / market.instrument.tick;
    return {
      market,
      style,
      fairTicks,
      halfSpreadTicks: Math.max(0.5, fairTicks * style.halfSpread * Math.sqrt(volatility)),
      volatility,
      trend: this.#fair.trend,
      now,
      seconds: this.#seconds,
      stepSeconds,
    };
  }
}

function openPit({ exchange, random }: DrivenExchange, market: SymbolMarket, style: MarketStyle): Pit {
  const { symbol } = style;
  const desk = (name: string): AgentOrders =>
    new AgentOrders(exchange, market, exchange.addAgent(`${symbol}/${name}`, agentMoney));
  const makers = makerStyles.map(
    (makerStyle, index) =>
      new Maker(desk(`maker-${index + 1}`), makerStyle, random.fork(`${symbol}/maker-${index + 1}`)),
  );
  const takers = new Takers(desk('noise'), desk('informed'), random.fork(`${symbol}/takers`));
  return { market, style, makers, takers, takenLots: 0, pressure: 0, basis: 0 };
}
