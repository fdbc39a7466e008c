/** `tidewire sandbox`. Prints one line when listening. */
import { Command } from 'commander';
import { isTidewireError } from '../../model/errors.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import { openTape } from '../../recording/tape/open-tape.ts';
import { sandboxErrors } from '../../sandbox/errors.ts';
import type { MarketDriver } from '../../sandbox/market/driver.ts';
import { replayMarket } from '../../sandbox/market/replay.ts';
import { startSandbox } from '../../sandbox/server.ts';
import { systemClock } from '../../session/clock/system-clock.ts';
import { reportError, type BuildCommand } from '../command.ts';
import { readSandboxFile } from '../sandbox-file.ts';

interface Options {
  readonly port: string;
  readonly seed: string;
  readonly market: string;
  readonly speed: string;
  readonly config?: string;
  readonly json?: boolean;
}

function integer(name: string, text: string): number {
  const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(value))
    throw sandboxErrors.make('sandbox_bad_option', `--${name} ${text}: expected an integer from 0`);
  return value;
}

const REPLAY = 'replay:';
const SPEED_MAX = 1000;

interface MarketChoice {
  readonly market: 'synthetic' | 'none' | MarketDriver;
  readonly instruments: readonly InstrumentSpec[];
  close(): void;
}

function speedOf(text: string, replayed: boolean): number {
  const speed = Number(text);
  if (!(speed > 0 && speed <= SPEED_MAX))
    throw sandboxErrors.make('sandbox_bad_option', `--speed ${text}: expected a number above 0, at most ${SPEED_MAX}`);
  if (speed !== 1 && !replayed)
    throw sandboxErrors.make('sandbox_bad_option', `--speed ${text}: only a replayed market has another speed`);
  return speed;
}

async function chooseMarket(text: string, speedText: string): Promise<MarketChoice> {
  const speed = speedOf(speedText, text.startsWith(REPLAY));
  if (text === 'synthetic' || text === 'none') return { market: text, instruments: [], close: () => {} };
  if (!text.startsWith(REPLAY) || text === REPLAY) {
    throw sandboxErrors.make('sandbox_bad_option', `--market ${text}: expected synthetic, none or replay:PATH`);
  }
  const tape = await openTape([text.slice(REPLAY.length)]);
  const instruments = tape.instruments.map((instrument) => instrument.spec);
  const market = replayMarket({ instruments, events: tape.cursor('exchange'), speed });
  return { market, instruments, close: () => tape.close() };
}

export const build: BuildCommand = (io) =>
  new Command('sandbox')
    .description('run the exchange on loopback, with a seeded synthetic market')
    .option('--port <port>', 'port to listen on; 0 takes any free one', '0')
    .option('--seed <seed>', 'users, keys and market follow from it', '1')
    .option(
      '--market <market>',
      'synthetic, replay:PATH of a recording, or none for an exchange without agents',
      'synthetic',
    )
    .option('--speed <factor>', 'of a replayed market: 2 plays two recorded seconds a second', '1')
    .option('--config <file>', 'YAML with what the sandbox assumes and overrides (docs/sandbox.md)')
    .option('--json', 'print addresses and users as one line of JSON')
    .addHelpText('after', '\nExample:\n  npx tidewire sandbox --port 8787 --seed 7 --json')
    .action(async (options: Options) => {
      try {
        const file = options.config === undefined ? {} : readSandboxFile(options.config, io.env);
        const chosen = await chooseMarket(options.market, options.speed);
        const running = await startSandbox({
          port: integer('port', options.port),
          seed: integer('seed', options.seed),
          market: chosen.market,
          instruments: chosen.instruments,
          ...file,
          clock: systemClock,
        });
        const { restUrl, gatewayUrl, wsUrl, users } = running;
        if (options.json === true) io.out(`${JSON.stringify({ restUrl, gatewayUrl, wsUrl, users })}\n`);
        else io.out(`${textOf(restUrl, wsUrl, users)}\n`);
        await io.interrupted;
        await running.stop();
        chosen.close();
        io.exit(0);
      } catch (thrown) {
        if (!isTidewireError(thrown)) throw thrown;
        reportError(io, thrown, options.json === true);
      }
    });

function textOf(
  restUrl: string,
  wsUrl: string,
  users: readonly {
    readonly login: string;
    readonly apiKey: { readonly publicKey: string; readonly secretKey: string };
  }[],
): string {
  const lines = users.map(
    ({ login, apiKey }) => `  ${login}  TIDEWIRE_API_KEY=${apiKey.publicKey} TIDEWIRE_API_SECRET=${apiKey.secretKey}`,
  );
  return [`sandbox exchange at ${restUrl} and ${wsUrl}`, 'users:', ...lines, 'Ctrl-C stops it.'].join('\n');
}
