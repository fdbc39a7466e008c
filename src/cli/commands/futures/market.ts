/** `tidewire futures instruments|tiers|funding|mark`: public data, no key. */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import { action, type CliIo } from '../../command.ts';
import { operationHelp } from '../../operations/help.ts';
import { withExchange, type OperationOptions } from '../../operations/open-exchange.ts';
import { countOption, withConfig } from '../../operations/options.ts';
import { answered } from '../../../operations/exchange/answers.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

const HISTORY_MAX = 1000;

/** `0.0001` is `0.01 %`. */
export function percentText(fraction: string): string {
  return `${decimalText(dec(fraction).times(100))} %`;
}

export function buildInstruments(io: CliIo): Command {
  return withConfig(new Command('instruments').description('List the perpetuals.'))
    .addHelpText(
      'after',
      operationHelp(['futures instruments --config config/sandbox.yaml'], ['derivativeInstruments']),
    )
    .action(
      action(io, (options: OperationOptions) =>
        withExchange(io, options, 'public', async ({ exchange }) => {
          const items = answered('the perpetuals', await exchange.futures.instruments());
          const rows = items.map((spec) => [
            spec.symbol,
            spec.status,
            spec.tickSize,
            spec.lotSize,
            spec.minNotional,
            spec.maxLeverage === undefined ? '' : `${spec.maxLeverage}x`,
            spec.fundingIntervalHours === undefined ? '' : `${spec.fundingIntervalHours} h`,
          ]);
          const head = ['symbol', 'status', 'tick', 'lot', 'min notional', 'leverage', 'funding'];
          const text = rows.length === 0 ? 'no perpetuals' : table(rows, { head, right: [2, 3, 4, 5, 6] });
          return { json: { command: 'futures instruments', items }, text };
        }),
      ),
    );
}

export function buildTiers(io: CliIo): Command {
  return withConfig(new Command('tiers').description('List the risk tiers: leverage by size of a position.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addHelpText('after', operationHelp(['futures tiers BTCUSDTPERP --config config/sandbox.yaml'], ['riskTiers']))
    .action(
      action(io, (symbol: string, options: OperationOptions) =>
        withExchange(io, options, 'public', async ({ exchange }) => {
          const items = answered('the tiers', await exchange.futures.riskTiers(symbol.toUpperCase()));
          const rows = items.map(({ tier, maxNotional, maxLeverage, maintenanceMarginRate }) => [
            String(tier),
            maxNotional,
            `${maxLeverage}x`,
            percentText(maintenanceMarginRate),
          ]);
          const head = ['tier', 'to notional', 'leverage', 'maintenance'];
          const text = rows.length === 0 ? 'no tiers' : table(rows, { head, right: [1, 2, 3] });
          return { json: { command: 'futures tiers', symbol: symbol.toUpperCase(), items }, text };
        }),
      ),
    );
}

interface FundingOptions extends OperationOptions {
  readonly limit: string;
}

export function buildFunding(io: CliIo): Command {
  return withConfig(new Command('funding').description('Show the funding rate and the last settlements.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .option('--limit <N>', `how many settlements, at most ${HISTORY_MAX}`, '10')
    .addHelpText('after', operationHelp(['futures funding BTCUSDTPERP --config config/sandbox.yaml'], ['fundingRate']))
    .action(
      action(io, async (symbol: string, options: FundingOptions) => {
        const limit = countOption('limit', options.limit, HISTORY_MAX);
        return withExchange(io, options, 'public', async ({ exchange }) => {
          const funding = answered('the funding rate', await exchange.futures.fundingRate(symbol.toUpperCase(), limit));
          const { rate, nextFundingTime, history } = funding;
          const payer = dec(rate).isNegative() ? 'shorts pay longs' : 'longs pay shorts';
          const rows = [
            ['now', `${percentText(rate)} (${payer})`],
            ['settles', timeText(nextFundingTime)],
            ...history.map((row) => [timeText(row.ts), percentText(row.rate)]),
          ];
          return { json: { command: 'futures funding', ...funding }, text: table(rows) };
        });
      }),
    );
}

export function buildMark(io: CliIo): Command {
  return withConfig(new Command('mark').description('Show mark and index price.'))
    .argument('<symbol>', 'for example BTCUSDTPERP')
    .addHelpText('after', operationHelp(['futures mark BTCUSDTPERP --config config/sandbox.yaml'], ['markPrice']))
    .action(
      action(io, (symbol: string, options: OperationOptions) =>
        withExchange(io, options, 'public', async ({ exchange }) => {
          const prices = answered('the mark price', await exchange.futures.markPrice(symbol.toUpperCase()));
          const text = table([
            ['mark', prices.markPrice],
            ['index', prices.indexPrice],
            ['at', timeText(prices.ts)],
          ]);
          return { json: { command: 'futures mark', ...prices }, text };
        }),
      ),
    );
}
