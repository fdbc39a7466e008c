/**
 * What transfers of a strategy may never do, by the exchange's own list (docs/reliability-testing.md): none happens that was
 * not decided and sent, none twice, none that was concluded not to have, and what was concluded to have happened has.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import { decimalText } from '../../../src/model/numbers/money.ts';
import { OLDER_JOURNAL } from './older-journal.ts';
import type { WatchedWorld } from './simulate.ts';
import { TRANSFERS } from './trace.ts';

interface Sent {
  /** By what the exchange lists: the account that paid, and an amount that no other transfer has. */
  readonly key: string;
  isSent: boolean;
  hasHappened: boolean;
  /** As the journal says. */
  word: 'open' | 'happened' | 'not';
}

const LISTED_MAX = 100;

export class TransferLaw {
  readonly #world: WatchedWorld;
  readonly #byIntent = new Map<string, Sent>();
  readonly #byKey = new Map<string, Sent>();
  readonly #seen = new Set<string>();
  /** Of a journal that is gone. */
  readonly #lost = new Set<string>();

  constructor(world: WatchedWorld) {
    this.#world = world;
  }

  line(_us: number, what: string): void {
    if (what.startsWith(OLDER_JOURNAL)) this.#forget();
    if (TRANSFERS.test(what)) this.#look();
    if (!what.startsWith('journal [')) return;
    for (const entry of JSON.parse(what.slice('journal '.length)) as readonly JournalEntry[]) this.#entry(entry);
  }

  hasHappened(intentId: string): boolean {
    return this.#byIntent.get(intentId)?.hasHappened === true;
  }

  /** Both sides agree: nothing is left open, and all that was said to have happened has. */
  end(): void {
    for (const [intentId, { word }] of this.#byIntent)
      if (word === 'open') this.#violated('V5', `nobody knows what became of ${intentId}`);
  }

  /** What rows said that are gone nobody knows any more. */
  #forget(): void {
    for (const { key } of this.#byIntent.values()) this.#lost.add(key);
    this.#byIntent.clear();
  }

  #look(): void {
    const { sandbox, user, transfersByHand } = this.#world.venue;
    const { userId } = sandbox.exchange.identity.userByLogin(user.login)!;
    const query = { from: 0, to: Infinity, limit: LISTED_MAX, before: Infinity };
    const { items } = sandbox.exchange.money.transactions.list(userId, { type: 'transfer' }, query);
    for (const { transactionId, account, amount } of items) {
      if (this.#seen.has(transactionId)) continue;
      this.#seen.add(transactionId);
      if (!transfersByHand.has(transactionId)) this.#happened(keyOf(account, decimalText(amount)), transactionId);
    }
  }

  #happened(key: string, transactionId: string): void {
    const sent = this.#byKey.get(key);
    if (sent?.isSent !== true) this.#violated('V1', `${transactionId}, ${key}, happened and nobody sent it`);
    else if (sent.hasHappened) this.#violated('V2', `${transactionId}, ${key}, happened twice`);
    else if (sent.word === 'not' && !this.#lost.has(key))
      this.#violated('V3', `${transactionId}, ${key}, happened after it was concluded that it had not`);
    if (sent !== undefined) sent.hasHappened = true;
  }

  #entry(entry: JournalEntry): void {
    if (entry.kind === 'money-intent') {
      if (entry.request.kind !== 'transfer') return;
      const key = keyOf(entry.request.from, entry.request.amount);
      const sent: Sent = { key, isSent: false, hasHappened: false, word: 'open' };
      this.#byIntent.set(entry.intentId, sent);
      this.#byKey.set(key, sent);
      return;
    }
    const sent = 'intentId' in entry ? this.#byIntent.get(entry.intentId) : undefined;
    if (sent === undefined) return;
    if (entry.kind === 'money-sending') {
      if (sent.isSent) this.#violated('V2', `${entry.intentId} is sent a second time`);
      sent.isSent = true;
    } else if (entry.kind === 'money-outcome') {
      const { kind } = entry.outcome;
      if (kind === 'unknown' || entry.doubted === true) return;
      this.#concluded(entry.intentId, sent, kind === 'accepted');
    } else if (entry.kind === 'money-resolved') this.#concluded(entry.intentId, sent, entry.verdict === 'happened');
  }

  #concluded(intentId: string, sent: Sent, hasHappened: boolean): void {
    this.#look();
    sent.word = hasHappened ? 'happened' : 'not';
    if (hasHappened !== sent.hasHappened)
      this.#violated('V4', `${intentId}, ${sent.key}, is concluded ${sent.word}, which is not so`);
  }

  #violated(law: string, what: string): void {
    this.#world.laws.violated(law, what);
  }
}

function keyOf(account: string, amount: string): string {
  return `${amount} USDT of ${account}`;
}
