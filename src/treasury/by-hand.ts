/**
 * Movements that a human orders while a session runs. They belong to no strategy, so no strategy's limit applies. A ref
 * moves money once, also after a restart.
 */
import type { TransferAction } from '../model/trading/action.ts';
import { denied, type Denied } from '../model/trading/deny-reason.ts';
import type { MoneyRequest, MoneySecrets } from '../model/funds/money-commands.ts';
import { dec, isDecimalText } from '../model/numbers/money.ts';
import { isReduction } from '../spine/money/kinds.ts';
import type { Holdings } from './holdings.ts';
import type { MoneyIntents } from './money-intents.ts';
import { blockedBy, type TreasuryPort } from './port.ts';
import { transferDenial, transferRequest } from './transfers.ts';

/** Strategy of movements by hand. */
export const BY_HAND = '';

export interface HandMove {
  readonly request: MoneyRequest;
  readonly secrets?: MoneySecrets;
  readonly ref: string;
}

export function byHandOf(port: TreasuryPort, intents: MoneyIntents, holdings: Holdings) {
  /**
   * Why a transfer under a strategy's limits would be denied; it is submitted as an action of that strategy. Null: it
   * would be sent.
   */
  const transferDenialOf = (tag: string, action: TransferAction): Denied | null => {
    const slot = port.slots.get(tag);
    if (slot === undefined) throw new RangeError(`no strategy ${tag}`);
    return transferDenial(port, holdings, slot, action) ?? intents.denialOf(transferRequest(action), {});
  };

  /** Why it would be denied now; null: it would be sent. */
  const denialOf = ({ request, secrets = {}, ref }: HandMove): Denied | null => {
    const { money } = port.state;
    if ('amount' in request && request.amount !== undefined) {
      const { amount } = request;
      if (!isDecimalText(amount)) return denied('not_finite', `amount ${amount} is not a decimal number`, 'amount');
      if (!dec(amount).gt(0)) return denied('not_positive', `amount ${amount} is not above zero`, 'amount');
    }
    const earlier = money.movedByHand(ref);
    if (earlier !== undefined)
      return denied('duplicate_ref', `${earlier.request.kind} ${earlier.intentId} of this key is ${earlier.fate}`);
    return intents.denialOf(request, secrets) ?? (isReduction(request) ? null : blockedBy(port));
  };

  /** One turn. Null: its intent is journalled, and it leaves. */
  const send = (move: HandMove): Denied | null => {
    const { request, secrets = {}, ref } = move;
    let denial = denialOf(move);
    if (denial !== null) return denial;
    port.turn.run(() => {
      denial = intents.send({ request, secrets, strategy: BY_HAND, ref, before: holdings.baseline(request) });
    });
    return denial;
  };

  return { transferDenialOf, denialOf, send };
}
