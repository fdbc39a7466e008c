/** What adds risk is ordered twice: the first order is answered with a code, the second brings it within a minute. */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson } from '../../model/canonical.ts';
import { sessionErrors } from '../errors.ts';
import { CONFIRM_WITHIN_MS } from '../limit-control.ts';
import type { RemoteOrder } from './remote-order.ts';

/** Open at a time; the oldest goes. */
const OPEN_MAX = 16;

interface Proposal {
  readonly order: string;
  readonly codeHash: Buffer;
  readonly expiresAt: number;
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text.toUpperCase()).digest();
}

/** Without its key, code and who: another window may confirm. */
function termsOf({ key: _key, code: _code, who: _who, ...terms }: RemoteOrder): string {
  return canonicalJson(terms);
}

export class TwoSteps {
  readonly #open: Proposal[] = [];

  propose(order: RemoteOrder, now: number): { readonly confirmCode: string; readonly expiresAt: number } {
    const confirmCode = randomBytes(3).toString('hex').toUpperCase();
    const expiresAt = now + CONFIRM_WITHIN_MS;
    this.#open.push({ order: termsOf(order), codeHash: hashOf(confirmCode), expiresAt });
    if (this.#open.length > OPEN_MAX) this.#open.shift();
    return { confirmCode, expiresAt };
  }

  /** A wrong code ends the proposal. Throws `remote_not_confirmed`. */
  confirm(order: RemoteOrder, code: string, now: number): void {
    const at = this.#open.findLastIndex((one) => one.order === termsOf(order));
    const fail = (why: string): Error => sessionErrors.make('remote_not_confirmed', why);
    const [proposal] = at === -1 ? [] : this.#open.splice(at, 1);
    if (proposal === undefined) throw fail('no such command waits for a code; send it without one first');
    if (now > proposal.expiresAt) throw fail('the code had to come within a minute');
    if (!timingSafeEqual(hashOf(code), proposal.codeHash)) throw fail('the code is another one');
  }
}
