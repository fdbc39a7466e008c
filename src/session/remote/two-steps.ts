/**
 * A command that adds risk is sent twice: the first is answered with a code, the second carries it within a minute. A
 * code confirms the effect named in its answer. If the same command would have another effect by now, it is refused.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../model/text/canonical.ts';
import { sessionErrors } from '../errors.ts';
import { CONFIRM_WITHIN_MS } from '../controls/limit-control.ts';
import { termsOf, type RemoteOrder } from './remote-order.ts';

/** Open at a time; the oldest goes. Of one asker fewer, so that none pushes out the codes of another. */
const OPEN_MAX = 64;
const OPEN_OF_ONE_MAX = 8;

interface Offer {
  readonly who: string;
  readonly key: string;
  readonly order: string;
  readonly meaning: string;
  readonly codeHash: Buffer;
  readonly expiresAt: number;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text.toUpperCase()).digest();
}

export class TwoSteps {
  #open: readonly Offer[] = [];

  /** `meaning`: what the order would do now, which of several instances included. */
  propose(
    order: RemoteOrder,
    meaning: string,
    now: number,
  ): { readonly confirmCode: string; readonly expiresAt: number } {
    const { who, key } = order;
    const confirmCode = randomBytes(3).toString('hex').toUpperCase();
    const expiresAt = now + CONFIRM_WITHIN_MS;
    const offer = { who, key, order: canonicalJson(termsOf(order)), meaning, codeHash: hashOf(confirmCode), expiresAt };
    const own = this.#open.filter((one) => one.who === who);
    const oldest = own.length < OPEN_OF_ONE_MAX ? undefined : own[0];
    this.#open = [...this.#open.filter((one) => one !== oldest), offer].slice(-OPEN_MAX);
    return { confirmCode, expiresAt };
  }

  /** By who asked for the same, with whichever key. Throws `remote_not_confirmed`. */
  confirm(order: RemoteOrder, code: string, meaning: string, now: number): void {
    const terms = canonicalJson(termsOf(order));
    const same = this.#open.filter((one) => one.who === order.who && one.order === terms);
    if (same.length === 0) throw failure('no such command waits for a code; send it without one first');
    const offer = same.find(({ codeHash }) => timingSafeEqual(hashOf(code), codeHash));
    const spent = offer === undefined ? meantBy(order, same) : [offer];
    this.#open = this.#open.filter((one) => !spent.includes(one));
    if (offer === undefined) throw failure('the code is another one');
    if (now > offer.expiresAt) throw failure('the code had to come within a minute');
    if (meaning !== offer.meaning) throw failure('what it confirms has changed since; ask again');
  }
}

/** What a wrong code can have been meant for: what was asked with its key, or else all. */
function meantBy({ key }: RemoteOrder, same: readonly Offer[]): readonly Offer[] {
  const byKey = same.filter((one) => one.key === key);
  return byKey.length > 0 ? byKey : same;
}

function failure(why: string): Error {
  return sessionErrors.make('remote_not_confirmed', why);
}
