/** The shipped market maker, live on an exchange of its own, from the moment when it has orders there. */
import { join } from 'node:path';
import { listSessions, type SessionFolder } from '../../src/session/store/store.ts';
import { freshFolder, start, strategyFile, type Running } from './cli.ts';
import { startExchange, writeExchangeConfig, type ExchangeProcess } from './exchange-process.ts';

export interface LiveMaker {
  readonly cwd: string;
  readonly exchange: ExchangeProcess;
  readonly config: string;
  /** Of the same start once more. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly bot: Running;
  /** The one session, with the process that runs it. */
  readonly session: SessionFolder;
  /** All sessions of the folder. */
  readonly sessions: () => readonly SessionFolder[];
}

/** `more` is appended to the configuration. */
export async function startMaker(more = '', strategy = strategyFile('spread-maker')): Promise<LiveMaker> {
  const cwd = freshFolder();
  const exchange = await startExchange(cwd);
  const config = writeExchangeConfig(cwd, exchange.line, more);
  const { login } = exchange.user;
  const args = ['run', strategy, '--config', config, '--live', '--confirm', login, '--json'];
  const env = exchange.keys;
  const bot = start(args, { cwd, env });
  await bot.during('open orders', async () => ((await exchange.activeOrders()).length > 0 ? true : undefined));
  const sessions = (): readonly SessionFolder[] => listSessions(join(cwd, 'data', 'sessions'));
  const [session, ...others] = sessions();
  if (session === undefined || others.length > 0) throw new Error('not one session');
  return { cwd, exchange, config, args, env, bot, session, sessions };
}
