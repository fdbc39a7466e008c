/**
 * What commands that move money may never do, by the exchange's own books (docs/reliability-testing.md): none happens that was
 * not decided and sent, none twice, none that was concluded not to have, and what was concluded to have happened has; none is
 * decided while an equal one is in doubt; what a strategy moves stays within its limits.
 */
import type { JournalEntry } from '../../../src/model/entries/journal.ts';
import type { MoneyRequest } from '../../../src/model/funds/money-commands.ts';
import { dec, decimalText, ZERO, type Decimal } from '../../../src/model/numbers/money.ts';
import { utcDay } from '../../../src/model/time.ts';
import { fingerprintOf } from '../../../src/spine/money/content.ts';
import { isCancellation } from '../../../src/spine/money/kinds.ts';
import { isStep } from '../../../src/treasury/proofs.ts';
import { MoneySide } from './money-side.ts';
import { OLDER_JOURNAL } from './older-journal.ts';
import type { WatchedWorld } from './simulate.ts';
import { MONEY_MOVED } from './trace.ts';
import { TRANSFER_LIMITS } from './transfer-whims.ts';

interface Sent {
  readonly intentId: string;
  /** By what the exchange shows: a kind with an amount or an id that no other one has. */
  readonly key: string;
  readonly fingerprint: string;
  /** Of a strategy's transfer or a human's command; a ref moves money once. */
  readonly ref: string | null;
  readonly request: MoneyRequest;
  readonly isOfCommandLine: boolean;
  /** What was held before is known. */
  readonly hasBaseline: boolean;
  sentAtMs: number;
  isSent: boolean;
  hasHappened: boolean;
  /** As the journal says. */
  word: 'open' | 'happened' | 'not';
}

/** What a machine with a wrong clock may have dated otherwise. */
const MARGIN_MS = 60_000;

export class MoneyLaw {
  readonly #world: WatchedWorld;
  readonly #side: MoneySide;
  readonly #byIntent = new Map<string, Sent>();
  readonly #byKey = new Map<string, Sent[]>();
  readonly #seen = new Set<string>();
  /** Of a journal that is gone. */
  readonly #lost = new Set<string>();
  readonly #refs = new Map<string, string>();
  /** By day and strategy: what it moved or may have. */
  readonly #moved = new Map<string, Map<string, Decimal>>();

  constructor(world: WatchedWorld) {
    this.#world = world;
    this.#side = new MoneySide(world.venue);
  }

  line(us: number, what: string): void {
    if (what.startsWith(OLDER_JOURNAL)) this.#forget();
    if (MONEY_MOVED.test(what)) this.#look();
    if (!what.startsWith('journal [')) return;
    const rowTs = this.#world.machine.disk.rows.at(-1)?.ts ?? 0;
    const entries = JSON.parse(what.slice('journal '.length)) as readonly JournalEntry[];
    for (const entry of entries) this.#entry(entry, us, rowTs, false);
  }

  /** Rows of the journal of the command line. */
  commandLine(us: number, entries: readonly JournalEntry[]): void {
    for (const entry of entries) this.#entry(entry, us, 0, true);
  }

  hasHappened(intentId: string): boolean {
    return this.#byIntent.get(intentId)?.hasHappened === true;
  }

  /** What the command line does not know yet, and could know: nothing else moved what it would have moved. */
  unsettled(): readonly string[] {
    return this.#open()
      .filter((sent) => sent.isOfCommandLine && !this.#isBesideOthers(sent))
      .map(({ intentId, key }) => `nobody knows what became of ${intentId}, ${key}`);
  }

  /** Both sides agree: nothing is left open, and all that was said to have happened has. */
  end(): void {
    for (const { intentId, key, isOfCommandLine } of this.#open())
      if (!isOfCommandLine) this.#violated('V5', `nobody knows what became of ${intentId}, ${key}`);
  }

  #open(): readonly Sent[] {
    return [...this.#byIntent.values()].filter(({ word, isSent }) => isSent && word === 'open');
  }

  #isBesideOthers({ key, request, sentAtMs, hasBaseline }: Sent): boolean {
    // A status is shown whatever else moves, and so is what moves nothing.
    if (isStep(request) || request.kind === 'advertise' || request.kind === 'fiatCreate') return false;
    // The trading account never rests, and without a baseline nothing can be compared.
    if (!hasBaseline || request.kind === 'transfer' || request.kind === 'overdraftPay') return true;
    const currency = 'currency' in request ? request.currency : null;
    return this.#side.movedSince(sentAtMs - MARGIN_MS).some((row) => {
      const isSame = currency === null || row.currency === currency;
      // The row of a transfer does not show where it went.
      return isSame && (row.account === 'funding' || row.key.startsWith('transfer ')) && row.key !== key;
    });
  }

  /** What rows said that are gone nobody knows any more. */
  #forget(): void {
    for (const [intentId, { key, isOfCommandLine }] of this.#byIntent) {
      if (isOfCommandLine) continue;
      this.#lost.add(key);
      this.#byIntent.delete(intentId);
    }
    this.#refs.clear();
    this.#moved.clear();
  }

  #look(): void {
    for (const { id, key } of this.#side.effects()) {
      if (this.#seen.has(id)) continue;
      this.#seen.add(id);
      this.#happened(key, id);
    }
  }

  #happened(key: string, id: string): void {
    const sent = (this.#byKey.get(key) ?? []).filter(({ isSent }) => isSent);
    const left = sent.filter(({ hasHappened }) => !hasHappened);
    const one = left.find(({ word }) => word === 'open') ?? left[0];
    // What only takes something back leaves beside a full disk, too, without a row.
    const isFree = /^offer \d+ becomes (?:deactivated|canceled)$/.test(key) && this.#world.plan.counts.has('disk-full');
    if (isFree) {
      if (one !== undefined) one.hasHappened = true;
      return;
    }
    if (sent.length === 0) this.#violated('V1', `${id}, ${key}, happened and nobody sent it`);
    else if (one === undefined) this.#violated('V2', `${id}, ${key}, happened twice`);
    else if (one.word === 'not' && !this.#lost.has(key))
      this.#violated('V3', `${id}, ${key}, happened after it was concluded that it had not`);
    if (one === undefined) return;
    one.hasHappened = true;
    if (one.ref === null || this.#lost.has(key)) return;
    const other = this.#refs.get(one.ref);
    if (other !== undefined && other !== one.intentId)
      this.#violated('V2', `${one.intentId} moves what ${other} moved, by the same ref`);
    this.#refs.set(one.ref, one.intentId);
  }

  #entry(entry: JournalEntry, us: number, rowTs: number, isOfCommandLine: boolean): void {
    if (entry.kind === 'money-intent') {
      const { intentId, request, secretHash, strategy, ref } = entry;
      const key = keyOf(request, secretHash);
      if (key === null) return;
      const fingerprint = fingerprintOf(request, secretHash);
      for (const other of this.#open())
        // What only takes something back may be tried again.
        if (other.fingerprint === fingerprint && other.isOfCommandLine === isOfCommandLine && !isCancellation(request))
          this.#violated('V6', `${intentId}, ${key}, is decided while ${other.intentId} is in doubt`);
      const sent: Sent = {
        intentId,
        key,
        fingerprint,
        ref: ref === undefined ? null : `${strategy}/${ref}`,
        request,
        isOfCommandLine,
        hasBaseline: entry.before !== null,
        sentAtMs: 0,
        isSent: false,
        hasHappened: false,
        word: 'open',
      };
      this.#byIntent.set(intentId, sent);
      this.#byKey.set(key, [...(this.#byKey.get(key) ?? []), sent]);
      if (strategy !== '') this.#limited(strategy, intentId, request, rowTs);
      return;
    }
    const sent = 'intentId' in entry ? this.#byIntent.get(entry.intentId) : undefined;
    if (sent === undefined) return;
    if (entry.kind === 'money-sending') {
      if (sent.isSent) this.#violated('V2', `${sent.intentId} is sent a second time`);
      sent.isSent = true;
      sent.sentAtMs = us / 1000;
    } else if (entry.kind === 'money-outcome') {
      const { kind } = entry.outcome;
      if (kind === 'unknown' || entry.doubted === true) return;
      this.#concluded(sent, kind === 'accepted');
    } else if (entry.kind === 'money-resolved') this.#concluded(sent, entry.verdict === 'happened');
  }

  #concluded(sent: Sent, hasHappened: boolean): void {
    this.#look();
    sent.word = hasHappened ? 'happened' : 'not';
    if (!hasHappened) for (const sums of this.#moved.values()) sums.delete(sent.intentId);
    // Of the same content, by rows that are gone or of a cancellation: nobody can know which of the two it was.
    const isAmbiguous = this.#lost.has(sent.key) || isCancellation(sent.request);
    const isEither = isAmbiguous && this.#byKey.get(sent.key)?.some((each) => each.hasHappened) === true;
    // The exchange shows how something stands, not who made it so.
    const isAsItStands = isStep(sent.request) && hasHappened === this.#side.stands(sent.key);
    if (hasHappened !== sent.hasHappened && !(hasHappened && isEither) && !isAsItStands)
      this.#violated('V4', `${sent.intentId}, ${sent.key}, is concluded ${sent.word}, which is not so`);
  }

  /** All that it moved that day or may have, with this one. */
  #limited(strategy: string, intentId: string, request: MoneyRequest, rowTs: number): void {
    if (request.kind !== 'transfer') return;
    const { max, maxPerDay } = TRANSFER_LIMITS;
    const name = `${utcDay(rowTs)}/${strategy}`;
    const sums = this.#moved.get(name) ?? new Map<string, Decimal>();
    this.#moved.set(name, sums.set(intentId, dec(request.amount)));
    const sum = [...sums.values()].reduce((all, each) => all.plus(each), ZERO);
    if (dec(request.amount).gt(max.USDT) || sum.gt(maxPerDay.USDT))
      this.#violated('V7', `${intentId} moves ${request.amount}, and ${strategy} ${decimalText(sum)} that day`);
  }

  #violated(law: string, what: string): void {
    this.#world.laws.violated(law, what);
  }
}

/** Null: of a kind that no world brings. */
function keyOf(request: MoneyRequest, secretHash: string | undefined): string | null {
  switch (request.kind) {
    case 'transfer':
      return `transfer of ${request.amount} from ${request.from}`;
    case 'codeCreate':
      return `code of ${request.amount}`;
    case 'codeRedeem':
      return `code with the hash ${secretHash}`;
    case 'withdraw':
      return `withdrawal of ${request.amount} ${request.currency}`;
    case 'fiatCreate':
    case 'fiatSubmit':
      return `${request.type} of ${request.amount} ${request.currency}`;
    case 'cancelWithdrawal':
      return `end of ${request.transactionId}`;
    case 'fiatDelete':
      return `end of ${request.applicationId}`;
    case 'fiatConfirm':
      return `draft ${request.applicationId} is confirmed`;
    case 'advertise':
      return `offer of ${request.amount}`;
    case 'editAdvertisement':
      return `offer ${request.advertisementId} costs ${request.price}`;
    case 'activateAdvertisement':
      return `offer ${request.advertisementId} becomes active`;
    case 'deactivateAdvertisement':
      return `offer ${request.advertisementId} becomes deactivated`;
    case 'deleteAdvertisement':
      return `offer ${request.advertisementId} becomes canceled`;
    case 'overdraftPay':
      return `repayment of ${request.amount}`;
    default:
      return null;
  }
}
