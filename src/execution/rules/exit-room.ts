/**
 * Makes room for an exit at market. Own orders that rest on its side hold lots that it needs, such as a take-profit or
 * a maker's asks. They are cancelled, and new ones are denied meanwhile (`flattening`). The exit leaves once their end
 * is certain.
 */
import { denied, type Denied } from '../../model/trading/deny-reason.ts';
import { isClosed, reservedLots } from '../../spine/orders/order-machine.ts';
import type { OwnOrder } from '../../spine/orders/own-order.ts';
import type { StateView } from '../../spine/trading-state.ts';
import { programKey, type ProgramState } from '../../spine/programs/programs.ts';
import { reducibleLots } from '../../risk/exits.ts';
import { EPSILON, type Candidate } from '../../risk/facts.ts';

type Exit = Pick<Candidate, 'instrument' | 'side' | 'positionSide' | 'lots' | 'isMarket' | 'reduceOnly'>;

export class ExitRoom {
  readonly #state: () => StateView;
  /** Symbol, side and position side → the program whose exit waits there. */
  readonly #waiting = new Map<string, ProgramState>();
  readonly #awaited = new WeakMap<OwnOrder, ProgramState>();

  constructor(state: () => StateView) {
    this.#state = state;
  }

  /** Its exits no longer wait. */
  release(program: ProgramState): void {
    for (const [key, waiting] of this.#waiting) if (waiting === program) this.#waiting.delete(key);
  }

  /** Orders that must end before the exit can leave. Until then, or its release, it waits. Empty: it need not wait. */
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

  /** Key of the program that waits for the end of this order. */
  waitsFor(order: OwnOrder): string | undefined {
    const program = isClosed(order.progress) ? this.#awaited.get(order) : undefined;
    return program === undefined ? undefined : programKey(program.strategy, program.ref);
  }

  /** If all own orders of its side filled, the strategy or the account would hold less than the exit. */
  #isShort(strategy: string, exit: Exit): boolean {
    const { instrument, side, positionSide, lots } = exit;
    const { symbol, market } = instrument;
    const state = this.#state();
    let left = (side === 'sell' ? 1 : -1) * state.positions.lots(strategy, symbol, positionSide);
    const most = Math.min(lots, Math.floor(left + EPSILON));
    // Without a position there is nothing to make room for.
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
        // On spot other strategies sell their own holdings.
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
