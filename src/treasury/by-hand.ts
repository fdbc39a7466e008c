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

export class ByHand {
  readonly #port: TreasuryPort;
  readonly #intents: MoneyIntents;
  readonly #holdings: Holdings;

  constructor(port: TreasuryPort, intents: MoneyIntents, holdings: Holdings) {
    this.#port = port;
    this.#intents = intents;
    this.#holdings = holdings;
  }

  /**
   * Why a transfer under a strategy's limits would be denied; it is submitted as an action of that strategy. Null: it
   * would be sent.
   */
  transferDenialOf(tag: string, action: TransferAction): Denied | null {
    const slot = this.#port.slots.get(tag);
    if (slot === undefined) throw new RangeError(`no strategy ${tag}`);
    return (
      transferDenial(this.#port, this.#holdings, slot, action) ?? this.#intents.denialOf(transferRequest(action), {})
    );
  }

  /** Why it would be denied now; null: it would be sent. */
  denialOf({ request, secrets = {}, ref }: HandMove): Denied | null {
    const { money } = this.#port.state;
    if ('amount' in request && request.amount !== undefined) {
      const { amount } = request;
      if (!isDecimalText(amount)) return denied('not_finite', `amount ${amount} is not a decimal number`, 'amount');
      if (!dec(amount).gt(0)) return denied('not_positive', `amount ${amount} is not above zero`, 'amount');
    }
    const earlier = money.movedByHand(ref);
    if (earlier !== undefined)
      return denied('duplicate_ref', `${earlier.request.kind} ${earlier.intentId} of this key is ${earlier.fate}`);
    const doubled = this.#intents.denialOf(request, secrets);
    return doubled ?? (isReduction(request) ? null : blockedBy(this.#port));
  }

  /** One turn. Null: its intent is journalled, and it leaves. */
  send(move: HandMove): Denied | null {
    const { request, secrets = {}, ref } = move;
    let denial = this.denialOf(move);
    if (denial !== null) return denial;
    this.#port.turn.run(() => {
      const before = this.#holdings.baseline(request);
      denial = this.#intents.send({ request, secrets, strategy: BY_HAND, ref, before });
    });
    return denial;
  }
}
