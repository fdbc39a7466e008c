/** Gates that the exchange closes: by what it reports of the account, or by how it answers orders. */
import type { VenuePosition } from '../model/trading/account.ts';
import type { PositionSide } from '../model/trading/order.ts';
import type { Clock, Gate, GateClosure } from '../model/ports.ts';
import type { Outcome } from '../model/result.ts';
import type { Core } from './core.ts';
import type { OwnOrder } from '../spine/orders/own-order.ts';

const PAUSE_MS = 60_000;
const PAUSE_MS_MAX = 1_800_000;
/** Answers in a row that come from something in front of the exchange. */
const BLOCKED_IN_A_ROW = 2;

type PositionMode = 'one-way' | 'hedge';

function modeOf(positionSide: PositionSide): PositionMode {
  return positionSide === 'both' ? 'one-way' : 'hedge';
}

type MarginType = VenuePosition['marginType'];

interface Wrong {
  readonly message: string;
  readonly isModeAlone: boolean;
}

/** A pause of new risk. Each failed try doubles it. */
class ProbingPause {
  readonly #clock: Clock;
  #count = 0;
  #until = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get isOver(): boolean {
    return this.#clock.now() >= this.#until;
  }

  /** ISO 8601. */
  get until(): string {
    return new Date(this.#until).toISOString();
  }

  /** Returns the length of the pause, s. */
  begin(): number {
    const ms = Math.min(PAUSE_MS * 2 ** this.#count, PAUSE_MS_MAX);
    this.#count++;
    this.#until = this.#clock.now() + ms;
    return ms / 1000;
  }

  end(): void {
    this.#count = 0;
    this.#until = Number.NEGATIVE_INFINITY;
  }
}

/**
 * Gate against a firewall, country block or captcha in front of the exchange (reliability R14). Two such answers in a
 * row close it for a doubling pause, after which one order may try. An answer of the exchange reopens it. Sending on
 * would leave unknown orders and risk a ban.
 */
export class OrdersBlocked implements Gate {
  readonly name = 'orders-blocked';
  readonly #core: Core;
  readonly #pause: ProbingPause;
  #count = 0;
  #why = '';

  constructor(core: Core) {
    this.#core = core;
    this.#pause = new ProbingPause(core.deps.clock);
  }

  closedBecause(): GateClosure | null {
    if (this.#pause.isOver) return null;
    return {
      reason: 'orders_blocked',
      message: `orders are rejected in front of the exchange; next try ${this.#pause.until}: ${this.#why}`,
    };
  }

  answered(outcome: Outcome): void {
    if (outcome.kind === 'accepted' || outcome.kind === 'refused') {
      this.#count = 0;
      this.#pause.end();
      return;
    }
    if (outcome.kind !== 'unknown' || outcome.blocked !== true) return;
    this.#count++;
    if (this.#count < BLOCKED_IN_A_ROW) return;
    const pauseS = this.#pause.begin();
    this.#why = outcome.reason;
    const what = `something in front of the exchange rejects orders; no new risk for ${pauseS} s`;
    this.#core.alarm('orders_blocked', `${what}. Check address, country and firewall: ${outcome.reason}`);
  }
}

/**
 * Gate of perpetuals whose position mode, margin type or leverage contradicts `risk.perpetuals` (reliability M10).
 *
 * - Without that setting the first reported position counts: for the mode in this process, for the margin type across
 *   restarts, since a change to `cross` risks the whole account.
 * - It reopens when positions show the right values.
 * - Once the position is closed, only a wrong mode is cleared, because the exchange refuses such orders by itself.
 */
export class PerpetualSettings implements Gate {
  readonly name = 'perpetual-settings';
  readonly #core: Core;
  /** As first reported in this process. */
  readonly #modes = new Map<string, PositionMode>();
  readonly #wrong = new Map<string, Wrong>();

  constructor(core: Core) {
    this.#core = core;
  }

  closedBecause(symbol: string): GateClosure | null {
    const wrong = this.#wrong.get(symbol);
    return wrong === undefined ? null : { reason: 'margin_settings', message: wrong.message };
  }

  /** `whole`: the list is complete. */
  told(positions: readonly VenuePosition[], whole: boolean): void {
    const [only] = positions;
    if (only !== undefined && positions.length === 1 && !whole) return this.#judge(only.symbol, positions);
    const bySymbol = Map.groupBy(positions, ({ symbol }) => symbol);
    for (const [symbol, rows] of bySymbol) this.#judge(symbol, rows);
    if (!whole) return;
    for (const [symbol, { isModeAlone }] of this.#wrong)
      if (isModeAlone && !bySymbol.has(symbol)) this.#wrong.delete(symbol);
  }

  #judge(symbol: string, rows: readonly VenuePosition[]): void {
    const modes: string[] = [];
    const others: string[] = [];
    for (const row of rows) {
      const mode = this.#modeProblem(row);
      if (mode !== undefined) modes.push(mode);
      this.#otherProblems(row, others);
    }
    if (modes.length + others.length === 0) {
      if (this.#wrong.size > 0) this.#wrong.delete(symbol);
      return;
    }
    const message = `${symbol}: ${[...new Set([...modes, ...others])].join(', ')}`;
    if (this.#wrong.get(symbol)?.message !== message)
      this.#core.alarm('margin_settings', `${message}; no new risk until it matches the configuration`);
    this.#wrong.set(symbol, { message, isModeAlone: others.length === 0 });
  }

  #modeProblem({ symbol, positionSide }: VenuePosition): string | undefined {
    const mode = modeOf(positionSide);
    const first = this.#modes.get(symbol) ?? mode;
    this.#modes.set(symbol, first);
    const wanted = this.#core.deps.options.risk.perpetuals.positionMode ?? first;
    return mode === wanted ? undefined : `position mode is ${mode}, not ${wanted}`;
  }

  #otherProblems({ symbol, marginType, leverage }: VenuePosition, found: string[]): void {
    const asserted = this.#core.deps.options.risk.perpetuals;
    const first = this.#firstMarginType(symbol);
    const wanted = asserted.marginType ?? first ?? marginType;
    if (marginType === wanted && marginType !== first)
      this.#core.spine.commit({ kind: 'risk-mark', name: markOf(symbol), value: marginType });
    if (marginType !== wanted) found.push(`margin type is ${marginType}, not ${wanted}`);
    if (asserted.leverage !== undefined && Number(leverage) > asserted.leverage)
      found.push(`leverage is ${leverage}, above ${asserted.leverage}`);
  }

  #firstMarginType(symbol: string): MarginType | undefined {
    const told = this.#core.state.marks.get(markOf(symbol));
    return told === 'isolated' || told === 'cross' ? told : undefined;
  }
}

/** Valid across restarts, until the configuration says otherwise. */
function markOf(symbol: string): string {
  return `margin-type/${symbol}`;
}

/**
 * Gate for a position mode that was changed while no position showed it. The exchange then refuses orders that name a
 * side of the other mode. The gate closes if `risk.perpetuals` asserts that side's mode, or the strategy's newest
 * accepted order used it (reliability M10). Otherwise the strategy named a wrong side.
 */
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

  /** Mode of the strategy's newest accepted order. */
  #takenIn(strategy: string): PositionMode | undefined {
    const { orders } = this.#core.state;
    let newest: OwnOrder | undefined;
    for (const order of [...orders.remembered(), ...orders.allLive()]) {
      const { instrument, ackedAt, progress } = order;
      const wasTaken = ackedAt !== 0 && progress.state !== 'rejected';
      if (order.strategy !== strategy || instrument.market !== 'derivative' || !wasTaken) continue;
      if (ackedAt >= (newest?.ackedAt ?? 0)) newest = order;
    }
    return newest === undefined ? undefined : modeOf(newest.positionSide);
  }
}

/** Assumption: on a create this code has no other meaning. */
function isForItsSide({ code, field }: Extract<Outcome, { readonly kind: 'refused' }>): boolean {
  return code === 'illegal_transition' || field === 'positionSide';
}
