/**
 * Carries out one money request: the only way in which a command of the terminal moves money. It goes through the money
 * journal of the account (`session/money.ts`): the intent is durable before the first byte leaves, and what an earlier
 * call left unknown is looked up first. A repeat of such a call is never sent in its place: it ends here, saying what is
 * known by now. What is asked is asked before (`plan.ts`), so that nobody waits with the journal locked.
 */
import { resolve } from 'node:path';
import { createExchangeTreasury } from '../../exchange/treasury.ts';
import { canonicalRequest, fingerprintOf, secretHashOf } from '../../execution/treasury/content.ts';
import { isHarmlessTwice, type Resolution } from '../../execution/treasury/desk.ts';
import type { MoneyRecord } from '../../execution/treasury/state.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/treasury.ts';
import { openMoneyJournal, type MoneyAccess } from '../../session/money.ts';
import type { CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import type { OpenExchange } from './open-exchange.ts';
import { accepted } from './outcome.ts';
import { timeText } from './text.ts';

export interface Move<K extends MoneyKind> {
  readonly request: MoneyRequest & { readonly kind: K };
  readonly secrets?: MoneySecrets;
  /** For people: "the transfer". */
  readonly what: string;
  /** Where an unknown end can be looked up: "see `tidewire account transactions`". */
  readonly look: string;
  /** What can be seen by now, after an unknown end: "0.01 was held, 0 is held now". */
  readonly seen?: () => Promise<string>;
}

/** Opens the money journal of this account, says on stderr what is known about earlier calls by now, and closes it. */
export async function withMoneyJournal<T>(
  io: CliIo,
  open: OpenExchange,
  work: (money: MoneyAccess, learnt: readonly Resolution[]) => Promise<T>,
): Promise<T> {
  const { exchange, config, clock, logger, name: exchangeName, credentials } = open;
  const treasury = createExchangeTreasury({ exchange, p2pSocket: null, clock });
  const account = await open.account();
  const sessionsDir = resolve(io.cwd, config.journal.dir);
  const publicKey = credentials?.publicKey ?? null;
  const identity = { sessionsDir, account, exchangeName, publicKey };
  const money = openMoneyJournal({ ...identity, config, clock, logger, treasury });
  try {
    const learnt = money.unresolved().length === 0 ? [] : await money.resolve();
    for (const { record, verdict } of learnt) {
      const said = { happened: 'did happen', absent: 'did not happen', open: 'is still unknown' }[verdict.kind];
      io.err(`note: an earlier ${recordText(record)} ${said}: ${verdict.why}\n`);
    }
    return await work(money, learnt);
  } finally {
    money.close();
  }
}

export function recordText({ request, intentId, createdAt }: MoneyRecord): string {
  return `${request.kind} ${intentId} of ${timeText(createdAt)}`;
}

type Repeatable = Pick<Move<MoneyKind>, 'request' | 'secrets' | 'what' | 'look'>;

function fingerprintFor({ request, secrets = {} }: Repeatable): string {
  return fingerprintOf(canonicalRequest(request), secretHashOf(secrets));
}

/**
 * Throws for a repeat of a call whose end was unknown: `operation_denied` while it still is (`--again` lets pass what does
 * no harm twice), `operation_happened` when it is proved to have happened and `--again` does not say that another one is wanted. Only the journal is asked, so it does
 * not matter which command proved it.
 */
function refuseRepeat(
  { again }: OpenExchange,
  move: Repeatable,
  money: MoneyAccess,
  learnt: readonly Resolution[],
): void {
  const fingerprint = fingerprintFor(move);
  const record = money.records().findLast((each) => each.fingerprint === fingerprint);
  if (record === undefined) return;
  const { intentId, fate, receipt, reason } = record;
  const earlier = `the earlier ${recordText(record)} has the same content`;
  const isHarmless = isHarmlessTwice(move.request);
  if (fate === 'accepted' && reason !== null && !again && !isHarmless) {
    const id = typeof receipt?.id === 'string' ? ` as ${receipt.id}` : '';
    throw cliErrors.make(
      'operation_happened',
      `nothing was sent: ${earlier}; its end was unknown (${reason}) and it did happen${id}`,
      { operation: move.what, intentId, receipt },
    );
  }
  if (fate !== 'unknown' || (again && isHarmless)) return;
  const anyway = isHarmless ? ', or send it anyway with `--again`: the exchange closes no more than there is' : '';
  const why = learnt.find((each) => each.record.intentId === intentId)?.verdict.why ?? reason;
  throw cliErrors.make(
    'operation_denied',
    `${move.what} was denied with unresolved_money: ${earlier} and may have happened: ${why}; ${move.look}, then try again, or decide with \`tidewire money decide ${intentId}\`${anyway}`,
    { operation: move.what, reason: 'unresolved_money', intentId },
  );
}

/** What is thrown for a repeat of an earlier unknown call, before anybody is asked anything. */
export function settleEarlier(io: CliIo, open: OpenExchange, move: Repeatable): Promise<void> {
  return withMoneyJournal(io, open, async (money, learnt) => refuseRepeat(open, move, money, learnt));
}

/** The journal looks an unknown end up at once: what that has shown. */
function sinceThen(money: MoneyAccess, fingerprint: string): string {
  const record = money.records().findLast((each) => each.fingerprint === fingerprint);
  if (record?.fate === 'accepted')
    return `looked up since: IT HAPPENED as ${record.receipt?.id ?? 'shown'}; do not repeat it`;
  if (record?.fate === 'absent') return 'looked up since: it did not happen';
  return 'the same request is denied until that is proved';
}

/**
 * Throws `operation_refused`, `operation_denied`, `operation_not_sent`, `operation_unknown` or `operation_happened`, and
 * the errors of the journal: without it nothing is sent.
 */
export async function moveMoney<K extends MoneyKind>(
  io: CliIo,
  open: OpenExchange,
  move: Move<K>,
): Promise<MoneyAnswers[K]> {
  const { request, secrets, what, look, seen } = move;
  return withMoneyJournal(io, open, async (money, learnt) => {
    refuseRepeat(open, move, money, learnt);
    const outcome = await money.send<K>(request, secrets, open.again);
    if (outcome.kind !== 'unknown') return accepted(what, outcome, look);
    const known = [sinceThen(money, fingerprintFor(move)), ...(seen === undefined ? [] : [await seen()]), look];
    return accepted(what, outcome, known.join('; '));
  });
}
