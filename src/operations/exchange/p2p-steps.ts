/** Whether the state of a P2P trade allows a step of a user, before it is sent: a release cannot be undone. */
import { nextState, p2pTradeTransitions } from '../../exchange/interface/states.ts';
import type { P2pTrade } from '../../model/funds/p2p.ts';
import { refusedBeforehand } from './answers.ts';

export type P2pStep = 'start' | 'pay' | 'confirm' | 'dispute' | 'cancel';

/** `next`: what can be done instead. Throws `operation_refused` with `illegal_transition`. */
export function requireStep(what: string, { tradeId, status }: P2pTrade, step: P2pStep, next: string): void {
  if (nextState(p2pTradeTransitions, status, step) !== undefined) return;
  const states = p2pTradeTransitions.flatMap(({ from, trigger }) => (trigger === step ? [from] : []));
  const message = `trade ${tradeId} is ${status}, and ${step} needs ${states.join(' or ')}; next: ${next}`;
  throw refusedBeforehand(what, 'illegal_transition', message);
}
