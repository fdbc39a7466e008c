/**
 * The fate of money that moved without an order and of which nobody knows whether it did (transfers, codes, withdrawals,
 * fiat, P2P): what the exchange's own records prove is written down, in the journal of a stopped session and in that of
 * the account's own commands. What they do not prove stays, with the reason. A dry run concludes on copies. Called by
 * `heal.ts`.
 */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createExchangeTreasury } from '../exchange/treasury.ts';
import { JOURNAL_FILE, openJournal } from '../execution/journal/sqlite-store.ts';
import type { MoneyKind } from '../model/treasury.ts';
import { copied, type HealOptions } from './healing.ts';
import { moneyAccess } from './money.ts';
import { hasUnknown, moneyPlaces } from './money-place.ts';

export interface MoneyFinding {
  readonly journal: 'session' | 'account';
  readonly intentId: string;
  readonly kind: MoneyKind;
  readonly verdict: 'happened' | 'absent' | 'open';
  readonly why: string;
}

/** Throws `journal_locked` while a command moves money of the account, and the other errors of a journal. */
export async function healMoney(options: HealOptions): Promise<readonly MoneyFinding[]> {
  const { folder, connection } = options;
  const { name: exchangeName, publicKey } = connection;
  const findings = [...(await resolved('session', folder.path, options))];
  const identity = { sessionsDir: dirname(folder.path), account: folder.record.account, exchangeName, publicKey };
  for (const place of moneyPlaces(identity)) findings.push(...(await resolved('account', place, options)));
  return findings;
}

async function resolved(
  journal: MoneyFinding['journal'],
  place: string,
  { connection, config, logger, dryRun }: HealOptions,
): Promise<readonly MoneyFinding[]> {
  if (!existsSync(join(place, JOURNAL_FILE)) || !hasUnknown(place)) return [];
  const { exchange, clock } = connection;
  const access = moneyAccess({
    folder: place,
    journal: dryRun ? copied(place) : openJournal(place, { durability: config.journal.durability }),
    facts: { mode: 'reconcile' },
    treasury: createExchangeTreasury({ exchange, p2pSocket: null, clock }),
    config,
    clock,
    logger,
  });
  try {
    const resolutions = await access.resolve();
    return resolutions.map(({ record, verdict }) => {
      const { intentId, request } = record;
      return { journal, intentId, kind: request.kind, verdict: verdict.kind, why: verdict.why };
    });
  } finally {
    access.close();
  }
}
