/** `tidewire spot order`. */
import type { Command } from 'commander';
import { dec, decimalText, type Decimal } from '../../../model/numbers/money.ts';
import type { Side } from '../../../model/trading/order.ts';
import { refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { TRADING_ACCOUNT } from '../../../spine/balances.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OpenExchange } from '../../operations/open-exchange.ts';
import { orderCommand, sendByHand, termsOf, type ByHand, type ByHandOptions } from '../../orders/by-hand.ts';
import { spotMarket } from '../../orders/market.ts';

/** Of the currency that the order locks. Throws where a limit order locks more. */
async function availableText({ exchange }: OpenExchange, currency: string, locks: Decimal | null): Promise<string> {
  const reading = await exchange.account.balances();
  if (reading.kind !== 'complete') return 'could not be read';
  const row = reading.items.find((each) => each.account === TRADING_ACCOUNT && each.currency === currency);
  const available = row?.available ?? '0';
  if (locks === null || locks.lte(available)) return `${available} ${currency}`;
  const message = `it locks ${decimalText(locks)} ${currency}, and ${available} is available`;
  throw refusedBeforehand('the order', 'insufficient_balance', message);
}

const pair: ByHand<'spotOrder'> = {
  of: spotMarket,
  look: 'see `tidewire spot orders`, also with --history, and `tidewire spot trades`',
  planOf: async (open, { symbol, base, quote }, { side, price, quantity }) => {
    const ticker = await open.exchange.marketData.ticker(symbol);
    const now = ticker.kind === 'value' ? ticker.value : null;
    const [currency, locks] =
      side === 'sell' ? [base, dec(quantity)] : [quote, price === null ? null : dec(price).times(quantity)];
    return {
      price: now === null ? null : String(side === 'buy' ? now.ask : now.bid),
      rows: [
        ['bid and ask', now === null ? 'could not be read' : `${now.bid} ${now.ask}`],
        ['available', await availableText(open, currency, locks)],
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
        [
          'createSpotOrder',
          'spotInstruments',
          'ticker',
          'activeOrders',
          'orderHistory',
          'order',
          'spotTrades',
          'balances',
        ],
      ),
    )
    .action(
      action(io, async (symbol: string, side: Side, quantity: string, options: ByHandOptions) => {
        const request = { kind: 'spotOrder' as const, ...termsOf(symbol, side, quantity, options) };
        return withExchange(io, options, 'key', (open) => sendByHand(io, open, pair, request, options));
      }),
    );
}
