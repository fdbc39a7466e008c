/** One backtest in a process of its own, for `length.ts`: `length-run.ts DATA STRATEGY REPEAT`, started with `--expose-gc`. */
import { silentLogger } from '../../src/model/ports.ts';
import { backtest } from '../../src/session/backtest.ts';
import { loadConfig } from '../../src/session/config/load.ts';
import { prepareStrategies } from '../../src/session/strategies.ts';
import { keepHeapNarrow, keepYoungGeneration } from '../../src/cli/heap-growth.ts';

const [path = '', file = '', repeat = '1'] = process.argv.slice(2);
const MB = 2 ** 20;

async function measure(passes: number): Promise<{ readonly events: number; readonly wallMs: number }> {
  const strategies = await prepareStrategies({ file, params: {}, entries: [] });
  const { config } = loadConfig({ file: null, environment: {} });
  const { result } = await backtest({
    config,
    strategies,
    data: [path],
    seed: 1,
    repeat: passes,
    logger: silentLogger,
    loaded: keepHeapNarrow,
  });
  return { events: result.events.total, wallMs: result.wallMs };
}

keepYoungGeneration();
// V8 has optimised the loop before the first measured event.
await measure(3);
const { events, wallMs } = await measure(Number(repeat));
globalThis.gc?.();
console.log(
  JSON.stringify({
    events,
    nsPerEvent: (wallMs * 1e6) / events,
    heapMB: process.memoryUsage().heapUsed / MB,
    residentMB: process.resourceUsage().maxRSS / 1024,
  }),
);
