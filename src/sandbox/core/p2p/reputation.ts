/** Completed and cancelled trades of a user (interface, "`user` (maker)"). */
import type { User } from '../identity/users.ts';

interface Counts {
  buy: number;
  sell: number;
  canceled: number;
  firstTrade: number | null;
  lastTrade: number | null;
}

export class Reputation {
  readonly #records = new Map<string, Counts>();
  readonly #startMs: number;

  constructor(startMs: number) {
    this.#startMs = startMs;
  }

  completed(buyer: User, seller: User, now: number): void {
    for (const [user, side] of [[buyer, 'buy'] as const, [seller, 'sell'] as const]) {
      const record = this.#of(user);
      record[side]++;
      record.firstTrade ??= now;
      record.lastTrade = now;
    }
  }

  canceled(users: readonly User[]): void {
    for (const user of users) this.#of(user).canceled++;
  }

  /** `tradesSuccessRate` and `online` are documented as unused. */
  body(user: User): object {
    const { buy, sell, canceled, firstTrade, lastTrade } = this.#of(user);
    const count = buy + sell;
    const percent = count + canceled === 0 ? 0 : Math.round((100 * count) / (count + canceled));
    return {
      id: user.userId,
      username: user.username,
      name: user.username,
      tradesCount: count,
      tradesSuccessRate: percent,
      online: true,
      lastTime: timeText(lastTrade),
      registerDate: timeText(this.#startMs),
      firstTrade: timeText(firstTrade),
      lastTrade: timeText(lastTrade),
      trades: { buy, sell },
      tradesPast: { buy, sell, percent },
      rating: { negative: canceled, positive: count },
    };
  }

  #of(user: User): Counts {
    let record = this.#records.get(user.userId);
    if (record === undefined) {
      record = { buy: 0, sell: 0, canceled: 0, firstTrade: null, lastTrade: null };
      this.#records.set(user.userId, record);
    }
    return record;
  }
}

function timeText(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString();
}
