/** What the commands of orders say for spot and for perpetuals. */
import { Option, type Command } from 'commander';
import type { Answer } from '../../exchange/client/operations/answer.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { InstrumentSpec, Market } from '../../model/market/instrument.ts';
import { intentIdOf } from '../../spine/intent-id.ts';
import { limits } from '../../exchange/interface/limits.ts';
import { answered, listed, refusedBeforehand } from '../../operations/exchange/answers.ts';
import type { OpenExchange, OperationOptions } from '../operations/open-exchange.ts';
import { countOption } from '../operations/options.ts';
import { cliErrors } from '../errors.ts';

export interface OrderMarket {
  /** Of the command. */
  readonly area: 'spot' | 'futures';
  readonly market: Market;
  /** Its symbols, for people: many, and one. */
  readonly symbols: string;
  readonly noun: string;
  readonly instruments: (exchange: Exchange) => Promise<Answer<readonly InstrumentSpec[]>>;
  readonly example: string;
  readonly trades: 'spotTrades' | 'derivativeTrades';
}

export const spotMarket: OrderMarket = {
  area: 'spot',
  market: 'spot',
  symbols: 'spot pairs',
  noun: 'spot pair',
  instruments: ({ marketData }) => marketData.spotInstruments(),
  example: 'BTCUSDT',
  trades: 'spotTrades',
};

export const futuresMarket: OrderMarket = {
  area: 'futures',
  market: 'derivative',
  symbols: 'perpetuals',
  noun: 'perpetual',
  instruments: ({ futures }) => futures.instruments(),
  example: 'BTCUSDTPERP',
  trades: 'derivativeTrades',
};

/** Throws what the exchange would answer. */
export async function requireSymbol(
  exchange: Exchange,
  { noun, symbols, instruments }: OrderMarket,
  what: string,
  symbol: string,
): Promise<InstrumentSpec> {
  const spec = answered(`the ${symbols}`, await instruments(exchange)).find((each) => each.symbol === symbol);
  if (spec !== undefined) return spec;
  throw refusedBeforehand(what, 'unknown_symbol', `there is no ${noun} ${symbol}`, 'symbol');
}

/**
 * Before "there is none" is believed: the list of open orders holds only what the key may see, and any symbol is empty
 * that does not exist.
 */
export async function requireSeen({ exchange }: OpenExchange, of: OrderMarket, symbol?: string): Promise<void> {
  if (symbol !== undefined) await requireSymbol(exchange, of, 'the list', symbol);
  const reading = await exchange.orders.ownTrades({ market: of.market, from: 0, most: 1 });
  if (reading.kind !== 'partial') listed(`the orders of ${of.symbols}`, reading);
}

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
