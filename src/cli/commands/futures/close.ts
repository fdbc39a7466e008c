/**
 * `tidewire futures close SYMBOL`: closes at market, through the money journal. The exchange never closes more than is
 * held, so a full close may repeat.
 */
import { Command, Option } from 'commander';
import type { VenuePosition } from '../../../model/trading/account.ts';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { moveMoney, settleEarlier, type Move } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent } from '../../operations/options.ts';
import { listed, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan, type Plan } from '../../operations/plan.ts';
import { ordersText } from '../../orders/list.ts';
import { requireStands } from '../../orders/stands.ts';
import { sideText } from './positions.ts';

interface Options extends MutatingOptions {
  readonly side?: 'long' | 'short';
  readonly quantity?: string;
}

const WHAT = 'the close';

/** Throws without a position, or with two and no side. */
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

/** After an unknown outcome: the position now and before. */
async function heldNow({ exchange }: OpenExchange, { symbol, positionSide, quantity }: VenuePosition): Promise<string> {
  const reading = await exchange.futures.positions(symbol);
  if (reading.kind !== 'complete') return `${quantity} was held, what is held now could not be read`;
  const left = reading.items.find((position) => position.positionSide === positionSide)?.quantity ?? '0';
  return `${quantity} was held, ${left} is held now`;
}

function planOf(account: string, position: VenuePosition, quantity: string | undefined): Plan {
  const { symbol, entryPrice, leverage, marginType, markPrice, unrealizedPnl } = position;
  const held = decimalText(dec(position.quantity).abs());
  return {
    title: `close ${quantity ?? held} of ${held} ${symbol} at market`,
    rows: [
      ['account', account],
      ['position', `${sideText(position)} ${held} at ${entryPrice}, ${leverage}x ${marginType}`],
      ['mark price', markPrice],
      ['unrealised', unrealizedPnl],
    ],
    warnings: ['a market order takes the prices that the book has; they may be worse than the mark price'],
  };
}

async function close(io: CliIo, open: OpenExchange, symbol: string, options: Options): Promise<CommandResult> {
  const quantity = options.quantity === undefined ? undefined : amountOption('quantity', options.quantity);
  const { futures } = open.exchange;
  const position = chosen(listed('the positions', await futures.positions(symbol)), symbol, options.side);
  const content = { symbol, positionSide: position.positionSide, ...(quantity === undefined ? {} : { quantity }) };
  const move: Move<'futuresClose'> = {
    request: { kind: 'futuresClose', ...content },
    what: WHAT,
    look: `see \`tidewire futures positions ${symbol}\``,
    seen: () => heldNow(open, position),
  };
  await settleEarlier(io, open, move);
  checkQuantity(position, quantity);
  await confirmPlan(io, planOf(await open.account(), position, quantity), options);
  const order = await moveMoney(io, open, move);
  await requireStands(io, open, { what: WHAT, area: 'futures', report: order, asked: 'trade whole' });
  return { json: { command: 'futures close', ...order }, text: ordersText([order]) };
}

export function buildClose(io: CliIo): Command {
  return withConsent(new Command('close').description('Close a position, or a part of it, at market.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addOption(new Option('--side <SIDE>', 'which one, where both are held').choices(['long', 'short']))
    .option('--quantity <QUANTITY>', 'a part of it; everything when left out')
    .addHelpText(
      'after',
      operationHelp(
        ['futures close BTCUSDTPERP --config config/sandbox.yaml'],
        ['closePosition', 'positions', 'activeOrders', 'orderHistory', 'order', 'derivativeTrades'],
      ),
    )
    .action(
      action(io, (symbol: string, options: Options) =>
        withExchange(io, options, 'key', (open) => close(io, open, symbol.toUpperCase(), options)),
      ),
    );
}
