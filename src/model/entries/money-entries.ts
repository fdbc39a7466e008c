/** Journal rows about money that moves without an order. */
import type { Json } from '../text/json.ts';
import type { MoneyOutcome } from '../result.ts';
import type { MoneyRequest } from '../funds/money-commands.ts';

export interface MoneyBaseline {
  /** Of the poll, Unix ms. */
  readonly at: number;
  /** `<account>/<currency>` → total, `positions/<symbol>/<side>` → held quantity; canonical text. */
  readonly totals: Readonly<Record<string, string>>;
}

/** No secrets; `secretHash` identifies equal ones. */
export interface MoneyIntentEntry {
  readonly kind: 'money-intent';
  readonly intentId: string;
  /** Empty: a human's command. */
  readonly strategy: string;
  readonly ref?: string;
  readonly request: MoneyRequest;
  readonly secretHash?: string;
  /** Of affected accounts; null when unreadable. */
  readonly before: MoneyBaseline | null;
}

export interface MoneySendingEntry {
  readonly kind: 'money-sending';
  readonly intentId: string;
}

export interface MoneyReceipt {
  readonly id: string | null;
  readonly status: string | null;
  /** Of what only the answer shows: the worth of a redeemed code. */
  readonly moved?: { readonly currency: string; readonly amount: string };
}

export interface MoneyOutcomeEntry {
  readonly kind: 'money-outcome';
  readonly intentId: string;
  readonly outcome: MoneyOutcome<MoneyReceipt>;
  /** A refusal that polls have yet to confirm: it stays unresolved. */
  readonly doubted?: true;
}

/** By poll results or by a human; `evidence` names the polls. */
export interface MoneyResolvedEntry {
  readonly kind: 'money-resolved';
  readonly intentId: string;
  readonly verdict: 'happened' | 'absent';
  readonly receipt: MoneyReceipt;
  readonly by: 'readings' | 'human';
  readonly evidence: Json;
}
