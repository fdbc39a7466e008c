/**
 * The only way for a command to move money, through the money journal (`session/money/money.ts`). A repeat of a call of
 * unknown outcome is refused. Prompts come before, so that the journal is not locked meanwhile.
 */
import { resolve } from 'node:path';
import { canonicalRequest, fingerprintOf, secretHashOf } from '../../spine/money/content.ts';
import { isCancellation, isHarmlessTwice } from '../../spine/money/kinds.ts';
import type { MoneyRecord } from '../../spine/money/state.ts';
import type { MoneyAnswers, MoneyKind, MoneyRequest, MoneySecrets } from '../../model/funds/money-commands.ts';
import { isStep } from '../../treasury/proofs.ts';
import { openMoney, type MoneyAccess, type OpenMoney } from '../../session/money/money.ts';
import { onceShown, shown, type CliIo } from '../command.ts';
import { cliErrors } from '../errors.ts';
import type { OpenExchange } from './open-exchange.ts';
import { accepted } from './outcome.ts';
import { requireStep } from './shown.ts';
import { timeText } from './text.ts';

export interface Move<K extends MoneyKind> {
  readonly request: MoneyRequest & { readonly kind: K };
  readonly secrets?: MoneySecrets;
  /** For people: "the transfer". */
  readonly what: string;
  /** Where to look up an unknown outcome: "see `tidewire account transactions`". */
  readonly look: string;
  /** Evidence after an unknown outcome: "0.01 was held, 0 is held now". */
  readonly seen?: () => Promise<string>;
}

/** `untilShown` keeps the journal open until the result is shown: a process that dies before is known by it. */
export async function withMoneyJournal<T>(
  io: CliIo,
  open: OpenExchange,
  work: (money: OpenMoney, untilShown: () => void) => Promise<T>,
): Promise<T> {
  const { exchange, config, clock, logger, name: exchangeName, credentials } = open;
  // A command of several movements: the journal has one writer.
  shown(io);
  const account = await open.account();
  const sessionsDir = resolve(io.cwd, config.journal.dir);
  const publicKey = credentials?.publicKey ?? null;
  const money = await openMoney({ sessionsDir, account, exchangeName, publicKey, exchange, config, clock, logger });
  let isKept = false;
  try {
    for (const { record, verdict } of money.learnt) {
      const said = { happened: 'did happen', absent: 'did not happen', open: 'is still unknown' }[verdict.kind];
      io.err(`note: an earlier ${recordText(record)} ${said}: ${verdict.why}\n`);
    }
    return await work(money, () => {
      isKept = true;
      onceShown(io, (isShown) => money.close(isShown));
    });
  } finally {
    if (!isKept) money.close();
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
 * `operation_denied` while the outcome is unknown (`--again` permits harmless ones), `operation_happened` when it
 * happened, unless `--again`. A cancellation may be tried again at once: where it was made the exchange refuses it.
 */
async function refuseRepeat({ again }: OpenExchange, move: Repeatable, money: OpenMoney): Promise<void> {
  const fingerprint = fingerprintFor(move);
  const isHarmless = isHarmlessTwice(move.request);
  // Made, a step is refused a second time.
  const mayDouble = !isHarmless && !isStep(move.request);
  const doubt = mayDouble ? await money.disprove(fingerprint) : null;
  const record = money.records().findLast((each) => each.fingerprint === fingerprint);
  if (record === undefined) return;
  const { intentId, fate, receipt, reason } = record;
  const earlier = `the earlier ${recordText(record)} has the same content`;
  if (fate === 'accepted' && reason !== null && !again && !isHarmless && !isCancellation(move.request)) {
    const id = typeof receipt?.id === 'string' ? ` as ${receipt.id}` : '';
    throw cliErrors.make(
      'operation_happened',
      `nothing was sent: ${earlier}; its end was unknown (${reason}) and it did happen${id}`,
      { operation: move.what, intentId, receipt },
    );
  }
  // A code is redeemed once, so that there is nothing to wait for.
  if (fate === 'refused' && doubt?.kind === 'open' && !again && move.request.kind !== 'codeRedeem')
    throw cliErrors.make(
      'operation_denied',
      `${move.what} was denied with unresolved_money: ${earlier} and was refused, and whether that was true cannot be seen: ${doubt.why}; try again, or give --again`,
      { operation: move.what, reason: 'unresolved_money', intentId },
    );
  if (fate !== 'unknown' || (again && isHarmless) || isCancellation(move.request)) return;
  const anyway = isHarmless ? ', or send it anyway with `--again`: the exchange closes no more than there is' : '';
  const why = money.learnt.find((each) => each.record.intentId === intentId)?.verdict.why ?? reason;
  throw cliErrors.make(
    'operation_denied',
    `${move.what} was denied with unresolved_money: ${earlier} and may have happened: ${why}; ${move.look}, then try again, or decide with \`tidewire money decide ${intentId}\`${anyway}`,
    { operation: move.what, reason: 'unresolved_money', intentId },
  );
}

/** Refuses a repeat before any prompt. */
export function settleEarlier(io: CliIo, open: OpenExchange, move: Repeatable): Promise<void> {
  return withMoneyJournal(io, open, (money) => refuseRepeat(open, move, money));
}

/** Result of the journal's look-up of an unknown outcome. */
function sinceThen(money: MoneyAccess, fingerprint: string): string {
  const record = money.records().findLast((each) => each.fingerprint === fingerprint);
  if (record?.fate === 'accepted')
    return `looked up since: IT HAPPENED as ${record.receipt?.id ?? 'shown'}; do not repeat it`;
  if (record?.fate === 'absent') return 'looked up since: it did not happen';
  return 'the same request is denied until that is resolved';
}

/**
 * Throws `operation_refused`, `operation_denied`, `operation_not_sent`, `operation_unknown`, `operation_happened`,
 * `operation_contradicted` for a step that its own row does not show, and journal errors: without it nothing is sent.
 */
export async function moveMoney<K extends MoneyKind>(
  io: CliIo,
  open: OpenExchange,
  move: Move<K>,
): Promise<MoneyAnswers[K]> {
  const { request, secrets, what, look, seen } = move;
  return withMoneyJournal(io, open, async (money, untilShown) => {
    await refuseRepeat(open, move, money);
    const outcome = await money.send<K>(request, secrets, open.again);
    if (outcome.kind === 'accepted') untilShown();
    if (outcome.kind === 'accepted') await requireStep(open, move, outcome.value);
    if (outcome.kind !== 'unknown') return accepted(what, outcome, look);
    const known = [sinceThen(money, fingerprintFor(move)), ...(seen === undefined ? [] : [await seen()]), look];
    return accepted(what, outcome, known.join('; '));
  });
}
