/**
 * Gate for a position mode that was changed while no position showed it: the exchange refuses orders that name a side
 * of the other mode. It closes when that side's mode is asserted by `risk.perpetuals` or was used by the strategy's
 * newest accepted order (reliability M10). Otherwise the strategy named a wrong side.
 */
import type { PositionSide } from '../model/order.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { Outcome } from '../model/result.ts';
import type { Core } from './core.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';
import { ProbingPause } from './probing-pause.ts';

export type PositionMode = 'one-way' | 'hedge';

export function modeOf(positionSide: PositionSide): PositionMode {
  return positionSide === 'both' ? 'one-way' : 'hedge';
}

export class PositionModeGate implements Gate {
  readonly name = 'position-mode';
  readonly #core: Core;
  readonly #pause: ProbingPause;
  /** Expected, but refused. */
  #refused: PositionMode | undefined;
  #why = '';

  constructor(core: Core) {
    this.#core = core;
    this.#pause = new ProbingPause(core.deps.clock);
  }

  closedBecause(symbol: string): GateClosure | null {
    if (this.#pause.isOver || this.#core.deps.instruments.find(symbol)?.market !== 'derivative') return null;
    return { reason: 'margin_settings', message: `${this.#why}; next try ${this.#pause.until}` };
  }

  answered(order: OwnOrder, outcome: Outcome): void {
    if (order.instrument.market !== 'derivative') return;
    const mode = modeOf(order.positionSide);
    if (outcome.kind === 'accepted' && mode === this.#refused) {
      this.#refused = undefined;
      this.#pause.end();
    }
    if (outcome.kind !== 'refused' || !isForItsSide(outcome)) return;
    const { positionMode = this.#takenIn(order.strategy) } = this.#core.deps.options.risk.perpetuals;
    if (positionMode !== mode) return;
    this.#refused = mode;
    this.#why = `the account is not in ${mode} mode: ${order.ref} names ${order.positionSide} and is refused (${outcome.code})`;
    const pauseS = this.#pause.begin();
    this.#core.alarm('margin_settings', `${this.#why}; no new risk in perpetuals for ${pauseS} s`);
  }

  /** Of the strategy's newest accepted order. */
  #takenIn(strategy: string): PositionMode | undefined {
    const { orders } = this.#core.state;
    let newest: OwnOrder | undefined;
    for (const list of [orders.remembered(), orders.allLive()]) {
      for (const order of list) {
        const { instrument, ackedAt, progress } = order;
        if (order.strategy !== strategy || instrument.market !== 'derivative') continue;
        const wasTaken = ackedAt !== 0 && progress.state !== 'rejected';
        if (wasTaken && ackedAt >= (newest?.ackedAt ?? 0)) newest = order;
      }
    }
    return newest === undefined ? undefined : modeOf(newest.positionSide);
  }
}

/** Assumed: on a create this code means nothing else. */
function isForItsSide({ code, field }: Extract<Outcome, { readonly kind: 'refused' }>): boolean {
  return code === 'illegal_transition' || field === 'positionSide';
}
