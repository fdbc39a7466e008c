/**
 * `bracket`: exits of what the entry has filled. Take-profits rest; stop, trail and time are armed; the first that fires
 * cancels the rest and takes all that is left at market once they are gone.
 */
import type { Child, Desk, Reference, Side } from '../desk.ts';
import { awayBy, fires, priceOf, type Source, Trail, type TrailTerms } from './trigger.ts';

/** Ticks, or a distance from the entry's average price. */
export type ExitPrice = number | { readonly bps: number };

export interface BracketTerms {
  readonly side: Side;
  readonly quantity: number;
  /** Of the entry; null: at market. */
  readonly price: number | null;
  readonly takeProfit: readonly { readonly price: ExitPrice; readonly fraction: number }[];
  readonly stopLoss?: ExitPrice;
  readonly trailing?: TrailTerms;
  readonly timeLimitUs?: number;
  readonly by?: Source;
}

export function bracket(terms: BracketTerms): Reference {
  const { side, quantity, takeProfit } = terms;
  const exit: Side = side === 'buy' ? 'sell' : 'buy';
  const isLong = side === 'buy';
  let entry: Child | undefined;
  let trail: Trail | undefined;
  let firstFillUs: number | undefined;
  let fired: string | undefined;
  let leaving: Child | undefined;
  const resting: (Child | undefined)[] = takeProfit.map(() => undefined);
  const taken = takeProfit.map(() => 0);
  const average = (): number => (entry === undefined ? 0 : entry.value / entry.filled);
  const at = (price: ExitPrice, isProfit: boolean): number =>
    typeof price === 'number' ? price : awayBy(average(), price.bps, isProfit === isLong);

  /** Share of a level of what the entry has filled; the last level takes the rest where they are all of it. */
  const share = (index: number, filled: number): number => {
    const all = takeProfit.reduce((sum, level) => sum + level.fraction, 0);
    const upTo = (count: number): number => {
      const part = takeProfit.slice(0, count).reduce((sum, level) => sum + level.fraction, 0);
      return Math.floor((all > 1 - 1e-9 && count === takeProfit.length ? 1 : part) * filled + 1e-7);
    };
    return upTo(index + 1) - upTo(index);
  };

  const judgeTriggers = (desk: Desk): void => {
    if (fired !== undefined || entry === undefined || entry.filled === 0) return;
    const price = priceOf(desk, exit, terms.by);
    if (price === null) return;
    if (terms.trailing !== undefined) trail ??= new Trail(exit, terms.trailing);
    const stops = terms.stopLoss !== undefined && fires(exit, price, at(terms.stopLoss, false));
    if (stops) fired = 'stopLoss';
    else if (trail?.see(price) === true) fired = 'trailing';
    else if (firstFillUs !== undefined && desk.nowUs >= firstFillUs + (terms.timeLimitUs ?? Infinity))
      fired = 'timeLimit';
  };

  return {
    isEntry: (leg) => leg === 'entry',
    act: (desk, news) => {
      if (news.kind === 'start') entry = desk.send({ leg: 'entry', side, price: terms.price, quantity });
      if (entry === undefined || entry.filled === 0) return;
      if (firstFillUs === undefined) {
        // It fills at the exchange before it is known here, in whole ms.
        const [{ us } = { us: desk.nowUs }] = entry.played.fills;
        firstFillUs = Math.min(desk.nowUs, Math.max(us - (us % 1000), entry.played.createdUs));
        if (terms.timeLimitUs !== undefined) desk.wake(firstFillUs + terms.timeLimitUs);
      }
      const left = entry.filled - desk.filled(exit);
      if (left === 0 && !entry.isOpen) {
        desk.end('done', fired ?? 'takeProfit');
        return;
      }
      judgeTriggers(desk);
      if (fired !== undefined) {
        for (const child of desk.open()) if (child !== leaving) desk.cancel(child);
        // One exit for a lot: only what exits has to be gone.
        if (left > 0 && desk.open().every((child) => child === entry)) {
          leaving = desk.send({
            leg: fired === 'trailing' ? 'trailing' : fired,
            side: exit,
            price: null,
            quantity: left,
          });
        }
        return;
      }
      for (const [index, level] of takeProfit.entries()) {
        const child = resting[index];
        const wanted = share(index, entry.filled);
        const price = at(level.price, true);
        if (child?.isOpen === true) {
          if (child.wish.quantity + (taken[index] ?? 0) !== wanted || child.wish.price !== price) desk.cancel(child);
          continue;
        }
        if (child !== undefined) {
          taken[index] = (taken[index] ?? 0) + child.filled;
          resting[index] = undefined;
        }
        const missing = wanted - (taken[index] ?? 0);
        if (missing <= 0) continue;
        resting[index] = desk.send({ leg: `takeProfit:${index + 1}`, side: exit, price, quantity: missing });
      }
    },
  };
}
