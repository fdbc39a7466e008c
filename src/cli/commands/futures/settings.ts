/** `tidewire futures leverage|margin-type|mode`. Repeating a setting changes nothing. */
import { Argument, Command } from 'commander';
import type { MarginType, PositionMode } from '../../../exchange/wire/positions.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { countOption, withYes } from '../../operations/options.ts';
import { answered, listed, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { accepted, outcomeOf } from '../../operations/outcome.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { sideText } from './positions.ts';

const LOOK = 'see `tidewire futures positions`; to set it again is harmless';
const LEVERAGE_MAX = 1000;

async function heldText({ exchange }: OpenExchange, symbol: string | undefined): Promise<string> {
  const positions = listed('the positions', await exchange.futures.positions(symbol));
  if (positions.length === 0) return 'no open position';
  return positions
    .map(
      (position) =>
        `${position.symbol} ${sideText(position)} ${position.quantity}, ${position.leverage}x ${position.marginType}`,
    )
    .join('; ');
}

async function leverage(
  io: CliIo,
  open: OpenExchange,
  { symbol, times, options }: { symbol: string; times: number; options: MutatingOptions },
): Promise<CommandResult> {
  const { futures } = open.exchange;
  const tiers = answered('the tiers', await futures.riskTiers(symbol));
  const most = tiers.reduce((max, { maxLeverage }) => Math.max(max, maxLeverage), 0);
  if (tiers.length > 0 && times > most) {
    const message = `${symbol} allows at most ${most}x`;
    throw refusedBeforehand('the leverage', 'leverage_too_high', message, 'leverage');
  }
  const plan = {
    title: `set the leverage of ${symbol} to ${times}x`,
    rows: [
      ['account', await open.account()],
      ['held', await heldText(open, symbol)],
      ['at most', `${most}x, less for larger positions`],
    ] as const,
    warnings: ['more leverage brings the liquidation price nearer'],
  };
  await confirmPlan(io, plan, options);
  const request = { symbol, leverage: times };
  const outcome = await outcomeOf<typeof request>((dispatch, done) => futures.setLeverage(request, dispatch, done));
  const set = accepted('the leverage', outcome, LOOK);
  return { json: { command: 'futures leverage', ...set }, text: `${set.symbol} has a leverage of ${set.leverage}x` };
}

export function buildLeverage(io: CliIo): Command {
  return withYes(new Command('leverage').description('Set the leverage of a perpetual.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .argument('<times>', 'whole times of the margin, for example 5')
    .addHelpText(
      'after',
      operationHelp(
        ['futures leverage BTCUSDTPERP 5 --config config/sandbox.yaml'],
        ['setLeverage', 'riskTiers', 'positions'],
      ),
    )
    .action(
      action(io, async (symbol: string, text: string, options: MutatingOptions) => {
        const asked = { symbol: symbol.toUpperCase(), times: countOption('TIMES', text, LEVERAGE_MAX), options };
        return withExchange(io, options, 'key', (open) => leverage(io, open, asked));
      }),
    );
}

async function marginType(
  io: CliIo,
  open: OpenExchange,
  asked: { symbol: string; type: MarginType; options: MutatingOptions },
): Promise<CommandResult> {
  const { symbol, type, options } = asked;
  const plan = {
    title: `set the margin of ${symbol} to ${type}`,
    rows: [
      ['account', await open.account()],
      ['held', await heldText(open, symbol)],
    ] as const,
    warnings: [
      type === 'cross'
        ? 'the whole account stands for a position of cross margin'
        : 'a position of isolated margin is liquidated alone, and earlier',
      'refused while a position or an order of it is open',
    ],
  };
  await confirmPlan(io, plan, options);
  const request = { symbol, marginType: type };
  const { futures } = open.exchange;
  const outcome = await outcomeOf<typeof request>((dispatch, done) => futures.setMarginType(request, dispatch, done));
  const set = accepted('the margin type', outcome, LOOK);
  return { json: { command: 'futures margin-type', ...set }, text: `${set.symbol} has ${set.marginType} margin` };
}

export function buildMarginType(io: CliIo): Command {
  return withYes(new Command('margin-type').description('Set isolated or cross margin for a perpetual.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addArgument(new Argument('<type>', 'isolated or cross').choices(['isolated', 'cross']))
    .addHelpText(
      'after',
      operationHelp(
        ['futures margin-type BTCUSDTPERP isolated --config config/sandbox.yaml'],
        ['setMarginType', 'positions'],
      ),
    )
    .action(
      action(io, (symbol: string, type: MarginType, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) =>
          marginType(io, open, { symbol: symbol.toUpperCase(), type, options }),
        ),
      ),
    );
}

async function mode(
  io: CliIo,
  open: OpenExchange,
  wanted: PositionMode,
  options: MutatingOptions,
): Promise<CommandResult> {
  const plan = {
    title: `set the position mode to ${wanted}`,
    rows: [
      ['account', await open.account()],
      ['held', await heldText(open, undefined)],
    ] as const,
    warnings: [
      'it holds for the whole account, and for bots that trade on it',
      'refused while a position or an order is open',
    ],
  };
  await confirmPlan(io, plan, options);
  const { futures } = open.exchange;
  const outcome = await outcomeOf<{ readonly mode: PositionMode }>((dispatch, done) =>
    futures.setMode(wanted, dispatch, done),
  );
  const set = accepted('the mode', outcome, LOOK);
  return { json: { command: 'futures mode', ...set }, text: `the account is in ${set.mode} mode` };
}

export function buildMode(io: CliIo): Command {
  return withYes(new Command('mode').description('Hold one position a perpetual, or long and short beside each other.'))
    .addArgument(new Argument('<mode>', 'of the whole account').choices(['one-way', 'hedge']))
    .addHelpText(
      'after',
      operationHelp(['futures mode hedge --config config/sandbox.yaml'], ['setPositionMode', 'positions']),
    )
    .action(
      action(io, (wanted: PositionMode, options: MutatingOptions) =>
        withExchange(io, options, 'key', (open) => mode(io, open, wanted, options)),
      ),
    );
}
