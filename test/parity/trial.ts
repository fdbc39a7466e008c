/** One script on both sides, and the smallest part of it on which they still differ. */
import { differences } from './compare.ts';
import type { Dataset } from './dataset.ts';
import { playReference } from './reference.ts';
import type { Played, ScriptStep } from './rules.ts';
import type { Scripted } from './script.ts';
import { playSession, playVenue } from './tidewire.ts';

export interface Trial {
  readonly orders: number;
  readonly fills: number;
  readonly differences: readonly string[];
}

/** Plays of a script beyond which a disagreement is shown as small as it is then. */
const SHRINK_PLAYS_MAX = 200;

function playTidewire(dataset: Dataset, { driver, rules, told, steps }: Scripted): Played | Promise<Played> {
  const play = driver === 'session' ? playSession : playVenue;
  return play(dataset, steps, told ?? rules);
}

export async function trial(dataset: Dataset, script: Scripted): Promise<Trial> {
  const { driver, rules, steps } = script;
  const expected = playReference(dataset.market[rules.mode], dataset.recorded, steps, rules);
  const actual = await playTidewire(dataset, script);
  return {
    orders: expected.orders.length,
    fills: expected.orders.reduce((sum, { fills }) => sum + fills.length, 0),
    differences: differences(expected, actual, driver),
  };
}

/** Drops ever smaller runs of steps, as long as what is left still disagrees. */
export async function shrink(dataset: Dataset, script: Scripted): Promise<Scripted> {
  let { steps } = script;
  let plays = 0;
  for (let size = Math.ceil(steps.length / 2); size >= 1 && plays < SHRINK_PLAYS_MAX; size = Math.floor(size / 2)) {
    let from = 0;
    while (from < steps.length && plays < SHRINK_PLAYS_MAX) {
      const fewer = without(steps, from, size);
      plays += 1;
      if ((await trial(dataset, { ...script, steps: fewer })).differences.length > 0) steps = fewer;
      else from += size;
    }
  }
  return { ...script, steps };
}

/** Without some steps, and without the cancels of orders that are gone with them. */
function without(steps: readonly ScriptStep[], from: number, size: number): readonly ScriptStep[] {
  const kept = steps.filter((_, index) => index < from || index >= from + size);
  const placed = new Set(kept.flatMap((step) => (step.kind === 'place' ? [step.ref] : [])));
  return kept.filter((step) => step.kind === 'place' || placed.has(step.ref));
}
