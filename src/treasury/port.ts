/** What the treasury needs of the executor's core. */
import type { Action } from '../model/trading/action.ts';
import type { CashFlow } from '../model/trading/account.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { Instruments } from '../model/market/instrument.ts';
import type { Clock, Logger, MarketReader } from '../model/ports.ts';
import type { RiskService } from '../risk/service.ts';
import type { Gates } from '../risk/gates.ts';
import type { KillSwitch } from '../risk/kill-switch.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import type { AlarmCode } from '../spine/events.ts';
import type { StateView } from '../spine/trading-state.ts';
import type { Turn } from '../spine/turn.ts';
import type { MoneyPort } from './money-intents.ts';

export interface TreasuryPort extends MoneyPort {
  readonly deps: MoneyPort['deps'] & {
    readonly clock: Clock;
    readonly instruments: Instruments;
    readonly market: MarketReader;
    readonly logger: Logger;
    readonly options: { readonly reconcile: { readonly urgentIntervalMs: number } };
  };
  readonly slots: ReadonlyMap<string, StrategySlot>;
  readonly state: StateView;
  readonly turn: Turn;
  readonly gates: Gates;
  readonly kill: KillSwitch;
  readonly risk: Pick<RiskService, 'countMessage' | 'valuation'>;
  workWanted: boolean;
  now(): number;
  deny(strategy: string, action: Action['kind'], reason: Denied, symbol?: string, ref?: string): void;
  alarm(code: AlarmCode, message: string): void;
  /** Books money that moved without a trade, once per id. */
  flowed(flow: CashFlow): void;
}

/** Why new risk is denied now; null: it is permitted. */
export function blockedBy({ gates, kill }: TreasuryPort): Denied | null {
  return gates.denial('', null) ?? kill.denial(false);
}

export function stoppingDenial({ state }: TreasuryPort, tag: string): Denied | null {
  return state.stopping.has(tag) ? denied('stopping', `${tag} is stopping`) : null;
}
