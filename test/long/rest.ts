/**
 * `npm run soak:rest`: what a session at rest asks the exchange: one order that rests, no trade, nothing in doubt. Prints the
 * requests of an hour by operation.
 */
import { still } from './strategies.ts';
import { LongWorld } from './world.ts';

const world = new LongWorld({ seed: 1, strategies: [still], outages: false });
await world.runHours(1);
const before = new Map(world.requests);
await world.runHours(1);
let total = 0;
for (const [name, count] of [...world.requests].toSorted(([a], [b]) => a.localeCompare(b))) {
  const hourly = count - (before.get(name) ?? 0);
  total += hourly;
  if (hourly > 0) process.stdout.write(`${String(hourly).padStart(6)} ${name}\n`);
}
process.stdout.write(`${String(total).padStart(6)} requests an hour\n`);
world.close();
