/**
 * `p2pTrade`: one step of a trade of an advertisement that this strategy made. The table says from which states a step may
 * be taken; the exchange has the last word. Nothing here decides that money arrived: `confirm` is the strategy's word.
 */
import type { P2pTradeAction } from '../../model/action.ts';
import { denied, type Denied } from '../../model/deny-reason.ts';
import type { P2pTradeStatus } from '../../model/p2p.ts';
import type { MoneyRequest } from '../../model/treasury.ts';
import type { Core } from '../core.ts';
import type { StrategySlot } from '../executor-types.ts';
import { isRetreat, type MoneyDesk } from './desk.ts';
import type { P2pBook } from './p2p-book.ts';
import { p2pNotAllowed } from './p2p-permission.ts';

type Step = P2pTradeAction['do'];

/** Interface, "P2P trade": documented and assumed moves. */
const allowedFrom: Readonly<Record<Step, readonly P2pTradeStatus[]>> = {
  start: ['open:wait-confirm'],
  pay: ['open'],
  confirm: ['send-payment-document', 'dispute:open'],
  dispute: ['send-payment-document'],
  cancel: ['open:wait-confirm', 'open'],
};

function requestOf({ tradeId, do: step, reason }: P2pTradeAction): MoneyRequest {
  switch (step) {
    case 'start':
      return { kind: 'startTrade', tradeId };
    case 'pay':
      return { kind: 'payTrade', tradeId };
    case 'confirm':
      return { kind: 'confirmTrade', tradeId };
    case 'dispute':
      return { kind: 'disputeTrade', tradeId, reason: reason ?? 'the payment did not arrive' };
    case 'cancel':
      return { kind: 'cancelTrade', tradeId };
  }
}

export class TradeDesk {
  readonly #core: Core;
  readonly #desk: MoneyDesk;
  readonly #book: P2pBook;

  constructor(core: Core, desk: MoneyDesk, book: P2pBook) {
    this.#core = core;
    this.#desk = desk;
    this.#book = book;
  }

  step(slot: StrategySlot, action: P2pTradeAction): void {
    const core = this.#core;
    const { tag } = slot;
    const request = requestOf(action);
    const denial = this.#denial(slot, action, request);
    if (denial !== null) {
      core.deny(tag, 'p2pTrade', denial, undefined, action.tradeId);
      return;
    }
    core.risk.countMessage(tag, core.now());
    const lane = isRetreat(request) ? 'cancel' : 'create';
    const sent = this.#desk.send({ request, strategy: tag, lane, before: null }, () => {});
    if (sent.kind === 'denied') core.deny(tag, 'p2pTrade', sent.denied, undefined, action.tradeId);
  }

  #denial({ tag, limits }: StrategySlot, action: P2pTradeAction, request: MoneyRequest): Denied | null {
    const core = this.#core;
    const { tradeId, do: step } = action;
    if (limits.p2p !== true) return p2pNotAllowed(tag);
    const trade = this.#book.trades.get(tradeId);
    if (trade === undefined || core.state.money.advertiserOf(trade.advertisementId) !== tag)
      return denied('unknown_trade', `${tradeId} is no trade of an advertisement of ${tag}`, 'tradeId');
    if (!allowedFrom[step].includes(trade.status))
      return denied('superseded', `trade ${tradeId} is ${trade.status}: no ${step} from there`, 'do');
    // An appeal and a cancel keep money where it is.
    if (step === 'dispute' || isRetreat(request)) return null;
    if (core.stopping.has(tag)) return denied('stopping', `${tag} is stopping`);
    return core.gates.denial('', null) ?? core.kill.denial(false);
  }
}
