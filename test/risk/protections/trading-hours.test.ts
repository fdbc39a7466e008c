/** Trading hours against the clocks of their zone, as `Intl` writes them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limitsSchema } from '../../../src/risk/options.ts';
import { TradingHours } from '../../../src/risk/protections/trading-hours.ts';

const at = (text: string): number => Date.parse(text);

describe('trading hours', () => {
  it.each([
    // 2026-01-05 is a Monday.
    ['mon-fri 08:00-20:00', '2026-01-05T08:00:00Z', true],
    ['mon-fri 08:00-20:00', '2026-01-05T07:59:59.999Z', false],
    ['mon-fri 08:00-20:00', '2026-01-05T20:00:00Z', false],
    ['mon-fri 08:00-20:00', '2026-01-10T12:00:00Z', false],
    ['08:00-20:00', '2026-01-10T12:00:00Z', true],
    ['sat,sun 00:00-24:00', '2026-01-04T23:59:59Z', true],
    ['sat 22:00-04:00', '2026-01-11T03:59:00Z', true],
    ['sat 22:00-04:00', '2026-01-11T04:00:00Z', false],
    ['sat 22:00-04:00', '2026-01-10T03:00:00Z', false],
    ['fri-mon 10:00-11:00', '2026-01-05T10:30:00Z', true],
    ['mon-fri 08:00-20:00 Europe/Berlin', '2026-01-05T07:30:00Z', true],
    ['mon-fri 08:00-20:00 Europe/Berlin', '2026-07-06T06:30:00Z', true],
    ['mon-fri 08:00-20:00 Europe/Berlin', '2026-01-05T06:30:00Z', false],
    ['mon 00:00-06:00 Asia/Kolkata', '2026-01-04T18:30:00Z', true],
  ])('%s at %s: %s', (text, time, open) => {
    expect(new TradingHours([text]).isOpen(at(time))).toBe(open);
  });

  it('of several ranges are open in each; of none never', () => {
    const hours = new TradingHours(['mon 08:00-09:00', 'mon 10:00-11:00']);
    expect([8, 9, 10, 11].map((hour) => hours.isOpen(at('2026-01-05T00:30:00Z') + hour * 3_600_000))).toEqual([
      true,
      false,
      true,
      false,
    ]);
    expect(new TradingHours([]).nextOpening(at('2026-01-05T00:00:00Z'))).toBe(null);
  });

  it('know when they open again, also over a change of the clocks', () => {
    const hours = new TradingHours(['mon-fri 08:00-20:00 Europe/Berlin']);
    expect(hours.nextOpening(at('2026-03-27T19:30:00Z'))).toBe(at('2026-03-30T06:00:00Z'));
    expect(hours.nextOpening(at('2026-10-23T18:30:00Z'))).toBe(at('2026-10-26T07:00:00Z'));
  });

  it.each([
    'weekdays 08:00-20:00',
    'mon 8-20',
    'mon 25:00-26:00',
    'mon 08:00-20:00 Mars/Base',
    'mon 08:00-20:00 UTC x',
    '',
  ])('like "%s" are refused with what is expected', (text) => {
    const parsed = limitsSchema.safeParse({ tradingHours: [text] });
    expect(parsed.error?.issues[0]?.path).toEqual(['tradingHours', 0]);
    expect(parsed.error?.issues[0]?.message).toContain('write DAYS HH:MM-HH:MM ZONE');
  });

  it('agree with the wall clock of any zone at any time', () => {
    const zones = [
      'UTC',
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kolkata',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
    ];
    const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
    const minuteText = (minute: number): string =>
      `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.constantFrom(...days),
        fc.integer({ min: 0, max: 1439 }),
        fc.integer({ min: 1, max: 1440 }),
        fc.integer({ min: at('2020-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') }),
        (zone, day, from, to, ms) => {
          fc.pre(to > from);
          const wall = new Intl.DateTimeFormat('en-US', {
            timeZone: zone,
            weekday: 'short',
            hour: '2-digit',
            minute: '2-digit',
            hourCycle: 'h23',
          }).format(ms);
          const [, weekday = '', hour, minute] = /^(\w+),? (\d+):(\d+)$/.exec(wall) ?? [];
          const now = Number(hour) * 60 + Number(minute);
          const expected = weekday.toLowerCase() === day && now >= from && now < to;
          const hours = new TradingHours([`${day} ${minuteText(from)}-${minuteText(to)} ${zone}`]);
          expect(hours.isOpen(ms)).toBe(expected);
        },
      ),
      { numRuns: 500 },
    );
  });
});
