/**
 * Whether a reading of balances or positions can prove a difference: what may have moved them unseen. Pure. Used by the check of
 * the account.
 */
import type { ReadingMark, ResidualVerdict } from './residual.ts';

/** The circumstances of a reading. */
export interface CheckFacts extends ReadingMark {
  /**
   * The oldest own intent that is on its way, counted as `intents`; `Infinity`: nothing is, 0: something that is no order. A
   * difference that was not there before it proves nothing; that there is none proves something still.
   */
  readonly movingFrom: number;
}

/** What is on its way, if anything, was decided after the difference had been seen. */
export function isStill({ movingFrom }: CheckFacts, verdict?: ResidualVerdict): boolean {
  return movingFrom === Number.POSITIVE_INFINITY || (verdict?.kind === 'residual' && verdict.intents < movingFrom);
}
