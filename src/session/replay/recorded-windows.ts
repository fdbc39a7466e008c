/** Strategy windows with the session's answers. Unrecorded questions are answered as by an empty account. */
import type { AccountEvent, StrategyPosition } from '../../model/trading/account.ts';
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { noP2p, type TreasuryChange } from '../../model/funds/strategy-treasury.ts';
import { Hub, windowsThrough, type StrategyWindows } from '../decisions/strategy-windows.ts';

export type Retell = (ask: string) => { readonly answer: unknown } | undefined;

export interface RecordedWindows {
  readonly windows: StrategyWindows;
  account(event: AccountEvent): void;
  treasury(change: TreasuryChange): void;
  signal(signal: InboundSignal): void;
}

export function recordedWindows(instruments: Instruments, retell: Retell): RecordedWindows {
  const account = new Hub<AccountEvent>(() => () => {});
  const signals = new Hub<InboundSignal>(() => () => {});
  const treasury = new Hub<TreasuryChange>(() => () => {});
  const empty: StrategyWindows = {
    account: {
      openOrders: () => [],
      orderByRef: () => undefined,
      programs: () => [],
      programByRef: () => undefined,
      position: (symbol) => flat(instruments, symbol),
      positions: () => [],
      balance: (currency) => ({ account: 'unified-trading', currency, available: '0', locked: '0', total: '0' }),
      balances: () => [],
      fillsSince: () => [],
      listen: account.listen,
    },
    treasury: {
      accounts: () => [],
      ...noP2p,
      listen: treasury.listen,
    },
    state: { get: () => undefined, set: () => {} },
    warmup: new Map(),
    signals: { listen: signals.listen },
    answer: (_, live) => live(),
  };
  const windows = windowsThrough(empty, {
    answer: <T>(ask: string, live: () => T): T => {
      const told = retell(ask);
      // Same question, so the same shape.
      return told === undefined ? live() : (told.answer as T);
    },
    account: () => {},
    treasury: () => {},
    signal: () => {},
  });
  return {
    windows,
    account: (event) => account.tell(event),
    treasury: (change) => treasury.tell(change),
    signal: (signal) => signals.tell(signal),
  };
}

function flat(instruments: Instruments, symbol: string): StrategyPosition {
  const market = instruments.find(symbol)?.market ?? 'spot';
  return {
    symbol,
    market,
    positionSide: 'both',
    quantity: '0',
    size: 0,
    isFlat: true,
    entryPrice: null,
    realizedPnl: '0',
  };
}
