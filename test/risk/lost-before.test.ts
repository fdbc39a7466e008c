/** The day of a new journal begins by what earlier sessions of the day have lost above what the account is worth. */
import { describe, expect, it } from 'vitest';
import { createMemoryJournal } from '../../src/journal/memory-store.ts';
import { utcDay } from '../../src/model/time.ts';
import { lostBeforeRow } from '../../src/risk/losses/account-equity.ts';
import type { JournalStore } from '../../src/model/entries/journal.ts';
import { denials, HandClock, makeRig, START, type Rig } from '../execution/rig.ts';

const DAY_MS = 86_400_000;
const order = {
  kind: 'place',
  symbol: 'BTCUSDT',
  side: 'buy',
  type: 'limit',
  price: '59000',
  quantity: '0.01',
} as const;

/** A session after one that has lost so much: the account holds 1,600,005 USDT, a fifth of a day may be lost. */
function after(lost: number, at = START): Rig {
  const journal = createMemoryJournal();
  journal.append(START, [lostBeforeRow(utcDay(at), lost)]);
  return makeRig({ journal, risk: { dailyLossFraction: 0.2 } });
}

function days(journal: JournalStore): string[] {
  return [...journal.read()].flatMap(({ entry }) => (entry.kind === 'day' ? [entry.equity] : []));
}

describe('what earlier sessions of the day have lost', () => {
  it('counts to the limit, is passed on, and stays over a restart', () => {
    const rig = after(400_010);
    rig.executor.submit('maker', order);
    expect(denials(rig)).toEqual(['daily_loss']);
    expect(days(rig.journal)).toEqual(['2000015']);
    expect(rig.executor.lossOfDay()).toEqual({ day: '2026-01-05', amount: 400_010 });
    const clock = new HandClock();
    const again = makeRig({ journal: rig.journal, clock, risk: { dailyLossFraction: 0.2 }, bootId: 'b2' });
    again.executor.submit('maker', order);
    expect(denials(again)).toEqual(['daily_loss']);
    expect(days(again.journal)).toEqual(['2000015']);
  });

  it('leaves what is left of the limit, and adds what was gained', () => {
    const rig = after(399_000);
    rig.executor.submit('maker', order);
    expect(denials(rig)).toEqual([]);
    const gained = after(-100_000);
    gained.executor.submit('maker', order);
    expect(days(gained.journal)).toEqual(['1500005']);
    expect(gained.executor.lossOfDay()).toEqual({ day: '2026-01-05', amount: -100_000 });
  });

  it('is of that day alone', () => {
    const yesterday = after(400_010, START - DAY_MS);
    yesterday.executor.submit('maker', order);
    expect(denials(yesterday)).toEqual([]);
    const rig = after(400_010);
    rig.executor.submit('maker', order);
    rig.clock.advance(DAY_MS);
    rig.executor.submit('maker', { ...order, price: '58900' });
    expect(denials(rig)).toEqual(['daily_loss']);
    expect(rig.executor.lossOfDay()).toEqual({ day: '2026-01-06', amount: 0 });
  });

  it('is not known before the account was valued', () => {
    expect(makeRig().executor.lossOfDay()).toBeUndefined();
  });
});
