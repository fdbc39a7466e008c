/** `tidewire p2p trades|trade`: own trades with next step and time left. */
import { Command, Option } from 'commander';
import { p2pTradeStatuses } from '../../../exchange/interface/states.ts';
import type { P2pTrade, P2pTradeStatus } from '../../../model/funds/p2p.ts';
import type { Reading } from '../../../model/result.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { listing } from '../../operations/listing.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';
import { tradeDocument } from './documents.ts';
import { deadlineOf, nextText, partOf, timeLeftText, tradeText } from './text.ts';

interface TradesOptions extends OperationOptions {
  readonly status?: P2pTradeStatus;
  readonly open?: boolean;
}

function isOver({ status }: P2pTrade): boolean {
  return status === 'complete' || status === 'cancel';
}

function narrowed(reading: Reading<P2pTrade>, { status, open }: TradesOptions): Reading<P2pTrade> {
  if (reading.kind === 'failed') return reading;
  const items = reading.items.filter(
    (trade) => (status === undefined || trade.status === status) && (open !== true || !isOver(trade)),
  );
  return { ...reading, items };
}

const HEAD = ['id', 'you', 'state', 'left'];

export function tradesText(items: readonly P2pTrade[], userId: string, now: number): string {
  if (items.length === 0) return 'no trades';
  const rows = items.map((trade) => [
    trade.tradeId,
    tradeText(trade, partOf(trade, userId)),
    trade.status,
    timeLeftText(trade, now),
  ]);
  return table(rows, { head: HEAD });
}

export function buildTrades(io: CliIo): Command {
  return withConfig(new Command('trades').description('List your P2P trades, newest first.'))
    .addOption(new Option('--status <STATUS>', 'only in this state').choices(p2pTradeStatuses))
    .option('--open', 'only those that are not over')
    .addHelpText('after', operationHelp(['p2p trades --open --config config/sandbox.yaml'], ['p2pMyTrades', 'me']))
    .action(
      action(io, (options: TradesOptions) =>
        withExchange(io, options, 'key', async ({ exchange, clock }) => {
          const { userId } = answered('the current user', await exchange.account.me());
          return listing({
            command: 'p2p trades',
            what: 'trades',
            reading: narrowed(await exchange.money.p2p.myTrades(), options),
            text: (items) => tradesText(items, userId, clock.now()),
            row: tradeDocument,
          });
        }),
      ),
    );
}

export function tradeDetail(trade: P2pTrade, userId: string, now: number): string {
  const part = partOf(trade, userId);
  return table([
    ['id', `${trade.tradeId} (number ${trade.idNumber})`],
    ['you', `${tradeText(trade, part)} at ${trade.price}`],
    ['state', trade.status],
    ['next', nextText(trade, part, now)],
    ['advertisement', trade.advertisementId],
    ['payment method', trade.paymentMethodId],
    ['chat', trade.roomId],
    ['created', timeText(trade.createdAt)],
    ['changed', timeText(trade.updatedAt)],
  ]);
}

export function buildTrade(io: CliIo): Command {
  return withConfig(new Command('trade').description('Show one of your trades and what happens next.'))
    .argument('<id>', 'id of the trade')
    .addHelpText('after', operationHelp(['p2p trade 17 --config config/sandbox.yaml'], ['p2pTrade', 'me']))
    .action(
      action(io, (tradeId: string, options: OperationOptions) =>
        withExchange(io, options, 'key', async ({ exchange, clock }) => {
          const trade = answered('the trade', await exchange.money.p2p.trade(tradeId));
          const { userId } = answered('the current user', await exchange.account.me());
          return {
            json: { command: 'p2p trade', ...tradeDocument(trade), confirmUntil: deadlineOf(trade) },
            text: tradeDetail(trade, userId, clock.now()),
          };
        }),
      ),
    );
}
