/** Reads a message, runs its command, and keeps what waits for a code: one order a chat. */
import { isTidewireError } from '../../model/errors.ts';
import { nearest } from '../../model/text/nearest.ts';
import type { RemoteOrder } from '../../session/remote/remote-order.ts';
import type { BotSession } from './bot-session.ts';
import { botCommands, helpText, type Terms } from './commands.ts';

const TEXT_MAX = 512;

export class CommandDesk {
  readonly #session: BotSession;
  readonly #waiting = new Map<string, RemoteOrder>();

  constructor(session: BotSession) {
    this.#session = session;
  }

  removesRisk(text: string): boolean {
    return rowOf(commandIn(text).name)?.removesRisk === true;
  }

  /** @param updateId the same message orders the same thing once */
  async answer(text: string, chat: string, updateId: number): Promise<string> {
    const { name, words } = commandIn(text);
    const key = `telegram-${chat}-${updateId}`;
    try {
      if (name === 'confirm') return await this.#confirm(chat, words[0] ?? '', key);
      const row = rowOf(name);
      if (row === undefined) return unknownText(name);
      const order = (terms: Terms): Promise<string> => this.#order(chat, orderOf(terms, chat, key));
      return await row.run({ session: this.#session, words, order });
    } catch (thrown) {
      if (!isTidewireError(thrown)) throw thrown;
      return `${thrown.message}\n${thrown.remedy}`;
    }
  }

  async #confirm(chat: string, code: string, key: string): Promise<string> {
    const order = this.#waiting.get(chat);
    if (order === undefined) return 'Nothing waits for a code.';
    if (!/^[0-9A-Fa-f]{6}$/.test(code)) return 'The code has six characters: /confirm CODE';
    // A wrong code ends it.
    this.#waiting.delete(chat);
    return this.#order(chat, { ...order, key, code });
  }

  async #order(chat: string, order: RemoteOrder): Promise<string> {
    const answer = await this.#session.order(order);
    if (answer.kind === 'failed') return `Not done: ${answer.message}\n${answer.remedy}`;
    if (answer.kind === 'done') return `Done: ${order.command}, journal row ${answer.seq}.`;
    this.#waiting.set(chat, order);
    return `This would ${answer.what}.\nTo do it, within a minute: /confirm ${answer.confirmCode}`;
  }
}

function commandIn(text: string): { readonly name: string; readonly words: readonly string[] } {
  const [first = '', ...words] = text.slice(0, TEXT_MAX).trim().split(/\s+/);
  // In a group it is `/status@name_of_the_bot`.
  return { name: first.slice(1).split('@', 1)[0]!.toLowerCase(), words };
}

function rowOf(name: string): (typeof botCommands)[string] | undefined {
  return Object.hasOwn(botCommands, name) ? botCommands[name] : undefined;
}

function orderOf(terms: Terms, chat: string, key: string): RemoteOrder {
  return { ...terms, key, who: `telegram ${chat}`, reason: terms.reason ?? 'by Telegram' };
}

function unknownText(name: string): string {
  if (name === 'start') return helpText();
  const [near] = nearest(name, Object.keys(botCommands));
  return `There is no /${name}. ${near === undefined ? 'See /help' : `Do you mean /${near}?`}`;
}
