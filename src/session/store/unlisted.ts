/** Refuses a live start where the exchange does not list a symbol in which the session to be resumed has something. */
import type { Instruments } from '../../model/market/instrument.ts';
import { sessionErrors } from '../errors.ts';
import { symbolsOf } from '../strategies.ts';
import { sessionState, type SessionState } from '../upkeep/session-state.ts';
import { resumable, type FolderWish } from './open-folder.ts';

/** Throws `symbol_not_listed`, and what the journal throws. */
export function requireListed(wish: FolderWish, instruments: Instruments, place: string): void {
  const folder = resumable(wish);
  if (folder === null) return;
  const standing = standingIn(sessionState(folder)).filter(({ symbol }) => instruments.find(symbol) === undefined);
  const wanted = new Set(
    wish.strategies.flatMap((strategy) =>
      symbolsOf(strategy, (text) => standing.some(({ symbol }) => symbol === text)),
    ),
  );
  const unwatched = standing.filter(({ symbol }) => wanted.has(symbol));
  if (unwatched.length === 0) return;
  const symbols = [...new Set(unwatched.map(({ symbol }) => symbol))];
  const { id } = folder.record;
  throw sessionErrors.make(
    'symbol_not_listed',
    `${place} does not list ${symbols.join(', ')} now, and ${id} has there ${unwatched.map(({ what }) => what).join(', ')}: nothing watches it`,
    { session: id, symbols },
  );
}

interface Standing {
  readonly symbol: string;
  readonly what: string;
}

function standingIn({ positions, programs, openOrders }: SessionState): readonly Standing[] {
  return [
    ...positions.map(({ symbol, tag, quantity }) => ({ symbol, what: `a position of ${quantity} ${symbol} (${tag})` })),
    ...programs.map(({ symbol, strategy, kind, ref }) => ({ symbol, what: `the ${kind} ${ref} (${strategy})` })),
    ...openOrders.map(({ symbol, side, quantity, ref }) => ({
      symbol,
      what: `the order ${ref} (${side} ${quantity})`,
    })),
  ];
}
