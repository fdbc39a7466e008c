/**
 * Work is bounded (INV-L5), seen from the border alone: connections within five minutes, requests within a minute, a 429 is
 * obeyed, rows of the journal within a minute. A gate or a counter of the process itself would hide what breaks it.
 */
const CONNECTS_WINDOW_US = 300_000_000;
/** Twice `CONNECTS_MAX` of the reconnect policy, for two sockets, and one of each that is being made. */
const CONNECTS_MAX = 42;
const MINUTE_US = 60_000_000;
/** `requestsPerSecond` of the exchange's options for a minute, and one second of burst. */
const REQUESTS_MAX = 20 * 61;
/** What two strategies may decide, a storm of a thousand intents and all that is told of it included. */
const ROWS_MAX = 20_000;
/** `Retry-After: 1`, less what the way of the answer takes. */
const OBEY_US = 950_000;
const KILLED_US = 1_050_000;

type Violated = (law: string, what: string) => void;

/** So many in a window of time, counted in O(1). */
class Rate {
  readonly #windowUs: number;
  #times: number[] = [];
  #from = 0;

  constructor(windowUs: number) {
    this.#windowUs = windowUs;
  }

  /** How many there are with this one. */
  add(us: number, count = 1): number {
    for (let index = 0; index < count; index++) this.#times.push(us);
    while ((this.#times[this.#from] ?? us) <= us - this.#windowUs) this.#from++;
    if (this.#from > 4096) {
      this.#times = this.#times.slice(this.#from);
      this.#from = 0;
    }
    return this.#times.length - this.#from;
  }
}

export class BudgetLaw {
  readonly #violated: Violated;
  readonly #isCalm: boolean;
  #connects = new Rate(CONNECTS_WINDOW_US);
  #requests = new Rate(MINUTE_US);
  #rows = new Rate(MINUTE_US);
  #connectsInAll = 0;
  #limitedUntilUs = 0;
  #killedUntilUs = 0;

  /** `isCalm`: nothing fails in this seed. */
  constructor(violated: Violated, isCalm: boolean) {
    this.#violated = violated;
    this.#isCalm = isCalm;
  }

  /** A process knows nothing of what an earlier one was told. */
  boot(): void {
    this.#connects = new Rate(CONNECTS_WINDOW_US);
    this.#requests = new Rate(MINUTE_US);
    this.#rows = new Rate(MINUTE_US);
    this.#connectsInAll = 0;
    this.#limitedUntilUs = 0;
    this.#killedUntilUs = 0;
  }

  /** `isKilled`: cancels of a kill are tried all the same, each second, also the one that waits as a human ends it. */
  request(us: number, what: string, isKilled: boolean): void {
    const count = this.#requests.add(us);
    if (count > REQUESTS_MAX) this.#violated('L5', `${count} requests in a minute`);
    if (isKilled) this.#killedUntilUs = us + KILLED_US;
    const isOfKill = isKilled || (us < this.#killedUntilUs && what.startsWith('> DELETE'));
    if (us < this.#limitedUntilUs && !isOfKill)
      this.#violated('L5', `a request leaves ${this.#limitedUntilUs - us} µs before one is taken again: ${what}`);
  }

  limited(us: number): void {
    this.#limitedUntilUs = us + OBEY_US;
  }

  connect(us: number): void {
    const count = this.#connects.add(us);
    if (count > CONNECTS_MAX) this.#violated('L5', `${count} connections in five minutes`);
    if (this.#isCalm && ++this.#connectsInAll > 2) this.#violated('L5', 'a connection is lost although nothing fails');
  }

  rows(us: number, count: number): void {
    const sum = this.#rows.add(us, count);
    if (sum > ROWS_MAX) this.#violated('L5', `${sum} rows in a minute`);
  }
}
