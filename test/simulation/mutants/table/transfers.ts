/** Bugs of transfers between own accounts, in worlds where a share of the decisions are transfers. */
import type { Mutant } from '../mutant.ts';

const EVIDENCE = 'src/treasury/evidence.ts';
const PROOFS = 'src/treasury/proofs.ts';
const TRACES = 'src/treasury/traces.ts';
const INTENTS = 'src/treasury/money-intents.ts';
const STATE = 'src/spine/money/state.ts';
const share = { transfers: 0.4 } as const;

export const transferMutants: readonly Mutant[] = [
  {
    id: 'transfer-of-another-clock-forgotten',
    catalogue: 'V4',
    what: 'a transfer that the exchange dates before its sending is no candidate, and is called absent',
    file: TRACES,
    find: 'createdAt >= sentAt - times.fenceMarginMs',
    replace: 'createdAt >= sentAt',
    more: [
      { file: PROOFS, find: "if (dated !== undefined && totals.kind !== 'quiet')", replace: 'if (dated === null)' },
    ],
    faults: { 'venue-clocks-differ': 1, 'answer-lost': 0.3 },
    ...share,
  },
  {
    id: 'transfer-absent-too-early',
    catalogue: 'V3',
    what: 'lists that may lag, read while the request may still arrive, show that a transfer did not happen',
    file: EVIDENCE,
    find: 'if (waitMs < 0 || isOfCode(of)) return null;',
    replace: 'if (waitMs < Infinity) return null;',
    faults: { 'request-late': 0.2 },
    ...share,
  },
  {
    id: 'transfer-refusal-believed',
    catalogue: 'V4',
    what: 'a refusal of a transfer is believed without a look at the lists',
    file: INTENTS,
    find: "if (kind !== 'refused' || this.#hooks.doubtsRefusals !== true) return false;",
    replace: 'if (kind.length > 0) return false;',
    faults: { 'false-refusal': 0.3 },
    ...share,
  },
  {
    id: 'transfer-not-in-the-balance',
    catalogue: 'F3',
    what: 'what a transfer moved on the trading account does not explain its balance',
    file: STATE,
    find: 'this.tradingEffect(flow.currency).plus(flow.amount)',
    replace: 'this.tradingEffect(flow.currency)',
    ...share,
  },
];
