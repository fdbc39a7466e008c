/** `tidewire probe`: what the exchange does where its documents leave it open, beside what the sandbox assumes. */
import { Command } from 'commander';
import { channelQuestions } from '../../operations/probe/channels.ts';
import { meaningQuestions } from '../../operations/probe/meanings.ts';
import { answersTo, askOf, joined, type ProbeResult } from '../../operations/probe/question.ts';
import { shapeQuestions, type Symbols } from '../../operations/probe/shapes.ts';
import { termQuestions } from '../../operations/probe/terms.ts';
import { answered, refusedBeforehand } from '../../operations/exchange/answers.ts';
import { action, type BuildCommand, type CliIo, type CommandResult } from '../command.ts';
import { configBeside, durationOption } from '../config-option.ts';
import { cliErrors } from '../errors.ts';
import { keyOf } from '../operations/credentials.ts';
import { withExchange, type OpenExchange, type OperationOptions } from '../operations/open-exchange.ts';
import { armedProbe, type ArmedResult } from '../probe/armed.ts';
import { colouring, table } from '../terminal/table.ts';
import { clip } from '../terminal/clip.ts';

interface Options extends OperationOptions {
  readonly symbol?: string;
  readonly for: string;
  readonly arm?: boolean;
  readonly confirm?: string;
  readonly yes?: boolean;
}

const WIDTH = 80;
const STANDARD = 'BTCUSDT';

function clipped(line: string): string {
  return clip(line, WIDTH);
}

function requireBoth({ arm, confirm }: Options): void {
  if ((arm === true) === (confirm !== undefined)) return;
  throw cliErrors.make(
    'probe_not_confirmed',
    arm === true ? '--arm places an order: --confirm names its account' : '--confirm goes with --arm',
  );
}

async function symbolsOf({ exchange }: OpenExchange, wanted: string | undefined): Promise<Symbols> {
  const spot = answered('the spot pairs', await exchange.marketData.spotInstruments());
  const named = wanted?.toUpperCase() ?? STANDARD;
  const found = spot.find(({ symbol }) => symbol === named) ?? (wanted === undefined ? spot[0] : undefined);
  if (found === undefined) throw refusedBeforehand('the probe', 'unknown_symbol', `there is no spot pair ${named}`);
  const perpetuals = await exchange.marketData.derivativeInstruments();
  const all = perpetuals.kind === 'value' ? perpetuals.value : [];
  const fitting = all.find(({ base, quote }) => base === found.base && quote === found.quote) ?? all[0];
  return { spot: found.symbol, perpetual: fitting?.symbol ?? null };
}

async function probe(io: CliIo, open: OpenExchange, options: Options): Promise<CommandResult> {
  const { exchange, clock, credentials, name } = open;
  const symbols = await symbolsOf(open, options.symbol);
  const { confirm } = options;
  // First: what it asks a human comes before any waiting.
  const armed =
    confirm === undefined
      ? null
      : await armedProbe(io, open, { symbol: symbols.spot, account: confirm, yes: options.yes === true });
  const ask = askOf(exchange, credentials !== null);
  const wish = { channels: exchange.channels, clock, forMs: durationOption('for', options.for) ?? 0, symbols };
  const read = await answersTo([
    ...meaningQuestions(ask, symbols),
    ...termQuestions(ask, symbols),
    ...shapeQuestions(ask, exchange.endpoints, symbols),
    ...channelQuestions('public', () => exchange.publicSocket(), wish),
    ...(credentials === null ? [] : channelQuestions('private', () => exchange.privateSocket(), wish)),
  ]);
  return resultOf(io, name, armed === null ? read : joined([read, armed]), armed);
}

function orderText({ order, unknown }: ArmedResult): readonly string[] {
  const { orderId, gone, proof } = order;
  const unsure = unknown === null ? [] : [`IT WAS NOT KNOWN whether the order was placed: ${unknown}`];
  if (orderId === null) return [...unsure, `${gone ? 'no order was placed' : 'AN ORDER MAY STAND'}: ${proof}`];
  return [...unsure, gone ? `order ${orderId} is gone: ${proof}` : `ORDER ${orderId} MAY STILL STAND: ${proof}`];
}

function resultOf(io: CliIo, name: string, result: ProbeResult, armed: ArmedResult | null): CommandResult {
  const { complete, rows, unasked } = result;
  const paint = colouring(io.isTty, io.env);
  const differing = rows.filter(({ differs }) => differs);
  const lines = table(
    rows.map(({ id, seen, differs }) => [differs ? 'DIFFERS' : 'agrees', id, seen]),
    { head: ['', 'question', 'seen'] },
  )
    .split('\n')
    .map(clipped)
    .map((line) => (line.startsWith('DIFFERS') ? paint('yellow', line) : line));
  const details = differing.flatMap(({ id, question, asked, seen, assumed, evidence }) => [
    '',
    `${id}: ${question}`,
    `  asked    ${asked}`,
    `  seen     ${seen}`,
    `  assumed  ${assumed}`,
    `  evidence ${evidence}`,
  ]);
  const unread = rows.flatMap(({ id, unread: fields }) =>
    fields.length === 0 ? [] : [`  ${id}: ${fields.join(', ')}`],
  );
  const silent = unasked.map(({ id, why }) => `  ${id}: ${why}`);
  const isSafe = armed === null || (armed.order.gone && armed.unknown === null);
  const text = [
    ...lines,
    ...details,
    ...(unread.length === 0 ? [] : ['', 'fields that the client does not read:', ...unread.map(clipped)]),
    ...(silent.length === 0 ? [] : ['', 'not asked:', ...silent]),
    '',
    ...(armed === null ? [] : orderText(armed)),
    `${name}: ${rows.length - differing.length} as the sandbox assumes, ${differing.length} differ, ${unasked.length} not asked`,
    ...(complete ? [] : ['NOT COMPLETE: the exchange did not answer all that was asked']),
  ].join('\n');
  const json = {
    command: 'probe',
    exchange: name,
    complete,
    armed: armed !== null,
    differ: differing.length,
    rows,
    unasked,
    ...(armed === null ? {} : { order: armed.order, unknown: armed.unknown }),
  };
  return { json, text, exit: complete && isSafe ? 0 : 4 };
}

export const build: BuildCommand = (io) =>
  new Command('probe')
    .description('Show what the exchange does where its documents leave it open, beside what the sandbox assumes.')
    .option('--config <FILE>', 'configuration file')
    .option('--symbol <SYMBOL>', `spot pair to probe, by default ${STANDARD} or the first`)
    .option('--for <DURATION>', 'how long to listen to channels at most', '5s')
    .option('--arm', 'also place one order of the least size far from the market, and cancel it')
    .option('--confirm <ACCOUNT>', 'with --arm: the login of the account')
    .option('--yes', 'with --arm: do it without asking; the plan is still shown')
    .addHelpText(
      'after',
      [
        '',
        'It only reads, unless armed; without a key the public part alone. Exit code 0',
        'also where answers differ; 4 where some did not come or an order may stand.',
        '',
        'Examples:',
        '  npx tidewire probe --config config/sandbox.yaml',
        '  npx tidewire probe --arm --confirm alice --config config/sandbox.yaml',
      ].join('\n'),
    )
    .action(
      action(io, async (options: Options) => {
        requireBoth(options);
        durationOption('for', options.for);
        const key = await keyOf(io, configBeside(io, options.config));
        const access = options.arm === true ? 'key' : (key ?? 'public');
        return withExchange(io, options, access, (open) => probe(io, open, options));
      }),
    );
