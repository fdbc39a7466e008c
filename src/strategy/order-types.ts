/** Order types not executed in this version. Each throws a typed error, so that no strategy runs without it. */
import { strategyErrors } from './errors.ts';

function unsupported(name: string): (...options: readonly unknown[]) => never {
  return () => {
    throw strategyErrors.make('strategy_action_unsupported', `${name}() is not available in this version`, {
      action: name,
    });
  };
}

export const bracket = unsupported('bracket');
export const stop = unsupported('stop');
export const trailingStop = unsupported('trailingStop');
export const grid = unsupported('grid');
export const dca = unsupported('dca');
export const twap = unsupported('twap');
export const iceberg = unsupported('iceberg');
export const chase = unsupported('chase');
export const oco = unsupported('oco');
