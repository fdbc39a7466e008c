/**
 * Long polling and its bounds: listed chats alone, fresh messages alone, so many commands a minute but for those that
 * remove risk. A message is acted on after it is acknowledged, so a restart repeats none:
 *
 *   getUpdates ─▶ kept ─▶ getUpdates with the next offset (acknowledges) ─▶ carried out ─▶ sendMessage
 */
import { messageOf } from '../../model/errors.ts';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import type { BotApi, BotUpdate } from './bot-api.ts';

const WAIT_S = 25;
const PAUSE_MS = 1_000;
const PAUSE_MS_MAX = 60_000;
/** An older command was meant for another moment. */
const AGE_MS_MAX = 120_000;
const MINUTE_MS = 60_000;
/** Of a chat in a minute, those that remove risk counted apart. */
const ANSWERS_MAX = 20;
const STRANGERS_TOLD_MAX = 20;
/** Answers that wait to be sent. */
const WAITING_MAX = 40;
/** If Telegram asks for a longer wait than this, the answer is dropped. */
const SEND_WAIT_MS_MAX = 30_000;

export interface BotDeps {
  readonly api: Pick<BotApi, 'updates' | 'send' | 'close'>;
  readonly chats: readonly string[];
  readonly clock: Clock;
  readonly logger: Logger;
  /** The answer to a command; it may throw. */
  readonly answer: (text: string, chat: string, updateId: number) => Promise<string>;
  readonly removesRisk: (text: string) => boolean;
}

export class Bot {
  readonly #deps: BotDeps;
  readonly #chats: ReadonlySet<string>;
  readonly #strangers = new Set<string>();
  readonly #times = new Map<string, number[]>();
  #offset = 0;
  #kept: readonly BotUpdate[] = [];
  #sending: Promise<void> = Promise.resolve();
  #waiting = 0;
  #pauseMs = 0;
  #isStopped = false;
  readonly #wakes = new Set<() => void>();

  constructor(deps: BotDeps) {
    this.#deps = deps;
    this.#chats = new Set(deps.chats);
  }

  start(): Cancel {
    void this.#loop();
    return () => {
      this.#isStopped = true;
      this.#deps.api.close();
      for (const wake of this.#wakes) wake();
    };
  }

  async #loop(): Promise<void> {
    while (!this.#isStopped) {
      const kept = this.#kept;
      const isProbe = kept.length > 0 || this.#pauseMs > 0;
      const polled = await this.#deps.api.updates(this.#offset, isProbe ? 0 : WAIT_S);
      if (this.#isStopped) return;
      if (polled.kind === 'failed') {
        await this.#pause(polled.reason, polled.status, polled.retryAfterS * 1_000);
        continue;
      }
      if (this.#pauseMs > 0) this.#deps.logger.info({}, 'Telegram answers again');
      this.#pauseMs = 0;
      this.#kept = polled.value;
      this.#offset = polled.value.reduce((next, { update_id: id }) => Math.max(next, id + 1), this.#offset);
      for (const update of kept) await this.#take(update);
    }
  }

  async #pause(reason: string, status: number | null, leastMs: number): Promise<void> {
    const { logger } = this.#deps;
    if (this.#pauseMs === 0) logger.warn({ status }, `Telegram was not reached: ${reason}${adviceOn(status)}`);
    this.#pauseMs = Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS, this.#pauseMs * 2, leastMs));
    await this.#after(this.#pauseMs);
  }

  async #after(ms: number): Promise<void> {
    if (this.#isStopped) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const cancel = this.#deps.clock.after(ms, resolve);
    this.#wakes.add(resolve);
    await promise;
    this.#wakes.delete(resolve);
    cancel();
  }

  async #take({ update_id: id, message }: BotUpdate): Promise<void> {
    const text = message?.text;
    if (message === undefined || text === undefined || !text.startsWith('/')) return;
    const { chat, date } = message;
    if (!this.#chats.has(chat.id)) return this.#stranger(chat.id);
    const now = this.#deps.clock.now();
    const isUrgent = this.#deps.removesRisk(text);
    const count = this.#countIn(`${chat.id} ${isUrgent}`, now);
    if (count > ANSWERS_MAX && !isUrgent) return;
    const ageMs = now - date * 1_000;
    const answer =
      ageMs > AGE_MS_MAX
        ? `This is ${Math.round(ageMs / 1_000)} s old and was not carried out. Send it again.`
        : await this.#answer(text, chat.id, id);
    if (count > ANSWERS_MAX) return;
    const rest = isUrgent
      ? 'more are carried out without an answer'
      : 'more are ignored but /pause, /flatten and /kill';
    this.#say(
      chat.id,
      count < ANSWERS_MAX ? answer : `${answer}\n\n${ANSWERS_MAX} commands in a minute: for a moment ${rest}.`,
    );
  }

  /** With this one, answered or not; one that gets no answer does not prolong the wait for the next. */
  #countIn(name: string, now: number): number {
    const times = (this.#times.get(name) ?? []).filter((at) => now - at < MINUTE_MS);
    this.#times.set(name, times);
    if (times.length < ANSWERS_MAX) return times.push(now);
    return times.length + 1;
  }

  /** In order, and without holding up the next command: it may be a kill. */
  #say(chat: string, text: string): void {
    if (this.#waiting >= WAITING_MAX) return;
    this.#waiting++;
    this.#sending = this.#sending.then(async () => {
      await this.#send(chat, text);
      this.#waiting--;
    });
  }

  async #answer(text: string, chat: string, id: number): Promise<string> {
    try {
      return await this.#deps.answer(text, chat, id);
    } catch (thrown) {
      this.#deps.logger.error({ reason: messageOf(thrown) }, 'a command by Telegram failed');
      return 'That failed; the log of the session says why.';
    }
  }

  async #send(chat: string, text: string): Promise<void> {
    const { api, logger } = this.#deps;
    const first = await api.send(chat, text);
    if (first.kind === 'ok' || this.#isStopped) return;
    const waitMs = Math.max(PAUSE_MS, first.retryAfterS * 1_000);
    if (waitMs <= SEND_WAIT_MS_MAX) {
      await this.#after(waitMs);
      if (this.#isStopped || (await api.send(chat, text)).kind === 'ok') return;
    }
    logger.warn({ status: first.status }, `an answer by Telegram was not delivered: ${first.reason}`);
  }

  /** It gets no answer; the log says its number, so that the owner can list it. */
  #stranger(chat: string): void {
    if (this.#strangers.has(chat) || this.#strangers.size >= STRANGERS_TOLD_MAX) return;
    this.#strangers.add(chat);
    this.#deps.logger.warn({ chat }, 'a chat that is not listed sent a command by Telegram; it gets no answer');
  }
}

function adviceOn(status: number | null): string {
  if (status === 401 || status === 404) return '; the token of the bot is wrong';
  return status === 409 ? '; another process asks for the messages of this bot' : '';
}
