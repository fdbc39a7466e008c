/** A position that a paper session resumes. */
import type { VenuePosition } from '../../model/trading/account.ts';

export interface RestoredPosition extends VenuePosition {
  /** Funding added to an isolated margin; negative: taken. */
  readonly funding?: string;
}
