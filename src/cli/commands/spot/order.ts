/** `tidewire spot order`. */
import type { Command } from 'commander';
import type { Side } from '../../../model/trading/order.ts';
import { TRADING_ACCOUNT } from '../../../spine/balances.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange } from '../../operations/open-exchange.ts';
import { orderCommand, sendByHand, termsOf, type ByHand, type ByHandOptions } from '../../orders/by-hand.ts';

/** Of the currency that the order locks. */
async function availableText({ exchange }: OpenExchange, currency: string): Promise<string> {
  const reading = await exchange.account.balances();
  if (reading.kind !== 'complete') return 'could not be read';
  const row = reading.items.find((each) => each.account === TRADING_ACCOUNT && each.currency === currency);
  return `${row?.available ?? '0'} ${currency}`;
}

const pair: ByHand<'spotOrder'> = {
  area: 'spot',
  noun: 'spot pair',
  look: 'see `tidewire spot orders`, also with --history, and `tidewire spot trades`',
  instruments: ({ marketData }) => marketData.spotInstruments(),
  planOf: async (open, { symbol, base, quote }, { side }) => {
    const ticker = await open.exchange.marketData.ticker(symbol);
    const now = ticker.kind === 'value' ? ticker.value : null;
    return {
      price: now === null ? null : String(side === 'buy' ? now.ask : now.bid),
      rows: [
        ['bid and ask', now === null ? 'could not be read' : `${now.bid} ${now.ask}`],
        ['available', await availableText(open, side === 'buy' ? quote : base)],
      ],
    };
  },
};

export function buildOrder(io: CliIo): Command {
  return orderCommand('BTCUSDT')
    .addHelpText(
      'after',
      operationHelp(
        ['spot order BTCUSDT buy 0.01 --price 60000 --config config/sandbox.yaml'],
        ['createSpotOrder', 'spotInstruments', 'ticker', 'activeOrders', 'orderHistory', 'spotTrades', 'balances'],
      ),
    )
    .action(
      action(io, async (symbol: string, side: Side, quantity: string, options: ByHandOptions) => {
        const request = { kind: 'spotOrder' as const, ...termsOf(symbol, side, quantity, options) };
        return withExchange(io, options, 'key', (open) => sendByHand(io, open, pair, request, options));
      }),
    );
}
