/** `p2pTrade`: one step of a trade of an own advertisement. Only the strategy says that money arrived. */
import type { P2pTradeAction } from '../model/action.ts';
import { denied, type Denied } from '../model/deny-reason.ts';
import type { P2pTradeStatus } from '../model/p2p.ts';
import type { MoneyRequest } from '../model/money-commands.ts';
import type { StrategySlot } from '../risk/strategy-slot.ts';
import { isRetreat } from '../spine/money/kinds.ts';
import type { P2pBook } from './p2p-book.ts';
import { blockedBy, type TreasuryPort } from './port.ts';

interface Step {
  readonly kind: 'startTrade' | 'payTrade' | 'confirmTrade' | 'disputeTrade' | 'cancelTrade';
  readonly from: readonly P2pTradeStatus[];
}

/** Interface, "P2P trade": documented and assumed moves. */
const steps: Readonly<Record<P2pTradeAction['do'], Step>> = {
  start: { kind: 'startTrade', from: ['open:wait-confirm'] },
  pay: { kind: 'payTrade', from: ['open'] },
  confirm: { kind: 'confirmTrade', from: ['send-payment-document', 'dispute:open'] },
  dispute: { kind: 'disputeTrade', from: ['send-payment-document'] },
  cancel: { kind: 'cancelTrade', from: ['open:wait-confirm', 'open'] },
};

export function tradeRequest({ tradeId, do: step, reason }: P2pTradeAction): MoneyRequest {
  const { kind } = steps[step];
  if (kind !== 'disputeTrade') return { kind, tradeId };
  return { kind, tradeId, reason: reason ?? 'the payment did not arrive' };
}

export function p2pDenial({ tag, limits }: StrategySlot): Denied | null {
  if (limits.p2p === true) return null;
  const how = 'run it with a configuration that has it, such as --config config/p2p.yaml';
  return denied('p2p_not_allowed', `limits.p2p of ${tag} is not true: ${how}`);
}

export function tradeDenial(
  port: TreasuryPort,
  book: P2pBook,
  slot: StrategySlot,
  action: P2pTradeAction,
): Denied | null {
  const { tag } = slot;
  const { tradeId, do: step } = action;
  const notAllowed = p2pDenial(slot);
  if (notAllowed !== null) return notAllowed;
  const trade = book.trades.get(tradeId);
  if (trade === undefined || port.state.money.advertiserOf(trade.advertisementId) !== tag)
    return denied('unknown_trade', `${tradeId} is no trade of an advertisement of ${tag}`, 'tradeId');
  if (!steps[step].from.includes(trade.status))
    return denied('superseded', `trade ${tradeId} is ${trade.status}: no ${step} from there`, 'do');
  // Neither moves money.
  if (step === 'dispute' || isRetreat(tradeRequest(action))) return null;
  if (port.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
  return blockedBy(port);
}
