/** One strategy's view of the account. */
import { isFeeCorrection } from '../model/trading/fee-correction.ts';
import type { AccountEvent, Balance, StrategyAccount, StrategyPosition } from '../model/trading/account.ts';
import { ONE } from '../model/numbers/money.ts';
import { POSITION_SIDES, type OrderUpdate, type PositionSide } from '../model/trading/order.ts';
import { zeroBalance } from '../spine/balances.ts';
import type { Core } from './core.ts';
import { isClosed } from '../spine/orders/order-machine.ts';
import { toldPosition } from './rules/holdings.ts';
import { journalledFills, RecentFills } from './intake/own-fills.ts';
import type { Programs } from './programs/programs.ts';
import { flatPosition, type HeldPosition } from '../spine/positions.ts';
import type { ExecutorEvent } from '../spine/events.ts';

/** Denied placements that `orderByRef` still finds; the oldest are dropped. */
const DENIED_KEPT = 1_000;

/** `programs`: those of all strategies. */
export function createAccountView(core: Core, tag: string, programs: Programs): StrategyAccount {
  const refused = new Map<string, OrderUpdate>();
  const recent = new RecentFills();
  core.turn.listen((event) => {
    if (event.kind === 'fill' && event.strategy === tag && !core.writer.keeps && !isFeeCorrection(event.fill))
      recent.add(event.fill);
    if (event.kind === 'order' && event.strategy === tag && event.order.state === 'denied')
      remember(refused, event.order);
  });
  return {
    openOrders: (symbol) => openOrders(core, tag, symbol),
    orderByRef: (ref) => {
      const order = core.state.orders.byRef(tag, ref);
      return order === undefined ? refused.get(ref) : core.updateOf(order);
    },
    programs: () =>
      [...core.state.programs.all()]
        .filter(({ strategy }) => strategy === tag)
        .map((program) => programs.update(program)),
    programByRef: (ref) => {
      const program = core.state.programs.of(tag, ref);
      return program === undefined ? undefined : programs.update(program);
    },
    position: (symbol, positionSide) => positionOf(core, tag, symbol, positionSide),
    positions: () =>
      core.state.positions
        .all()
        .filter(({ strategy, position }) => strategy === tag && !position.quantity.isZero())
        .map((held) => toldPosition(core, held)),
    balance: (currency) => core.state.heard.balances.of(currency)?.balance ?? zeroBalance(currency),
    balances: () => core.state.heard.balances.all().map(({ balance }): Balance => balance),
    fillsSince: (cursor) => {
      if (!core.writer.keeps) return recent.since(cursor);
      core.writer.flush();
      return journalledFills(core.deps.journal, tag, cursor, core.deps.filledElsewhere);
    },
    listen: (listener) =>
      core.turn.listen((event) => {
        const told = accountEvent(event, tag);
        if (told !== undefined) listener(told);
      }),
  };
}

function remember(refused: Map<string, OrderUpdate>, order: OrderUpdate): void {
  refused.set(order.ref, order);
  const [oldest = ''] = refused.keys();
  if (refused.size > DENIED_KEPT) refused.delete(oldest);
}

function openOrders(core: Core, tag: string, symbol: string | undefined): readonly OrderUpdate[] {
  const live = symbol === undefined ? [...core.state.orders.allLive()] : core.state.orders.live(symbol);
  return live
    .filter((order) => order.strategy === tag && !isClosed(order.progress))
    .map((order) => core.updateOf(order));
}

/** Without a side: the first position found of one-way, long, short. */
function positionOf(core: Core, tag: string, symbol: string, positionSide?: PositionSide): StrategyPosition {
  const { positions } = core.state;
  let held: HeldPosition | undefined;
  for (const side of POSITION_SIDES) {
    if (positionSide !== undefined && side !== positionSide) continue;
    const known = positions.of(tag, symbol, side);
    if (held === undefined || (held.lots === 0 && known !== undefined && known.lots !== 0)) held = known;
  }
  if (held !== undefined) return toldPosition(core, held);
  const instrument = core.deps.instruments.find(symbol);
  return flatPosition(instrument ?? { symbol, market: 'spot', pricePrecision: 0, contractSize: ONE }, positionSide);
}

function accountEvent(event: ExecutorEvent, tag: string): AccountEvent | undefined {
  if (event.kind === 'balance') return { kind: 'balance', balance: event.balance };
  if (!('strategy' in event) || event.strategy !== tag) return undefined;
  switch (event.kind) {
    case 'order':
      return { kind: 'order', order: event.order };
    case 'fill':
      // A correction of a fee shows in the position.
      return isFeeCorrection(event.fill) ? undefined : { kind: 'fill', fill: event.fill };
    case 'position':
      return { kind: 'position', position: event.position };
    case 'program':
      return { kind: 'program', program: event.program };
    default:
      return undefined;
  }
}
