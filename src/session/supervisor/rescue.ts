/** The supervisor's own connection to the exchange. */
import type { Credentials } from '../../exchange/client/credentials.ts';
import type { ExchangeOptions } from '../../exchange/options.ts';
import { messageOf } from '../../model/errors.ts';
import { silentLogger } from '../../model/ports.ts';
import { systemClock } from '../clock/system-clock.ts';

export interface Rescue {
  readonly exchange: ExchangeOptions;
  readonly credentials: Credentials;
}

/** Never rejects. */
export type Cancelling = (patienceMs: number) => Promise<string>;

const NOT_PROVED = 'NOT CONFIRMED that no order is open: run `tidewire panic`';

export function cancelling(rescue: Rescue): Cancelling {
  return async (patienceMs) => {
    const cancelled = cancelWithin(rescue, patienceMs).catch((thrown) => `${NOT_PROVED}; ${messageOf(thrown)}`);
    const late = Promise.withResolvers<string>();
    systemClock.after(patienceMs, () => late.resolve(NOT_PROVED));
    return await Promise.race([cancelled, late.promise]);
  };
}

async function cancelWithin({ exchange: options, credentials }: Rescue, patienceMs: number): Promise<string> {
  const { emergencyExchange, cancelEverything, Problems } = await emergencyParts();
  const exchange = emergencyExchange({ exchange: options, credentials, clock: systemClock, logger: silentLogger });
  const problems = new Problems();
  const { openAfter, canceled } = await cancelEverything(exchange, systemClock, problems, { patienceMs });
  const said = openAfter === 0 ? `no order is open any more (${canceled} cancelled)` : NOT_PROVED;
  return [said, ...problems.list()].join('; ');
}

/** Also in advance: a process in trouble may not read files. */
export async function emergencyParts() {
  const [{ emergencyExchange }, { cancelEverything, Problems }] = await Promise.all([
    import('../emergency/emergency.ts'),
    import('../emergency/panic.ts'),
  ]);
  return { emergencyExchange, cancelEverything, Problems };
}
