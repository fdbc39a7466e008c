/**
 * The commands of the bot, one row each. What adds risk is answered with a code and carried out by `/confirm CODE` within
 * a minute; what removes risk is carried out at once.
 */
import { parseDuration } from '../../model/time.ts';
import type { RemoteOrder } from '../../session/remote/remote-order.ts';
import type { BotSession } from './bot-session.ts';
import {
  balanceText,
  dailyText,
  limitsText,
  ordersText,
  planText,
  positionsText,
  profitText,
  statusText,
} from './texts.ts';

const LOG_LINES = 15;
const LOG_LINES_MAX = 40;

export interface Asked {
  readonly session: BotSession;
  readonly words: readonly string[];
  /** Orders as the chat that asks; answers with what came of it. */
  readonly order: (order: Terms) => Promise<string>;
}

export type Terms = Omit<RemoteOrder, 'key' | 'who' | 'reason'> & { readonly reason?: string };

interface CommandRow {
  readonly about: string;
  /** Such a command is carried out however many came before it. */
  readonly removesRisk?: true;
  readonly run: (asked: Asked) => Promise<string> | string;
}

const shown =
  (text: (detail: Awaited<ReturnType<BotSession['detail']>>) => string): CommandRow['run'] =>
  async ({ session }) =>
    text(await session.detail());

export const botCommands: Readonly<Record<string, CommandRow>> = {
  status: { about: 'state, result, gates', run: shown(statusText) },
  positions: { about: 'what is held', run: shown(positionsText) },
  orders: { about: 'open orders and programs', run: shown(ordersText) },
  profit: { about: 'result since the start', run: shown(profitText) },
  daily: { about: 'result of today, UTC', run: shown(dailyText) },
  balance: { about: 'balances', run: shown(balanceText) },
  why: {
    about: 'REF: why an order is as it is',
    run: ({ session, words: [ref] }) => (ref === undefined ? 'Which order? /why REF' : session.why(ref)),
  },
  pause: {
    about: '[STRATEGY] [REASON]: no new risk',
    removesRisk: true,
    run: async ({ session, words, order }) => {
      const { strategy, reason } = await strategyIn(session, words);
      return order({ command: 'pause', ...strategy, ...reason });
    },
  },
  resume: {
    about: '[STRATEGY or SYMBOL]: take new risk again',
    run: async ({ session, words, order }) => {
      const { strategy, reason, rest } = await strategyIn(session, words);
      const halted = (await session.plan()).halts.find(({ symbol }) => symbol === rest[0]);
      return order({
        command: 'resume',
        ...strategy,
        ...(halted === undefined ? {} : { symbol: halted.symbol }),
        ...reason,
      });
    },
  },
  flatten: {
    about: '[STRATEGY or SYMBOL]: cancel and close',
    removesRisk: true,
    run: async ({ session, words, order }) => {
      const { strategy, reason, rest } = await strategyIn(session, words);
      const { symbols } = await session.detail();
      const symbol = symbols.find((one) => one.symbol === rest[0])?.symbol;
      // A name that is misspelt must not close everything.
      if (rest[0] !== undefined && symbol === undefined) return `There is no strategy and no symbol ${rest[0]} here.`;
      return order({ command: 'flatten', ...strategy, ...(symbol === undefined ? {} : { symbol }), ...reason });
    },
  },
  kill: {
    about: '[REASON]: cancel everything, send nothing more',
    removesRisk: true,
    run: ({ words, order }) => order({ command: 'kill', ...reasonOf(words) }),
  },
  plan: {
    about: '[ID=CHOICE]: what waits for a decision',
    run: async ({ session, words: [decision], order }) =>
      decision === undefined ? planText(await session.plan()) : order({ command: 'plan/apply', decision }),
  },
  limits: {
    about: '[LIMIT VALUE [FOR]]: what is used, or another value for at most an hour',
    run: async ({ session, words: [limit, value, time], order }) => {
      if (limit === undefined || value === undefined) return limitsText(await session.detail());
      const forMs = time === undefined ? {} : { forMs: parseDuration(time) };
      if (Number.isNaN(forMs.forMs)) return `${time ?? ''} is no time such as 30m.`;
      return order({ command: 'limits/override', limit, value: value === 'default' ? null : value, ...forMs });
    },
  },
  logs: {
    about: '[LINES]: the end of the log',
    run: async ({ session, words: [count] }) => {
      const wanted = Math.min(LOG_LINES_MAX, Math.max(1, Math.floor(Number(count ?? LOG_LINES)) || LOG_LINES));
      const lines = await session.log(wanted);
      return lines.length === 0 ? 'the log is empty' : lines.join('\n');
    },
  },
  help: { about: 'this list', run: () => helpText() },
};

export function helpText(): string {
  return [
    ...Object.entries(botCommands).map(([name, { about }]) => `/${name} ${about}`),
    '/confirm CODE carries out what asked for a code',
  ].join('\n');
}

function reasonOf(words: readonly string[]): { readonly reason?: string } {
  const reason = words
    .join(' ')
    .replaceAll(/\p{Cc}/gu, '')
    .slice(0, 300);
  return reason === '' ? {} : { reason };
}

/** A first word that is the tag of a strategy names it; `rest`: the words after it. */
async function strategyIn(
  session: BotSession,
  words: readonly string[],
): Promise<{
  readonly strategy: { readonly strategy?: string };
  readonly reason: { readonly reason?: string };
  readonly rest: readonly string[];
}> {
  const { strategies } = await session.detail();
  const [first, ...others] = words;
  const tag = strategies.find((one) => one.tag === first)?.tag;
  const rest = tag === undefined ? words : others;
  return { strategy: tag === undefined ? {} : { strategy: tag }, reason: reasonOf(rest), rest };
}
