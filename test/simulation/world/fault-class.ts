/**
 * The class of a world by what struck in it (docs/fault-model.md): A heals by itself, B may stop a symbol or the process
 * until a human has looked. Some faults that heal alone are of class B together: then two explanations fit what is read.
 */
import { faultRows, type FaultKind } from './fault-plan.ts';

export type FaultClass = 'A' | 'B';

/** What may leave an order or a cancel of unknown outcome. */
const unknownFates: readonly FaultKind[] = [
  'request-lost',
  'request-late',
  'answer-lost',
  'answer-late',
  'answer-reset',
  'answer-garbage',
  'status-after',
  'kill-at-send',
  'kill-at-journal',
  'power-loss',
];

/** Trades of others. */
const others: readonly FaultKind[] = ['human-order', 'human-trade', 'human-futures'];

const jumps: readonly FaultKind[] = ['mark-jump', 'jump-while-down'];

/** One of the first and one of the second together. */
const pairs: readonly (readonly [readonly FaultKind[], readonly FaultKind[]])[] = [
  [['ids-forgotten'], unknownFates],
  [['venue-clock-step'], [...unknownFates, ...others, 'human-transfer']],
  [jumps, others],
];

/** What may leave a refusal that is not believed yet. */
const unkept: readonly FaultKind[] = ['status-before', 'rate-limit', 'hidden-limit', 'false-refusal'];

/** Money that a human moves. */
const byHand: readonly FaultKind[] = ['human-transfer', 'transfer-while-down', 'human-refills'];

export interface MoneyMoved {
  /** By strategies. */
  readonly transfers: boolean;
  /** By a human, by commands to the session and to the command line. */
  readonly money: boolean;
}

/** `wasShared`: what was liquidated had several holders. */
export function faultClassOf(
  struck: Pick<ReadonlyMap<FaultKind, unknown>, 'has' | 'keys'>,
  wasShared: boolean,
  { transfers, money }: MoneyMoved = { transfers: false, money: false },
): FaultClass {
  for (const kind of struck.keys()) if ('halts' in faultRows[kind]) return 'B';
  const any = (kinds: readonly FaultKind[]): boolean => kinds.some((kind) => struck.has(kind));
  if (wasShared || ((money || (transfers && any(byHand))) && any([...unknownFates, ...unkept]))) return 'B';
  return pairs.some(([one, other]) => any(one) && any(other)) ? 'B' : 'A';
}
