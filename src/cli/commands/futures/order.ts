/** `tidewire futures order`. */
import { Option, type Command } from 'commander';
import type { PositionSide, Side } from '../../../model/trading/order.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange } from '../../operations/open-exchange.ts';
import { orderCommand, sendByHand, termsOf, type ByHand, type ByHandOptions } from '../../orders/by-hand.ts';
import { futuresMarket } from '../../orders/market.ts';

interface Options extends ByHandOptions {
  readonly position: PositionSide;
  readonly reduceOnly?: boolean;
}

const perpetual: ByHand<'futuresOrder'> = {
  of: futuresMarket,
  look: 'see `tidewire futures orders`, also with --history, and `tidewire futures positions`',
  planOf: async ({ exchange }, { symbol }, { positionSide = 'both', reduceOnly }) => {
    const mark = await exchange.futures.markPrice(symbol);
    const price = mark.kind === 'value' ? mark.value.markPrice : null;
    return {
      price,
      rows: [
        ['mark price', price ?? 'could not be read'],
        ['position', `${positionSide}${reduceOnly === true ? ', only reduces' : ''}`],
      ],
    };
  },
};

export function buildOrder(io: CliIo): Command {
  return orderCommand('BTCUSDTPERP')
    .addOption(
      new Option('--position <SIDE>', 'long or short in hedge mode').choices(['both', 'long', 'short']).default('both'),
    )
    .option('--reduce-only', 'never opens or turns a position')
    .addHelpText(
      'after',
      operationHelp(
        ['futures order BTCUSDTPERP buy 0.01 --price 60000 --config config/sandbox.yaml'],
        [
          'createDerivativeOrder',
          'derivativeInstruments',
          'markPrice',
          'activeOrders',
          'orderHistory',
          'order',
          'derivativeTrades',
          'positions',
        ],
      ),
    )
    .action(
      action(io, async (symbol: string, side: Side, quantity: string, options: Options) => {
        const request = {
          kind: 'futuresOrder' as const,
          ...termsOf(symbol, side, quantity, options),
          positionSide: options.position,
          ...(options.reduceOnly === true ? { reduceOnly: true } : {}),
        };
        return withExchange(io, options, 'key', (open) => sendByHand(io, open, perpetual, request, options));
      }),
    );
}
