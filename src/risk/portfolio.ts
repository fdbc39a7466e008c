/**
 * Sums over the symbols of a scope, with all live orders filled in the worse direction:
 *
 *   line = symbol × position side:  lots ─ sells … lots … lots + buys
 *   gross = Σ max(|lots + buys|, |lots − sells|) · price      net = max(Σ (lots + buys) · price, −Σ (lots − sells) · price)
 */
import type { Instrument } from '../model/market/instrument.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { positionName, type HeldPosition } from '../spine/positions.ts';
import { reservedLots } from '../spine/orders/order-machine.ts';
import { externalPositions, isGone, type Candidate, type Portfolio, type RiskFacts, type Scope } from './facts.ts';

interface Line {
  /** Reporting value of one lot at the last mid; NaN before the first. */
  readonly value: number;
  lots: number;
  buys: number;
  sells: number;
}

/** Built once per order that needs it. */
export function portfolioOf(order: Candidate, facts: RiskFacts, scope: Scope): Portfolio {
  return (facts.portfolios[scope] ??= new Lines(order, facts, scope).portfolio());
}

class Lines {
  readonly #order: Candidate;
  readonly #facts: RiskFacts;
  readonly #scope: Scope;
  readonly #lines = new Map<string, Line>();
  #openNotional = 0;
  #unpriced: string | null = null;

  constructor(order: Candidate, facts: RiskFacts, scope: Scope) {
    this.#order = order;
    this.#facts = facts;
    this.#scope = scope;
  }

  portfolio(): Portfolio {
    const { state, valuation } = this.#facts.from;
    for (const held of state.positions.all())
      if (held.lots !== 0 && this.#isIn(held))
        this.#line(held.instrument, positionName(held.instrument.symbol, held.positionSide)).lots += held.lots;
    if (this.#scope !== 'strategy') this.#addExternal();
    for (const own of state.orders.allLive()) {
      const reserved = reservedLots(own.progress);
      if (reserved === 0 || !this.#isIn(own) || isGone(own, this.#facts.options)) continue;
      const line = this.#line(own.instrument, positionName(own.instrument.symbol, own.positionSide));
      if (own.sign > 0) line.buys += reserved;
      else line.sells += reserved;
      this.#openNotional += reserved * (own.isMarket ? line.value : own.ticks * valuation.unit(own.instrument));
    }
    const before = sumsOf(this.#lines.values());
    const { instrument, positionSide, side, lots } = this.#order;
    const line = this.#line(instrument, positionName(instrument.symbol, positionSide));
    if (side === 'buy') line.buys += lots;
    else line.sells += lots;
    const after = sumsOf(this.#lines.values());
    return {
      openNotional: this.#openNotional,
      ...before,
      grossAfter: after.gross,
      netAfter: after.net,
      unpriced: this.#unpriced,
    };
  }

  #isIn({ strategy, instrument }: OwnOrder | HeldPosition): boolean {
    if (this.#scope === 'strategy') return strategy === this.#order.strategy;
    return this.#isOfScope(instrument.symbol);
  }

  #isOfScope(symbol: string): boolean {
    return this.#scope === 'account' || symbol === this.#order.instrument.symbol;
  }

  /** Positions that no strategy holds, and external orders. */
  #addExternal(): void {
    const { instruments, state, external } = this.#facts.from;
    for (const symbol of new Set([...external.buyLots.keys(), ...external.sellLots.keys()])) {
      const instrument = this.#isOfScope(symbol) ? instruments.find(symbol) : undefined;
      const buys = external.buyLots.get(symbol) ?? 0;
      const sells = external.sellLots.get(symbol) ?? 0;
      // An empty line needs no price.
      if (instrument === undefined || (buys === 0 && sells === 0)) continue;
      const line = this.#line(instrument, symbol);
      line.buys += buys;
      line.sells += sells;
      this.#openNotional += (buys + sells) * line.value;
    }
    for (const { symbol, positionSide, quantity } of externalPositions(state)) {
      const instrument = this.#isOfScope(symbol) ? instruments.find(symbol) : undefined;
      if (instrument === undefined) continue;
      this.#line(instrument, positionName(symbol, positionSide)).lots += quantity.toNumber() / instrument.lot;
    }
  }

  #line(instrument: Instrument, name: string): Line {
    let line = this.#lines.get(name);
    if (line === undefined) {
      const { valuation } = this.#facts.from;
      const perLot = instrument.quantityOf(1) * instrument.contractValue * valuation.rate(instrument.quote);
      const value = valuation.mid(instrument.symbol) * perLot;
      if (Number.isNaN(value)) this.#unpriced = instrument.symbol;
      this.#lines.set(name, (line = { value, lots: 0, buys: 0, sells: 0 }));
    }
    return line;
  }
}

function sumsOf(lines: Iterable<Line>): { readonly gross: number; readonly net: number } {
  let gross = 0;
  let up = 0;
  let down = 0;
  for (const { value, lots, buys, sells } of lines) {
    gross += Math.max(Math.abs(lots + buys), Math.abs(lots - sells)) * value;
    up += (lots + buys) * value;
    down += (lots - sells) * value;
  }
  return { gross, net: Math.max(up, -down) };
}
