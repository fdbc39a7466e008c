/**
 * Rows of the journal about money that moves without an order: intent, SENDING, outcome, and what settled an unknown one.
 * Written and read by `execution/treasury/`; part of the chain in `journal.ts`.
 */
import type { Json } from './journal.ts';
import type { MoneyOutcome } from './result.ts';
import type { MoneyRequest } from './treasury.ts';

export interface MoneyBaseline {
  /** Unix ms at which the reading was sent. */
  readonly at: number;
  /** `<account>/<currency>` to total, `positions/<symbol>/<side>` to what was held; canonical text. */
  readonly totals: Readonly<Record<string, string>>;
}

/** Money is about to move without an order. Secrets are not in here: `secretHash` tells equal ones from others. */
export interface MoneyIntentEntry {
  readonly kind: 'money-intent';
  readonly intentId: string;
  /** Strategy tag; empty for a human's command. */
  readonly strategy: string;
  /** Of the strategy's action; unique per strategy for ever. */
  readonly ref?: string;
  readonly request: MoneyRequest;
  readonly secretHash?: string;
  /** The accounts that it would change, as last read before; null when they could not be read. */
  readonly before: MoneyBaseline | null;
}

export interface MoneySendingEntry {
  readonly kind: 'money-sending';
  readonly intentId: string;
}

/** What the venue calls the thing, and its state; never more of an answer than that. */
export interface MoneyReceipt {
  readonly id: string | null;
  readonly status: string | null;
}

export interface MoneyOutcomeEntry {
  readonly kind: 'money-outcome';
  readonly intentId: string;
  readonly outcome: MoneyOutcome<MoneyReceipt>;
}

/** The fate of an unknown movement was proved, or decided by a human; `evidence` names the readings. */
export interface MoneyResolvedEntry {
  readonly kind: 'money-resolved';
  readonly intentId: string;
  readonly verdict: 'happened' | 'absent';
  readonly receipt: MoneyReceipt;
  readonly by: 'readings' | 'human';
  readonly evidence: Json;
}
