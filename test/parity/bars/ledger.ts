/**
 * A second ledger for bars, which knows two rules and no code of the product: what is decided at a close fills at the open
 * of the next bar, all at once and at that price. Beside it the decisions: which side of its slow average the fast one is on.
 */

export interface Bar {
  /** Unix ms of the open. */
  readonly openTime: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Base units. */
  readonly volume: number;
}

export interface LedgerFill {
  readonly ts: number;
  readonly side: 'buy' | 'sell';
  readonly price: number;
  /** Units: how many times the quantity of an entry. */
  readonly size: number;
}

/** Long above, short below, flat while the slow average is not known; one for each bar. */
export function crossSignals(bars: readonly Bar[], fast: number, slow: number): readonly number[] {
  const average = (at: number, span: number): number => {
    let sum = 0;
    for (let index = at - span + 1; index <= at; index++) sum += bars[index]!.close;
    return sum / span;
  };
  return bars.map((_, at) => (at < slow - 1 ? 0 : average(at, fast) > average(at, slow) ? 1 : -1));
}

/** Through zero in two fills: the position is closed, then the other one opened. */
export function fillsAtNextOpen(bars: readonly Bar[], signals: readonly number[]): readonly LedgerFill[] {
  const fills: LedgerFill[] = [];
  let position = 0;
  for (const [index, { openTime: ts, open: price }] of bars.entries()) {
    const wanted = index === 0 ? 0 : signals[index - 1]!;
    if (wanted === position) continue;
    const side = wanted > position ? 'buy' : 'sell';
    if (position !== 0) fills.push({ ts, side, price, size: 1 });
    if (wanted !== 0) fills.push({ ts, side, price, size: 1 });
    position = wanted;
  }
  return fills;
}
