/** What the bot asks of a session: the queries of the API and its commands, nothing of its own. */
import type { RemoteAnswer, RemoteOrder } from '../../session/remote/remote-order.ts';
import type { PlanAnswer } from '../schemas/command.ts';
import type { SessionDetail } from '../schemas/session.ts';

export interface BotSession {
  detail(): Promise<SessionDetail>;
  /** Of an order or program, as the terminal shows it. Throws with what is wrong with the name. */
  why(ref: string): Promise<string>;
  plan(): Promise<PlanAnswer>;
  order(order: RemoteOrder): Promise<RemoteAnswer>;
  /** The last lines of its log. */
  log(lines: number): Promise<readonly string[]>;
}
