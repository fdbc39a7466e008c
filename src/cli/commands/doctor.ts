/** `tidewire doctor`: checks machine, configuration and, with addresses, the exchange. Exit 1 when a check fails. */
import { resolve } from 'node:path';
import { Command } from 'commander';
import { action, type BuildCommand, type CliIo } from '../command.ts';
import { configSource } from '../config-option.ts';
import { keyOf } from '../operations/credentials.ts';
import { hasLogin, logIn } from '../operations/login.ts';
import { colouring, table, type Colour } from '../terminal/table.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { isTidewireError, messageOf } from '../../model/errors.ts';
import type { Instruments } from '../../model/market/instrument.ts';
import { seededRandom } from '../../model/random.ts';
import { silentLogger } from '../../model/ports.ts';
import {
  checkClockOffset,
  checkDisk,
  checked,
  checkFsync,
  checkJournal,
  checkKeyRights,
  checkNode,
  worst,
  type Check,
  type CheckState,
} from '../../operations/doctor.ts';
import { checkOwnTrades } from '../../operations/own-trades-check.ts';
import { requireCertificates } from '../../session/connection/certificates.ts';
import type { Config } from '../../session/config/schema.ts';
import { loadConfig } from '../../session/config/load.ts';
import { connect, isEmbedded, type Connection } from '../../session/connection/connection.ts';
import { journalBytes } from '../../session/start-up.ts';
import { folderPaths, isOver, listSessions } from '../../session/store/store.ts';
import { prepareStrategies, tradedSymbols } from '../../session/strategies.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { problemText, typecheckStrategy } from '../../strategy/loading/typecheck.ts';

interface Options {
  readonly config?: string;
}

const COLOURS: Readonly<Record<CheckState, Colour>> = { ok: 'green', warn: 'yellow', fail: 'red' };

async function checkExchange(io: CliIo, config: Config): Promise<readonly Check[]> {
  const hint = 'Check the network and the three addresses under exchange: in the configuration.';
  let connection: Connection | undefined;
  try {
    const credentials = await keyOf(io, config);
    if (credentials !== null && !isEmbedded(config.exchange)) requireCertificates(io.env, config.exchange);
    connection = await connect({
      exchange: config.exchange,
      credentials,
      clock: systemClock,
      random: seededRandom(1),
      logger: silentLogger,
      seed: 1,
    });
    const { exchange, instruments, name, offsetMs, sandbox } = connection;
    const checks: Check[] = [
      { name: 'exchange', state: 'ok', text: `${name} answers, ${instruments.all().length} instruments` },
      checkClockOffset(offsetMs),
    ];
    if (credentials === null || sandbox !== null) return checks;
    const me = await exchange.account.me();
    if (me.kind === 'failed') {
      const fault = 'Set TIDEWIRE_API_KEY and TIDEWIRE_API_SECRET, or the key file, to an active key of this exchange.';
      return [...checks, { name: 'key', state: 'fail', text: me.error.message, hint: fault }];
    }
    checks.push({ name: 'key', state: 'ok', text: `the key belongs to ${me.value.login}` });
    if (hasLogin(io)) checks.push(await checkLogin(io, exchange));
    const futures = await tradesPerpetuals(config, instruments, name);
    const { publicKey } = credentials;
    const now = systemClock.now() + offsetMs;
    checks.push(await checkKeyRights({ exchange, publicKey, now, futures }));
    const markets = futures ? (['spot', 'derivative'] as const) : (['spot'] as const);
    checks.push(await checkOwnTrades({ exchange, ownTradeSide: config.exchange.ownTradeSide, markets, now }));
    return checks;
  } catch (thrown) {
    const own = isTidewireError(thrown) && thrown.exit !== 4 ? thrown.remedy : hint;
    return [{ name: 'exchange', state: 'fail', text: messageOf(thrown), hint: own }];
  } finally {
    await connection?.close();
  }
}

function checkLogin(io: CliIo, exchange: Exchange): Promise<Check> {
  const hint = 'Check TIDEWIRE_LOGIN, TIDEWIRE_PASSWORD and TIDEWIRE_2FA_CODE, or TIDEWIRE_JWT.';
  return checked('login', hint, async () => {
    await logIn(io, exchange);
    return { name: 'login', state: 'ok', text: 'the exchange takes the login' };
  });
}

/** Unloadable strategies have their own check. */
async function tradesPerpetuals({ strategies }: Config, instruments: Instruments, name: string): Promise<boolean> {
  try {
    const prepared = await prepareStrategies({ file: undefined, params: {}, entries: strategies, inRealTime: true });
    const symbols = tradedSymbols(prepared, instruments, name);
    return symbols.some((symbol) => instruments.find(symbol)?.market === 'derivative');
  } catch {
    return false;
  }
}

/** A start wants ten times its journal; which one is unknown here. */
function largestJournal(root: string): number {
  return Math.max(0, ...folderPaths(root).map((path) => journalBytes(path)));
}

/** Of resumable sessions. */
function checkJournals(root: string): readonly Check[] {
  const open = listSessions(root).filter(({ record }) => !isOver(record));
  return open.flatMap(({ path }) => checkJournal(path) ?? []);
}

async function checkStrategy(file: string): Promise<Check> {
  const result = await typecheckStrategy(file);
  if (result.kind !== 'checked') return { name: 'strategy', state: 'warn', text: `${file}: ${result.reason}` };
  if (result.problems.length === 0) return { name: 'strategy', state: 'ok', text: `${file} type-checks` };
  const text = result.problems.slice(0, 3).map(problemText).join('; ');
  return {
    name: 'strategy',
    state: 'warn',
    text,
    hint: 'Mend the lines that are named; the strategy may still run.',
  };
}

export const build: BuildCommand = (io) =>
  new Command('doctor')
    .description('Check this machine, this configuration and the exchange.')
    .option('--config <FILE>', 'configuration file')
    .addHelpText('after', '\nExample:\n  npx tidewire doctor --config config/sandbox.yaml')
    .action(
      action(io, async (options: Options) => {
        const { config, file } = loadConfig(configSource(io, options.config));
        const folder = resolve(io.cwd, config.journal.dir);
        const checks: Check[] = [
          checkNode(process.version),
          { name: 'config', state: 'ok', text: file ?? 'the defaults' },
          await checked('disk', 'Point journal.dir to a folder that can be written.', () =>
            checkDisk(folder, largestJournal(folder)),
          ),
          await checked('fsync', 'Point journal.dir to a folder that can be written.', () => checkFsync(folder)),
          ...checkJournals(folder),
          ...(await checkExchange(io, config)),
        ];
        for (const entry of config.strategies) {
          checks.push(await checked('strategy', 'Check the path of the strategy.', () => checkStrategy(entry.file)));
        }
        const state = worst(checks);
        const paint = colouring(io.isTty, io.env);
        const rows = checks.map(({ name, state: one, text, hint }) => [
          paint(COLOURS[one], one),
          name,
          hint === undefined || one === 'ok' ? text : `${text}\n${hint}`,
        ]);
        return { json: { command: 'doctor', state, checks }, text: table(rows), exit: state === 'fail' ? 1 : 0 };
      }),
    );
