/**
 * The gate of perpetuals whose position mode, margin type or leverage are not what was asserted (reliability M10): by the
 * configuration (`risk.perpetuals`), and where that is silent, by the first position that was told of the symbol in this
 * process. Looked at with every list of positions; it opens when they are right again.
 */
import type { VenuePosition } from '../model/account.ts';
import type { Gate, GateClosure } from '../model/ports.ts';
import type { RiskOptions } from './options.ts';

interface Settings {
  readonly positionMode: 'one-way' | 'hedge';
  readonly marginType: 'isolated' | 'cross';
}

export class PerpetualSettings implements Gate {
  readonly name = 'perpetual-settings';
  readonly #asserted: RiskOptions['perpetuals'];
  readonly #alarm: (message: string) => void;
  readonly #first = new Map<string, Settings>();
  /** Symbol → what is wrong. */
  readonly #wrong = new Map<string, string>();

  constructor(asserted: RiskOptions['perpetuals'], alarm: (message: string) => void) {
    this.#asserted = asserted;
    this.#alarm = alarm;
  }

  closedBecause(symbol: string): GateClosure | null {
    const message = this.#wrong.get(symbol);
    return message === undefined ? null : { reason: 'margin_settings', message };
  }

  told(positions: readonly VenuePosition[]): void {
    const bySymbol = Map.groupBy(positions, ({ symbol }) => symbol);
    for (const [symbol, rows] of bySymbol) this.#judge(symbol, rows);
  }

  #judge(symbol: string, rows: readonly VenuePosition[]): void {
    const problems = new Set(rows.flatMap((row) => this.#problems(symbol, row)));
    if (problems.size === 0) {
      this.#wrong.delete(symbol);
      return;
    }
    const message = `${symbol}: ${[...problems].join(', ')}`;
    if (this.#wrong.get(symbol) !== message) this.#alarm(`${message}; no new risk until it is as asserted`);
    this.#wrong.set(symbol, message);
  }

  #problems(symbol: string, { positionSide, marginType, leverage }: VenuePosition): readonly string[] {
    const positionMode = positionSide === 'both' ? 'one-way' : 'hedge';
    const first = this.#first.get(symbol) ?? { positionMode, marginType };
    this.#first.set(symbol, first);
    const { leverage: leverageMax, ...asserted } = this.#asserted;
    const wanted = { ...first, ...asserted };
    const found: string[] = [];
    if (positionMode !== wanted.positionMode)
      found.push(`position mode is ${positionMode}, not ${wanted.positionMode}`);
    if (marginType !== wanted.marginType) found.push(`margin type is ${marginType}, not ${wanted.marginType}`);
    if (leverageMax !== undefined && Number(leverage) > leverageMax)
      found.push(`leverage is ${leverage}, above ${leverageMax}`);
    return found;
  }
}
