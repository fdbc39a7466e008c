/** The way to the process of a session that runs: in this process or another one. */
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { Cancel } from '../../model/ports.ts';
import type { Book } from '../schemas/market.ts';
import type { SessionDetail } from '../schemas/session.ts';
import type { Asked, Told, Wanted } from '../thread/messages.ts';

/** Of a stream; without `symbols` books of all of the session. */
export interface LiveWish {
  readonly topics: readonly ('equity' | 'book' | 'health')[];
  readonly symbols: readonly string[] | null;
  readonly depth: number;
  /** Entries up to this one are known. */
  readonly after: number;
}

export interface LiveEars {
  readonly heard: (text: string) => void;
  /** It ended, and not by who listens. */
  readonly over: () => void;
}

export interface SessionLink {
  /** Rejects with `bridge_no_answer`, `bridge_not_commandable`. */
  order(order: RemoteOrder): Promise<RemoteAnswer>;
  /** Null: not to be had. */
  ask(asked: Asked): Promise<Told | null>;
  want(wanted: Wanted): void;
  /** Where live parts do not come here: the session as its own server shows it; null: it did not answer. */
  readonly detail?: () => Promise<SessionDetail | null>;
  /** As `detail`. Null: no book is to be had. */
  readonly book?: (symbol: string, depth: number) => Promise<Book | null>;
  /** As `detail`: messages of the stream of its server, until called off. */
  readonly follow?: (wish: LiveWish, ears: LiveEars) => Cancel;
}
