/**
 * `tidewire futures close SYMBOL`: a position, or a part of it, at market. The exchange never closes more than there is;
 * after an unknown end look at the positions before a part is closed again.
 */
import { Command, Option } from 'commander';
import type { VenuePosition } from '../../../model/account.ts';
import type { OrderReport, PositionSide } from '../../../model/order.ts';
import { dec, decimalText } from '../../../model/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withYes } from '../../operations/options.ts';
import { accepted, listed, outcomeOf, refusedBeforehand } from '../../operations/outcome.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { ordersText } from './history.ts';
import { sideText } from './positions.ts';

interface Options extends MutatingOptions {
  readonly side?: 'long' | 'short';
  readonly quantity?: string;
}

const WHAT = 'the close';

/** The one that is meant. Throws when there is none, or when there are two and no side was named. */
function chosen(positions: readonly VenuePosition[], symbol: string, side: Options['side']): VenuePosition {
  const fitting = positions.filter((position) => side === undefined || sideText(position) === side);
  const [position, other] = fitting;
  if (position === undefined) {
    const message = `there is no open ${side === undefined ? '' : `${side} `}position in ${symbol}`;
    throw refusedBeforehand(WHAT, 'reduce_only_violation', message);
  }
  if (other === undefined) return position;
  throw cliErrors.make('operation_invalid', `${symbol} is held long and short: say which with --side`, {
    option: 'side',
  });
}

function checkQuantity({ quantity: held }: VenuePosition, quantity: string | undefined): void {
  if (quantity === undefined || dec(quantity).lte(dec(held).abs())) return;
  const message = `${decimalText(dec(held).abs())} is held, less than ${quantity}`;
  throw refusedBeforehand(WHAT, 'reduce_only_violation', message, 'quantity');
}

/** After an unknown end: what is held by now, beside what was. */
async function heldNow({ exchange }: OpenExchange, { symbol, positionSide, quantity }: VenuePosition): Promise<string> {
  const reading = await exchange.futures.positions(symbol);
  if (reading.kind !== 'complete') return `${quantity} was held, what is held now could not be read; `;
  const left = reading.items.find((position) => position.positionSide === positionSide)?.quantity ?? '0';
  return `${quantity} was held, ${left} is held now; `;
}

async function close(io: CliIo, open: OpenExchange, symbol: string, options: Options): Promise<CommandResult> {
  const { futures } = open.exchange;
  const position = chosen(listed('the positions', await futures.positions(symbol)), symbol, options.side);
  const quantity = options.quantity === undefined ? undefined : amountOption('quantity', options.quantity);
  checkQuantity(position, quantity);
  const held = decimalText(dec(position.quantity).abs());
  const plan = {
    title: `close ${quantity ?? held} of ${held} ${symbol} at market`,
    rows: [
      ['account', await open.account()],
      [
        'position',
        `${sideText(position)} ${held} at ${position.entryPrice}, ${position.leverage}x ${position.marginType}`,
      ],
      ['mark price', position.markPrice],
      ['unrealised', position.unrealizedPnl],
    ] as const,
    warnings: ['a market order takes the prices that the book has; they may be worse than the mark price'],
  };
  await confirmPlan(io, plan, options);
  const { positionSide } = position;
  const request: { symbol: string; positionSide: PositionSide; quantity?: string } = {
    symbol,
    positionSide,
    ...(quantity === undefined ? {} : { quantity }),
  };
  const outcome = await outcomeOf<OrderReport>((dispatch, done) => futures.close(request, dispatch, done));
  const look = `see \`tidewire futures positions ${symbol}\``;
  const now = outcome.kind === 'unknown' ? await heldNow(open, position) : '';
  const order = accepted(WHAT, outcome, `${now}${look}`);
  return { json: { command: 'futures close', ...order }, text: ordersText([order]) };
}

export function buildClose(io: CliIo): Command {
  return withYes(new Command('close').description('Close a position, or a part of it, at market.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addOption(new Option('--side <SIDE>', 'which one, where both are held').choices(['long', 'short']))
    .option('--quantity <QUANTITY>', 'a part of it; everything when left out')
    .addHelpText(
      'after',
      operationHelp(['futures close BTCUSDTPERP --config config/sandbox.yaml'], ['closePosition', 'positions']),
    )
    .action(
      action(io, (symbol: string, options: Options) =>
        withExchange(io, options, 'key', (open) => close(io, open, symbol.toUpperCase(), options)),
      ),
    );
}
