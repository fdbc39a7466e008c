/**
 * Rows of the journal about money that moves without an order: intent, SENDING, outcome, and what settled an unknown one.
 * Written by `treasury/money-intents.ts`; part of the chain in `journal.ts`.
 */
import type { Json } from './json.ts';
import type { MoneyOutcome } from './result.ts';
import type { MoneyRequest } from './treasury.ts';

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
  /** Of the action; unique per strategy for ever. */
  readonly ref?: string;
  readonly request: MoneyRequest;
  readonly secretHash?: string;
  /** Affected accounts; null when unreadable. */
  readonly before: MoneyBaseline | null;
}

export interface MoneySendingEntry {
  readonly kind: 'money-sending';
  readonly intentId: string;
}

/** Nothing else of the answer. */
export interface MoneyReceipt {
  readonly id: string | null;
  readonly status: string | null;
}

export interface MoneyOutcomeEntry {
  readonly kind: 'money-outcome';
  readonly intentId: string;
  readonly outcome: MoneyOutcome<MoneyReceipt>;
}

/** By proof or by a human; `evidence` names the polls. */
export interface MoneyResolvedEntry {
  readonly kind: 'money-resolved';
  readonly intentId: string;
  readonly verdict: 'happened' | 'absent';
  readonly receipt: MoneyReceipt;
  readonly by: 'readings' | 'human';
  readonly evidence: Json;
}
