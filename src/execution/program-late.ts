/** Names a trigger that fires at a price that was passed while nobody looked, and by how much. */
import type { Step } from '../programs/rule.ts';
import type { ProgramState } from '../spine/programs/programs.ts';
import type { Core } from './core.ts';
import { stepOf, type ProgramWorld } from './program-view.ts';

/** `now`: its step by now. False while there is no price that could tell. */
export function sayLate(core: Core, world: ProgramWorld, program: ProgramState, now: Step<unknown>): boolean {
  const { ref, symbol } = program;
  const instrument = core.deps.instruments.find(symbol);
  const mid = instrument === undefined ? Number.NaN : world.prices(instrument).mid;
  if (instrument === undefined || Number.isNaN(mid) || world.isStale(symbol)) return false;
  const { trigger, wants, data } = stepOf(world, program, true);
  const isFired = now.data !== data && now.wants.some(({ ticks }) => ticks === 0);
  if (trigger === undefined || !isFired || wants.some(({ ticks }) => ticks === 0)) return true;
  const beyond = instrument.priceText(Math.round(Math.abs(mid - trigger)));
  const at = instrument.priceText(Math.round(trigger));
  core.alarm('exit_late', `${ref} fires ${beyond} beyond its trigger ${at}, which was passed while nobody looked`);
  return true;
}
