/** Instruments and currencies of the sandbox. */
import type { Asset } from '../../../exchange/wire/market/dictionaries.ts';
import type { Instrument, InstrumentSpec } from '../../../model/market/instrument.ts';

const spot = { market: 'spot', status: 'trading' } as const;
const perpetual = {
  market: 'derivative',
  status: 'trading',
  settle: 'USDT',
  contractSize: '1',
  maxLeverage: 100,
  fundingIntervalHours: 8,
} as const;

// prettier-ignore
export const instrumentSpecs: readonly InstrumentSpec[] = [
  { ...spot, symbol: 'BTCUSDT', base: 'BTC', quote: 'USDT', tickSize: '0.01', lotSize: '0.00001', minQuantity: '0.00001', maxQuantity: '1000', minNotional: '5' },
  { ...spot, symbol: 'ETHUSDT', base: 'ETH', quote: 'USDT', tickSize: '0.01', lotSize: '0.0001', minQuantity: '0.0001', maxQuantity: '10000', minNotional: '5' },
  { ...spot, symbol: 'ETHBTC', base: 'ETH', quote: 'BTC', tickSize: '0.00001', lotSize: '0.0001', minQuantity: '0.0001', maxQuantity: '10000', minNotional: '0.0001' },
  { ...spot, symbol: 'USDTRUB', base: 'USDT', quote: 'RUB', tickSize: '0.01', lotSize: '0.01', minQuantity: '0.01', maxQuantity: '10000000', minNotional: '100' },
  { ...perpetual, symbol: 'BTCUSDTPERP', base: 'BTC', quote: 'USDT', tickSize: '0.1', lotSize: '0.0001', minQuantity: '0.0001', maxQuantity: '1000', minNotional: '5', maintenanceMarginRate: '0.004' },
  { ...perpetual, symbol: 'ETHUSDTPERP', base: 'ETH', quote: 'USDT', tickSize: '0.01', lotSize: '0.001', minQuantity: '0.001', maxQuantity: '10000', minNotional: '5', maintenanceMarginRate: '0.005' },
];

export type Currency = Asset;

export const currencies: readonly Currency[] = [
  { currency: 'BTC', title: 'Bitcoin', isCoin: true, precision: 8 },
  { currency: 'ETH', title: 'Ether', isCoin: true, precision: 8 },
  { currency: 'USDT', title: 'Tether', isCoin: true, precision: 4 },
  { currency: 'RUB', title: 'Russian ruble', isCoin: false, precision: 2 },
];

export function instrumentBody(instrument: Instrument, halted: boolean): object {
  const { spec } = instrument;
  return {
    symbol: spec.symbol,
    base: spec.base,
    quote: spec.quote,
    pricePrecision: instrument.pricePrecision,
    quantityPrecision: instrument.quantityPrecision,
    tickSize: spec.tickSize,
    lotSize: spec.lotSize,
    minQuantity: spec.minQuantity,
    maxQuantity: spec.maxQuantity,
    minNotional: spec.minNotional,
    status: halted ? 'halted' : 'trading',
    ...(spec.market === 'spot'
      ? {}
      : {
          settle: spec.settle,
          contractSize: spec.contractSize,
          maxLeverage: spec.maxLeverage,
          fundingIntervalHours: spec.fundingIntervalHours,
          maintenanceMarginRate: spec.maintenanceMarginRate,
        }),
  };
}
