/**
 * Every time operator in virtual time beside the same one in real time: the same values in the same order; in virtual
 * time at the very instants that the pipeline names.
 */
import { join } from 'node:path';
import type { Subscription } from 'rxjs';
import * as rxjs from 'rxjs';
import { beforeAll, describe, expect, test } from 'vitest';
import { defineStrategy } from 'tidewire';
import { seededRandom } from '../../../src/model/random.ts';
import { installTraps } from '../../../src/strategy/traps.ts';
import { installVirtualTime } from '../../../src/strategy/running/virtual-time.ts';
import { START_MS, World } from '../world.ts';
import { creators } from './rows/creators.ts';
import { delays, limits } from './rows/delays.ts';
import { groups } from './rows/groups.ts';
import { language } from './rows/language.ts';
import { rates } from './rows/rates.ts';
import { again, sharing } from './rows/repetition.ts';
import { schedulers } from './rows/schedulers.ts';
import type { Mark, TimeRow } from './time-row.ts';

const timeRows: readonly TimeRow[] = [
  creators,
  rates,
  groups,
  delays,
  limits,
  again,
  sharing,
  schedulers,
  language,
].flat();

const UNIT_MS = 1000;
const UNITS = 10;
/**
 * A machine under load may be late by more than half a unit, so that timers meet in another order. A row that disagrees
 * is asked again with longer units: real disagreement stays.
 */
const REAL_UNITS_MS = [25, 100, 400];

function observe(row: TimeRow, unit: number, now: () => number, marks: [number, unknown][]): Subscription {
  const mark = (value: unknown): void => void marks.push([now(), value]);
  return row.make(unit).subscribe({
    next: mark,
    error: (thrown: unknown) => mark(`error ${thrown instanceof Error ? thrown.name : String(thrown)}`),
    complete: () => mark('done'),
  });
}

/** In a strategy of a backtest: virtual time, traps, promises drained before time goes on. */
async function virtualMarks(row: TimeRow): Promise<readonly Mark[]> {
  const world = new World();
  const removeTime = installVirtualTime(world.clock, {
    unhandled: (thrown) => expect(thrown).toBeNull(),
  });
  const traps = installTraps({ clock: world.clock, random: seededRandom(1), warn: () => {} });
  const marks: [number, unknown][] = [];
  try {
    const definition = defineStrategy({
      name: 'timed',
      setup: ({ clock }) => void observe(row, UNIT_MS, () => (clock.now() - START_MS) / UNIT_MS, marks),
    });
    const files = new Set([import.meta.filename, join(import.meta.dirname, 'rows/language.ts')]);
    const { errors } = world.start(definition, { files });
    if (traps.promisePending) await traps.drain();
    while (world.clock.step((START_MS + UNITS * UNIT_MS) * 1000)) if (traps.promisePending) await traps.drain();
    expect(errors).toEqual([]);
    return marks;
  } finally {
    world.stopAll();
    traps.remove();
    removeTime();
  }
}

async function realValues(row: TimeRow, unit: number): Promise<readonly unknown[]> {
  const marks: [number, unknown][] = [];
  const subscription = observe(row, unit, () => 0, marks);
  await new Promise((resolve) => setTimeout(resolve, UNITS * unit));
  subscription.unsubscribe();
  return marks.map(([, value]) => value);
}

/** The rows side by side. */
const inRealTime = new Map<string, readonly unknown[]>();
beforeAll(async () => {
  const unit = REAL_UNITS_MS[0] ?? 0;
  await Promise.all(timeRows.map(async (row) => inRealTime.set(row.name, await realValues(row, unit))));
});

describe('in virtual time as in real time', () => {
  test.each(timeRows)('$name', async (row) => {
    expect(await virtualMarks(row)).toEqual(row.expected);
    const wanted = row.expected.map(([, value]) => value);
    let seen = inRealTime.get(row.name) ?? [];
    for (const unit of REAL_UNITS_MS.slice(1)) {
      if (JSON.stringify(seen) === JSON.stringify(wanted)) break;
      seen = await realValues(row, unit);
    }
    expect(seen).toEqual(wanted);
  });

  /** Takes a scheduler or a duration, or is one. A new one in RxJS asks for a row here. */
  test('no operator that takes a time is left out', () => {
    const timed = Object.keys(rxjs).filter((name) =>
      /Time|delay|interval|timer|timeout|debounce|throttle|audit|sample|buffer|window|retry|repeat|Scheduler$|observeOn|subscribeOn|scheduled|expand|Replay|bind|animationFrames|generate|range$/i.test(
        name,
      ),
    );
    const rows = timeRows.map(({ make }) => String(make)).join('\n');
    const elsewhere = ['bufferCount', 'windowCount', 'VirtualTimeScheduler', 'TimeoutError'];
    const aliases = ['async', 'asap', 'queue', 'animationFrame', 'Scheduler'];
    const left = timed.filter((name) => !new RegExp(`\\b${name}\\b`).test(rows));
    expect(left.filter((name) => !elsewhere.includes(name) && !aliases.includes(name))).toEqual([]);
  });
});
