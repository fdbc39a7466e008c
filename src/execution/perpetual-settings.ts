/**
 * Gate of perpetuals whose position mode, margin type or leverage contradicts `risk.perpetuals` (reliability M10).
 * Without it the first position told counts: for the mode in this process, for the margin type across restarts, since a
 * change to `cross` risks the whole account. It opens when positions show them right; once the position is closed only
 * a wrong mode is cleared, which the exchange refuses by itself.
 */
import type { VenuePosition } from '../model/account.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { Core } from './core.ts';
import { modeOf, type PositionMode } from './position-mode.ts';

type MarginType = VenuePosition['marginType'];

interface Wrong {
  readonly message: string;
  readonly isModeAlone: boolean;
}

export class PerpetualSettings implements Gate {
  readonly name = 'perpetual-settings';
  readonly #core: Core;
  /** As first told in this process. */
  readonly #modes = new Map<string, PositionMode>();
  readonly #wrong = new Map<string, Wrong>();
  readonly #markNames = new Map<string, string>();

  constructor(core: Core) {
    this.#core = core;
  }

  closedBecause(symbol: string): GateClosure | null {
    const wrong = this.#wrong.get(symbol);
    return wrong === undefined ? null : { reason: 'margin_settings', message: wrong.message };
  }

  /** `whole`: the list is all that is held. */
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
      this.#core.alarm('margin_settings', `${message}; no new risk until it is as asserted`);
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
    if (marginType === wanted && marginType !== first) this.#remember(symbol, marginType);
    if (marginType !== wanted) found.push(`margin type is ${marginType}, not ${wanted}`);
    if (asserted.leverage !== undefined && Number(leverage) > asserted.leverage)
      found.push(`leverage is ${leverage}, above ${asserted.leverage}`);
  }

  #firstMarginType(symbol: string): MarginType | undefined {
    const told = this.#core.state.marks.get(this.#markOf(symbol));
    return told === 'isolated' || told === 'cross' ? told : undefined;
  }

  /** Across restarts, until the configuration says otherwise. */
  #remember(symbol: string, marginType: MarginType): void {
    this.#core.spine.commit({ kind: 'risk-mark', name: this.#markOf(symbol), value: marginType });
  }

  #markOf(symbol: string): string {
    let name = this.#markNames.get(symbol);
    if (name === undefined) this.#markNames.set(symbol, (name = `margin-type/${symbol}`));
    return name;
  }
}
