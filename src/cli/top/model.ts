/** What `tidewire top` shows: sessions, the chosen one in detail, a book. */
import type { Book } from '../../bridge/schemas/market.ts';
import type { SessionDetail, SessionSummary } from '../../bridge/schemas/session.ts';

export interface TopModel {
  /** Unix ms. */
  readonly now: number;
  readonly root: string;
  /** Null until they are read. */
  readonly sessions: readonly SessionSummary[] | null;
  /** Id of the chosen session; null without any, or until they are read. */
  readonly chosen: string | null;
  /** Null until it is read. */
  readonly detail: SessionDetail | null;
  /** Null: none is to be had. */
  readonly book: Book | null;
  readonly showsHelp: boolean;
}
