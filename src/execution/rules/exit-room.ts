/**
 * Room for an exit at market. Own orders that rest on its side hold lots that it needs: a take-profit beside a stop, the asks
 * of a maker. They are cancelled, no other comes meanwhile (`flattening`), and the exit leaves once their end is proved.
 */
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { programKey, type ProgramState } from '../../spine/programs/programs.ts';
import { reducibleLots } from '../../risk/exits.ts';
import type { Candidate } from '../../risk/facts.ts';

type Exit = Pick<Candidate, 'instrument' | 'side' | 'positionSide' | 'lots' | 'isMarket' | 'reduceOnly'>;

/** Lots from exact quantities may be off in the last bits. */
const EPSILON = 1e-9;

export class ExitRoom {
  readonly #state: () => StateView;
  /** Symbol, side and position side → the program whose exit waits there. */
  readonly #waiting = new Map<string, ProgramState>();
  readonly #awaited = new WeakMap<OwnOrder, ProgramState>();

  constructor(state: () => StateView) {
    this.#state = state;
  }

  /** Its exits wait no longer. */
  release(program: ProgramState): void {
    for (const [key, waiting] of this.#waiting) if (waiting === program) this.#waiting.delete(key);
  }

  /** What must go before the exit can leave; until then, or its release, it waits. Empty: it need not wait. */
  blockers(program: ProgramState, exit: Exit): readonly OwnOrder[] {
    const blockers = this.#isShort(program.strategy, exit) ? this.#blockers(program, exit) : [];
    if (blockers.length > 0) this.#waiting.set(keyOf(exit), program);
    for (const order of blockers) this.#awaited.set(order, program);
    return blockers;
  }

  /** Why another order may not be placed now. */
  denial(order: Exit): Denied | null {
    if (this.#waiting.size === 0 || (order.reduceOnly && order.isMarket)) return null;
    const first = this.#waiting.get(keyOf(order));
    if (first === undefined || first.state !== 'working') return null;
    return denied('flattening', `the exit of ${first.ref} in ${order.instrument.symbol} leaves first`);
  }

  /** The program that waits for the end of this order, by its key. */
  waitsFor(order: OwnOrder): string | undefined {
    const program = isClosed(order.progress) ? this.#awaited.get(order) : undefined;
    return program === undefined ? undefined : programKey(program.strategy, program.ref);
  }

  /** With all own orders of its side filled, less than the exit is left of what the strategy, or the account, holds. */
  #isShort(strategy: string, exit: Exit): boolean {
    const { instrument, side, positionSide, lots } = exit;
    const { symbol, market } = instrument;
    const state = this.#state();
    let left = (side === 'sell' ? 1 : -1) * state.positions.lots(strategy, symbol, positionSide);
    const most = Math.min(lots, Math.floor(left + EPSILON));
    // Where nothing is held there is nothing to make room for.
    if (most < 1) return false;
    for (const own of state.orders.live(symbol))
      if (own.strategy === strategy && isBeside(own, exit)) left -= reservedLots(own.progress);
    if (most > left + EPSILON) return true;
    return market === 'derivative' && most > reducibleLots(exit, state, { ignoreCanceling: false });
  }

  #blockers({ strategy, ref }: ProgramState, exit: Exit): readonly OwnOrder[] {
    const isSpot = exit.instrument.market === 'spot';
    return this.#state()
      .orders.live(exit.instrument.symbol)
      .filter((own) => {
        if (!isBeside(own, exit) || isClosed(own.progress)) return false;
        if (own.strategy === strategy) return own.parent !== ref && own.request.timeInForce !== 'ioc';
        // On spot others sell what is their own.
        return !isSpot && !own.exits && own.request.timeInForce !== 'ioc';
      });
  }
}

function isBeside(own: OwnOrder, { side, positionSide }: Exit): boolean {
  return own.side === side && own.positionSide === positionSide;
}

function keyOf({ instrument, side, positionSide }: Exit): string {
  return `${instrument.symbol} ${side} ${positionSide}`;
}
