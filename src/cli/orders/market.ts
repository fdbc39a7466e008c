/** What the commands of orders say for spot and for perpetuals. */
import { Option, type Command } from 'commander';
import type { Market } from '../../model/market/instrument.ts';
import { intentIdOf } from '../../spine/intent-id.ts';
import { limits } from '../../exchange/interface/limits.ts';
import type { OperationOptions } from '../operations/open-exchange.ts';
import { countOption } from '../operations/options.ts';
import { cliErrors } from '../errors.ts';

export interface OrderMarket {
  /** Of the command. */
  readonly area: 'spot' | 'futures';
  readonly market: Market;
  /** Its symbols, for people. */
  readonly symbols: string;
  readonly example: string;
  readonly trades: 'spotTrades' | 'derivativeTrades';
}

export const spotMarket: OrderMarket = {
  area: 'spot',
  market: 'spot',
  symbols: 'spot pairs',
  example: 'BTCUSDT',
  trades: 'spotTrades',
};

export const futuresMarket: OrderMarket = {
  area: 'futures',
  market: 'derivative',
  symbols: 'perpetuals',
  example: 'BTCUSDTPERP',
  trades: 'derivativeTrades',
};

export interface MostOptions extends OperationOptions {
  readonly limit?: string;
}

export function withMost(command: Command): Command {
  return command.addOption(new Option('--limit <N>', 'the newest alone'));
}

const MOST = limits.pageLimitMax * 1_000;

export function mostOf({ limit }: MostOptions): number | undefined {
  return limit === undefined ? undefined : countOption('limit', limit, MOST);
}

/** A session would take an order with the prefix of its own ids for one of its own. */
export function clientOrderIdOption(text: string): string {
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(text)) {
    throw cliErrors.make('operation_invalid', `--client-order-id ${text} is not 1 to 64 letters, digits or . _ : -`, {
      option: 'client-order-id',
    });
  }
  if (intentIdOf(text) === undefined) return text;
  throw cliErrors.make('operation_invalid', `--client-order-id ${text} begins as the ids of sessions do`, {
    option: 'client-order-id',
  });
}
