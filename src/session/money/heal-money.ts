/** Resolves money movements of unknown outcome. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { JOURNAL_FILE, openJournal } from '../../journal/sqlite-store.ts';
import type { MoneyKind } from '../../model/funds/money-commands.ts';
import { copied, type HealOptions } from '../healing/healing.ts';
import { moneyAccess } from './money.ts';
import { hasUnknown, moneyPlaces } from './money-place.ts';

export interface MoneyFinding {
  readonly journal: 'session' | 'account';
  readonly intentId: string;
  readonly kind: MoneyKind;
  readonly verdict: 'happened' | 'absent' | 'open';
  readonly why: string;
}

/** Throws `journal_locked` and journal errors. */
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
  const store = dryRun ? copied(place) : openJournal(place, { durability: config.journal.durability });
  const access = moneyAccess(place, store, { exchange, config, clock, logger });
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
