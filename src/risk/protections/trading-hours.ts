/**
 * Trading hours such as `mon-fri 08:00-20:00 Europe/Berlin`: days, times of the day and, if not UTC, a zone. A range
 * that ends before it begins ends on the next day.
 */
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;
const MINUTE_MS = 60_000;
const DAY_MINUTES = 1_440;
const WEEK_MINUTES = 7 * DAY_MINUTES;
/** Every zone changes its offset at a multiple of this. */
const SLOT_MS = 15 * MINUTE_MS;
/** A week, plus the hour of a changed clock. */
const LOOK_AHEAD_MS = (WEEK_MINUTES + 120) * MINUTE_MS;

interface Range {
  readonly text: string;
  /** Minutes of the week from Sunday 00:00, `to` excluded; a range may end beyond the week. */
  readonly weekly: readonly (readonly [from: number, to: number])[];
  readonly zone: Zone;
}

/** The offset of a zone from UTC, remembered for a quarter of an hour. */
class Zone {
  readonly #format: Intl.DateTimeFormat | null;
  #slot = Number.NaN;
  #offsetMs = 0;

  /** Throws `RangeError` for an unknown zone. */
  constructor(name: string) {
    const parts = { year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric', minute: 'numeric' } as const;
    this.#format =
      name === 'UTC' ? null : new Intl.DateTimeFormat('en-US', { ...parts, hourCycle: 'h23', timeZone: name });
  }

  /** Minutes since Sunday 00:00 by the clocks of the zone. */
  minuteOfWeek(ms: number): number {
    const local = Math.floor((ms + this.#offset(ms)) / MINUTE_MS);
    // 1970-01-01 was a Thursday.
    return (((local + 4 * DAY_MINUTES) % WEEK_MINUTES) + WEEK_MINUTES) % WEEK_MINUTES;
  }

  #offset(ms: number): number {
    if (this.#format === null) return 0;
    const slot = Math.floor(ms / SLOT_MS);
    if (slot === this.#slot) return this.#offsetMs;
    const at = slot * SLOT_MS;
    const parts: Record<string, number> = {};
    for (const { type, value } of this.#format.formatToParts(at)) parts[type] = Number(value);
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0 } = parts;
    this.#slot = slot;
    this.#offsetMs = Date.UTC(year, month - 1, day, hour, minute) - at;
    return this.#offsetMs;
  }
}

export class TradingHours {
  readonly #ranges: readonly Range[];

  /** Throws `RangeError` with the expected form. */
  constructor(texts: readonly string[]) {
    this.#ranges = texts.map(parseRange);
  }

  get text(): string {
    return this.#ranges.map(({ text }) => text).join(', ');
  }

  /** `ms`: Unix ms. */
  isOpen(ms: number): boolean {
    return this.#ranges.some(({ weekly, zone }) => {
      const minute = zone.minuteOfWeek(ms);
      return weekly.some(([from, to]) => (minute >= from && minute < to) || minute + WEEK_MINUTES < to);
    });
  }

  /** Unix ms, exact to the minute; null: not within a week. */
  nextOpening(ms: number): number | null {
    const first = Math.floor(ms / MINUTE_MS) * MINUTE_MS;
    for (let at = first; at <= first + LOOK_AHEAD_MS; at += MINUTE_MS) if (this.isOpen(at)) return at;
    return null;
  }
}

const SHAPE = 'write DAYS HH:MM-HH:MM ZONE, such as "mon-fri 08:00-20:00" (UTC) or "sat,sun 10:00-24:00 Europe/Berlin"';

function parseRange(text: string): Range {
  const fail = (why: string): RangeError => new RangeError(`"${text}" ${why}; ${SHAPE}`);
  const words = text.trim().split(/\s+/);
  const days = /^\d/.test(words[0] ?? '') ? 'sun-sat' : words.shift();
  const [times = '', zoneName = 'UTC', ...rest] = words;
  if (rest.length > 0) throw fail(`has "${rest.join(' ')}" after the zone`);
  const [, fromText, toText] = /^(\d\d:\d\d)-(\d\d:\d\d)$/.exec(times) ?? [];
  const [from, to] = [minuteOf(fromText), minuteOf(toText)];
  if (Number.isNaN(from) || Number.isNaN(to) || from === DAY_MINUTES) throw fail('has no times of the day');
  const numbers = daysOf(days ?? '');
  if (numbers.length === 0) throw fail(`has no days "${days}"`);
  const end = to > from ? to : to + DAY_MINUTES;
  const weekly = numbers.map((day) => [day * DAY_MINUTES + from, day * DAY_MINUTES + end] as const);
  return { text: text.trim(), weekly, zone: zoneOf(zoneName, fail) };
}

function zoneOf(name: string, fail: (why: string) => RangeError): Zone {
  try {
    return new Zone(name);
  } catch {
    throw fail(`names the zone "${name}", which is not known`);
  }
}

function minuteOf(text: string | undefined): number {
  const [hours, minutes] = (text ?? '').split(':').map(Number);
  if (hours === undefined || minutes === undefined || minutes > 59) return Number.NaN;
  const minute = hours * 60 + minutes;
  return minute <= DAY_MINUTES ? minute : Number.NaN;
}

/** `mon-fri`, `sat,sun`, `fri-mon`. Empty: not days. */
function daysOf(text: string): readonly number[] {
  const found = new Set<number>();
  for (const part of text.toLowerCase().split(',')) {
    const [first = -1, last = first] = part.split('-').map((name) => DAYS.findIndex((day) => day === name));
    if (first < 0 || last < 0) return [];
    for (let day = first; ; day = (day + 1) % DAYS.length) {
      found.add(day);
      if (day === last) break;
    }
  }
  return [...found];
}
