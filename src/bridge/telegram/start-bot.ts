/** A bot for the session of this process, by the queries and commands that the API uses. */
import { join } from 'node:path';
import type { Cancel, Clock, Logger } from '../../model/ports.ts';
import { whyOrder } from '../../operations/why/why-order.ts';
import { whyText } from '../../operations/why/why-text.ts';
import type { TelegramOptions } from '../../session/alerts/options.ts';
import { sessionFiles } from '../../session/store/store.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { logTail } from '../insight/log-tail.ts';
import { planOf } from '../routes/command-routes.ts';
import { BotApi } from './bot-api.ts';
import type { BotSession } from './bot-session.ts';
import { Bot } from './bot.ts';
import { botCommands } from './commands.ts';
import { CommandDesk } from './desk.ts';

/** Telegram shows no more of a command. */
const ABOUT_MAX = 256;

export function startBot(
  fleet: Pick<Fleet, 'find' | 'root'>,
  { token, chats, baseUrl }: TelegramOptions,
  clock: Clock,
  logger: Logger,
): Cancel {
  const api = new BotApi({ baseUrl, token });
  const desk = new CommandDesk(botSessionOf(fleet));
  const bot = new Bot({
    api,
    chats,
    clock,
    logger,
    answer: (text, chat, id) => desk.answer(text, chat, id),
    removesRisk: (text) => desk.removesRisk(text),
  });
  const menu = Object.entries(botCommands).map(([command, { about }]) => {
    return { command, description: about.slice(0, ABOUT_MAX) };
  });
  // A menu is a comfort: without it the commands work as well.
  void api.setCommands(menu);
  return bot.start();
}

function botSessionOf(fleet: Pick<Fleet, 'find' | 'root'>): BotSession {
  const own = (): ReturnType<Fleet['find']> => fleet.find('current');
  return {
    detail: () => own().detail(),
    why: async (ref) => whyText(await whyOrder(fleet.root, ref, own().folder.path)),
    plan: async () => planOf(own()),
    order: ({ key, who, ...command }) => own().orders.give(command, who, key),
    log: async (limit) =>
      logTail(join(own().folder.path, sessionFiles.log), { limit, level: 'info', after: 0 }).map(
        ({ ts, level, text }) => `${new Date(ts).toISOString().slice(11, 19)} ${level} ${text}`,
      ),
  };
}
