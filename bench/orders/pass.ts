/**
 * One round of the bench of orders in a process of its own: each pass once to warm up, then once that counts. Prints a line
 * of JSON, `Round`. `node bench/orders/pass.ts RECORDING REPEAT`; run by `orders.ts`, also from another checkout.
 */
import { join } from 'node:path';
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';

export interface Pass {
  readonly seconds: number;
  readonly orders: number;
  readonly cancels: number;
  readonly fills: number;
}

export type Round = Readonly<Record<string, Pass>>;

const MAKER = join(import.meta.dirname, 'maker.ts');
const DENSE = join(import.meta.dirname, 'dense.ts');

const DENIED_MAX = 0.01;

interface Run {
  readonly file: string;
  readonly params: Readonly<Record<string, string>>;
}

const PASSES: Readonly<Record<string, Run>> = {
  'mix, no order': { file: MAKER, params: { act: 'false' } },
  mix: { file: MAKER, params: { act: 'true' } },
  'dense, no order': { file: DENSE, params: { act: 'none' } },
  cancel: { file: DENSE, params: { act: 'cancel' } },
  fill: { file: DENSE, params: { act: 'fill' } },
};

async function passOf({ file, params }: Run, path: string, repeat: number): Promise<Pass> {
  const strategies = await prepareStrategies({ file, params, entries: [] });
  const { config } = loadConfig({ file: null, environment: {} });
  const { result } = await backtest({ config, strategies, data: [path], seed: 1, repeat, logger: silentLogger });
  const { submitted, canceled, denied } = result.orderCounts;
  // Where the data begins anew there is no book yet.
  if (denied > DENIED_MAX * submitted) throw new Error(`${file}: ${denied} denials: ${result.warnings.join('; ')}`);
  return { seconds: result.wallMs / 1000, orders: submitted, cancels: canceled, fills: result.fills.length };
}

const [path = '', repeat = '1'] = process.argv.slice(2);
const only = process.argv.slice(4);
const round: Record<string, Pass> = {};
for (const measured of [false, true]) {
  for (const [name, run] of Object.entries(PASSES)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const pass = await passOf(run, path, Number(repeat));
    if (measured) round[name] = pass;
  }
}
process.stdout.write(`${JSON.stringify(round)}\n`);
