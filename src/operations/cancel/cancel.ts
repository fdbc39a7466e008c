/** `cancel` and `cancel-all`: a command to a running session, then its journal until each end is confirmed. */
import { replayedBare } from '../../execution/programs/replayed-programs.ts';
import { replayJournal } from '../../journal/resume.ts';
import { readJournal } from '../../journal/verify.ts';
import type { Clock } from '../../model/ports.ts';
import { decimalText } from '../../model/numbers/money.ts';
import { nearest } from '../../model/text/nearest.ts';
import {
  CANCELED_BY_HAND,
  canceledByHand,
  cancelId,
  orderCancel,
  withdrawCancel,
  type CanceledByHand,
  type CancelOrder,
} from '../../session/controls/cancel-control.ts';
import { sessionErrors } from '../../session/errors.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import { filledLots, isClosed } from '../../spine/orders/order-machine.ts';
import type { Replay } from '../../spine/replay.ts';

/** For the session to heed it; it looks four times a second. */
const HEED_MS = 10_000;
/** Time for the exchange to confirm the cancels. */
export const PROOF_MS = 10_000;
const LOOK_MS = 50;

export type CancelWish =
  | { readonly kind: 'cancel'; readonly strategy: string; readonly ref: string }
  | { readonly kind: 'cancelAll'; readonly strategy: string | null; readonly symbol: string | null };

export interface EndedProgram {
  readonly ref: string;
  readonly kind: string;
  readonly strategy: string;
  readonly symbol: string;
  readonly state: string;
  readonly reason: string | null;
}

export interface EndedOrder {
  readonly ref: string;
  readonly strategy: string;
  readonly symbol: string;
  readonly side: string;
  readonly quantity: string;
  readonly filledQuantity: string;
  readonly state: string;
  readonly parent: string | null;
  readonly leg: string | null;
}

export interface Canceled {
  readonly id: string;
  readonly programs: readonly EndedProgram[];
  readonly orders: readonly EndedOrder[];
  /** Refs of orders whose end is not confirmed yet. */
  readonly unproved: readonly string[];
  /** Positions that lost an exit and have none that covers them now. Base units. */
  readonly unprotected: readonly { readonly strategy: string; readonly symbol: string; readonly quantity: string }[];
}

/** Throws `bad_option`, so that a typing error shows. */
export function requireKnown(option: 'strategy' | 'symbol', wanted: string, known: readonly string[]): void {
  if (known.length === 0 || known.includes(wanted)) return;
  const [near] = nearest(wanted, known);
  const hint = near === undefined ? `it has ${known.join(', ')}` : `nearest: ${near}`;
  throw sessionErrors.make('bad_option', `the session has no ${option} ${wanted}; ${hint}`, { option });
}

/** Throws `bad_option`, `cancel_not_heeded`, and what the journal throws. */
export async function cancelInSession(
  folder: SessionFolder,
  wish: CancelWish,
  reason: string,
  clock: Clock,
): Promise<Canceled> {
  const { path, record } = folder;
  const id = cancelId();
  const sight = new Sight(path, id);
  if (wish.kind === 'cancelAll' && wish.symbol !== null) requireKnown('symbol', wish.symbol, sight.symbols());
  const by = clock.now() + HEED_MS;
  const late = (isBack: boolean): Error => {
    const rest = isBack
      ? 'it is withdrawn: nothing is cancelled'
      : 'it was taken over and may still take effect; its log says why';
    const why = `${record.id} has not carried the command out within ${HEED_MS / 1000} s; ${rest}`;
    return sessionErrors.make('cancel_not_heeded', why, { id, isWithdrawn: isBack });
  };
  const wanted = (): CancelOrder => ({ ...wish, id, reason, at: clock.now() });
  while (!orderCancel(path, wanted())) await again(clock, by, () => late(true));
  for (sight.look(); sight.said === undefined; sight.look())
    await again(clock, by, () => late(withdrawCancel(path, id)));
  const deadline = clock.now() + PROOF_MS;
  while (sight.unproved(sight.said).length > 0 && clock.now() < deadline) {
    await pause(clock);
    sight.look();
  }
  return sight.answer(sight.said);
}

async function again(clock: Clock, by: number, late: () => Error): Promise<void> {
  if (clock.now() > by) throw late();
  await pause(clock);
}

async function pause(clock: Clock): Promise<void> {
  const over = Promise.withResolvers<void>();
  clock.after(LOOK_MS, over.resolve);
  await over.promise;
}

class Sight {
  readonly #path: string;
  readonly #id: string;
  readonly #replay: Replay;
  said: CanceledByHand | undefined;

  constructor(path: string, id: string) {
    this.#path = path;
    this.#id = id;
    this.#replay = replayJournal(path);
  }

  look(): void {
    for (const row of readJournal(this.#path, this.#replay.rows + 1)) {
      this.#replay.row(row);
      const { entry } = row;
      if (entry.kind !== 'record' || entry.name !== CANCELED_BY_HAND) continue;
      const read = canceledByHand.safeParse(entry.data);
      if (read.success && read.data.id === this.#id) this.said = read.data;
    }
  }

  symbols(): readonly string[] {
    return this.#replay.instruments.symbols();
  }

  unproved({ programs, orders }: CanceledByHand): readonly string[] {
    const { state } = this.#replay;
    const open = orders.filter(({ strategy, ref }) => {
      const order = state.orders.byRef(strategy, ref);
      return order !== undefined && !isClosed(order.progress);
    });
    const working = programs.filter(({ strategy, ref }) => state.programs.of(strategy, ref)?.state === 'working');
    return [...working, ...open].map(({ ref }) => ref);
  }

  answer(said: CanceledByHand): Canceled {
    const { state } = this.#replay;
    const programs = said.programs.flatMap(({ strategy, ref }): EndedProgram[] => {
      const program = state.programs.of(strategy, ref);
      if (program === undefined) return [];
      const { kind, symbol, reason } = program;
      return [{ ref, kind, strategy, symbol, state: program.state, reason }];
    });
    return {
      id: this.#id,
      programs,
      orders: this.#ordersOf(said),
      unproved: this.unproved(said),
      unprotected: this.#bare(said),
    };
  }

  #ordersOf({ orders }: CanceledByHand): readonly EndedOrder[] {
    return orders.flatMap(({ strategy, ref }): EndedOrder[] => {
      const order = this.#replay.state.orders.byRef(strategy, ref);
      if (order === undefined) return [];
      const { instrument, side, request, progress, parent = null, leg = null } = order;
      const filledQuantity = instrument.quantityText(Math.floor(filledLots(progress)));
      const { quantity } = request;
      return [
        {
          ref,
          strategy,
          symbol: instrument.symbol,
          side,
          quantity,
          filledQuantity,
          state: progress.state,
          parent,
          leg,
        },
      ];
    });
  }

  /** Only where something ended that could have been an exit. */
  #bare({ programs, orders }: CanceledByHand): Canceled['unprotected'] {
    const { state, instruments } = this.#replay;
    const places = new Map<string, { readonly strategy: string; readonly symbol: string }>();
    const add = (strategy: string, symbol: string): void =>
      void places.set(`${strategy} ${symbol}`, { strategy, symbol });
    for (const { strategy, ref } of programs) {
      const program = state.programs.of(strategy, ref);
      if (program !== undefined) add(strategy, program.symbol);
    }
    for (const { strategy, ref } of orders) {
      const order = state.orders.byRef(strategy, ref);
      if (order?.reduceOnly === true) add(strategy, order.instrument.symbol);
    }
    return [...places.values()].flatMap(({ strategy, symbol }) => {
      const bare = replayedBare(this.#replay, strategy, symbol);
      const instrument = instruments.find(symbol);
      if (bare === 0 || instrument === undefined) return [];
      return [{ strategy, symbol, quantity: decimalText(instrument.exactQuantity(bare)) }];
    });
  }
}
