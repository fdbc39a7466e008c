/**
 * `tidewire panic [--flatten]`: latches the kill switch of running sessions, cancels every order of the account, and
 * with `--flatten` sells what the bots hold. Works without a journal and beside a broken bot: it loads no database, and
 * of the configuration it reads the addresses and the sessions' folder alone. Never asks: it is the emergency stop.
 */
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { action, type BuildCommand } from '../command.ts';
import { configSource, durationOption } from '../config-option.ts';
import { keyOf } from '../operations/credentials.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { Instruments } from '../../model/instrument.ts';
import { messageOf } from '../../model/errors.ts';
import { isUncertified, UNCERTIFIED } from '../../session/certificates.ts';
import { loadConfig } from '../../session/config/load.ts';
import type { Config } from '../../session/config/schema.ts';
import { emergencyExchange } from '../../session/emergency.ts';
import { sessionErrors } from '../../session/errors.ts';
import { createLogger } from '../../session/logger.ts';
import type { Flattening } from '../../session/panic-flatten.ts';
import { cancelEverything, PANIC_PATIENCE_MS, Problems, tellSessions } from '../../session/panic.ts';
import { systemClock } from '../../session/system-clock.ts';

interface Options {
  readonly flatten?: boolean;
  readonly config?: string;
  readonly for?: string;
}

const HELP = `
Needs the addresses of the exchange and a key, nothing else: no journal, no database, no running bot. The addresses may
come from the environment (TIDEWIRE_EXCHANGE_BASE_URL, _GATEWAY_URL, _WS_URL). Exit 0 when it is proved that no order is
open, 4 when it is not. With --flatten 0 when every position was closed as well, 1 when the exchange refused to close one
or took a part of it, 4 when it is not known what became of one, or whether there are more.

Example:
  npx tidewire panic --flatten --config config/sandbox.yaml`;

/** Spot and perpetuals; what cannot be read is a problem, and is then not flattened. */
async function instrumentsOf({ marketData }: Exchange, problems: Problems): Promise<Instruments> {
  const lists = [await marketData.spotInstruments(), await marketData.derivativeInstruments()];
  for (const list of lists) if (list.kind === 'failed') problems.add(`instruments: ${list.error.message}`);
  return new Instruments(lists.flatMap((list) => (list.kind === 'failed' ? [] : list.value)));
}

const NOT_FLATTENED: Flattening = { flattened: [], end: 'unproved' };

async function flatten(exchange: Exchange, root: string, address: string, problems: Problems): Promise<Flattening> {
  const me = await exchange.account.me();
  const login = me.kind === 'failed' ? null : me.value.login;
  if (login === null) {
    const reason = me.kind === 'failed' ? me.error.message : 'the exchange names no login';
    problems.add(`nothing was flattened, since the account of the key is not known: ${reason}`);
    return NOT_FLATTENED;
  }
  const instruments = await instrumentsOf(exchange, problems);
  const unique = Math.floor(systemClock.now()).toString(36);
  const owner = { account: login, exchange: address };
  const { flattenEverything } = await import('../../session/panic-flatten.ts');
  return await flattenEverything(
    { exchange, instruments, root, owner, unique, now: () => systemClock.now() },
    problems,
  );
}

/** What goes wrong must not hide that the cancels are proved. */
async function tryFlatten(...args: Parameters<typeof flatten>): Promise<Flattening> {
  try {
    return await flatten(...args);
  } catch (thrown) {
    args[3].add(`nothing was flattened: ${messageOf(thrown)}`);
    return NOT_FLATTENED;
  }
}

const BY_HAND =
  'Cancel on the exchange’s own pages, and delete the key there if a bot may still hold it; or call this again once the exchange can be reached, with a key that it takes.';

const EXITS = { done: 0, failed: 1, unproved: 4 } as const;

/** A configuration that cannot be read at all: the sessions at the usual place are told before that is said. */
function configOf(source: ReturnType<typeof configSource>, usual: string): Config {
  try {
    return loadConfig({ ...source, only: ['exchange', 'journal'] }).config;
  } catch (thrown) {
    tellSessions(usual, 'panic', new Problems());
    throw thrown;
  }
}

export const build: BuildCommand = (io) =>
  new Command('panic')
    .description('Cancel every order of the account at once, even when the bot is broken.')
    // It never asks. Who is used to `--yes` from the commands that do must not be stopped by it now.
    .addOption(new Option('--yes').hideHelp())
    .option('--flatten', 'also sell (or buy back) what the live sessions hold, at market')
    .option('--for <DURATION>', 'how long to try when the exchange does not answer', `${PANIC_PATIENCE_MS / 1000}s`)
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', HELP)
    .action(
      action(io, async (options: Options) => {
        const patience = durationOption('for', options.for);
        const config = configOf(configSource(io, options.config), resolve(io.cwd, 'data/sessions'));
        const root = resolve(io.cwd, config.journal.dir);
        const problems = new Problems();
        const told = tellSessions(root, 'panic', problems);
        const credentials = await keyOf(io, config).catch((thrown: unknown) => {
          io.err(`${told.length} running sessions were told to stop; nothing was cancelled from here\n`);
          throw thrown;
        });
        if (credentials === null) {
          throw sessionErrors.make(
            'no_api_key',
            `running sessions were told to stop (${told.length}), but TIDEWIRE_API_KEY or TIDEWIRE_API_SECRET is not set and there is no key file, so nothing was cancelled from here`,
          );
        }
        if (isUncertified(io.env)) io.err(`warn ${UNCERTIFIED}: anybody on the way could say that no order is open\n`);
        const logger = createLogger({ level: 'warn', write: io.err });
        const exchange = emergencyExchange({ exchange: config.exchange, credentials, clock: systemClock, logger });
        try {
          const cancelled = await cancelEverything(exchange, systemClock, problems, patience);
          const { flattened, end }: Flattening =
            options.flatten === true
              ? await tryFlatten(exchange, root, config.exchange.baseUrl, problems)
              : { flattened: [], end: 'done' };
          const json = { command: 'panic', told, ...cancelled, flattened, problems: problems.list() };
          const done = cancelled.openAfter === 0;
          const lines = [
            `${told.length} sessions told to stop, and whatever is starting`,
            done
              ? `no order is open any more (${cancelled.canceled} cancelled in ${cancelled.requests} requests)`
              : `NOT PROVED: ${cancelled.openAfter === null ? 'the open orders could not be read' : `${cancelled.openAfter} orders are still open`}`,
            ...(done ? [] : [`→ ${BY_HAND}`]),
            ...flattened.map(({ quantity, symbol, outcome }) => `${quantity} ${symbol}: ${outcome}`),
            ...problems.list(),
          ];
          return { json, text: lines.join('\n'), exit: done ? EXITS[end] : 4 };
        } catch (thrown) {
          io.err(
            `${told.length} running sessions were told to stop; cancelling from here failed: ${messageOf(thrown)}\n`,
          );
          throw thrown;
        } finally {
          await exchange.close();
        }
      }),
    );
