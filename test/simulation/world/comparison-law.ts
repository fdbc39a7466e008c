/**
 * Nothing new between the return of the private stream, a gap in it or a torn frame, and a comparison that was asked for since
 * (INV-R3, read from requests and frames alone: a gate of the process itself would hide a mistake in that gate).
 */
const READS_ACTIVE = /^> GET \S+\/order\/active/;
const READS_TRADES = /^> GET \S+\/trade\/(?:spot|derivative)\/list\/my/;
const LOGGED_IN = /^ws< \{.*"method":"auth".*"success":true/;
const PRIVATE_PUSH = /^ws< \{"channel":"([^"]*@(?:my|order)[^"]*|[^"]*my-balances|position-info)","seq":(\d+)/;
const RECEIVED = 'ws< ';
const PUSH = `${RECEIVED}{"channel":"`;

export class ComparisonLaw {
  readonly #seqs = new Map<string, number>();
  /** Where frames of an ended connection still come, the trace does not tell whose a frame is. */
  readonly #canTell: boolean;
  #compared: 'not' | 'orders' | 'whole' = 'not';
  #frameUs = 0;
  /** The instant of a gap behind other frames. */
  #gapUs = 0;

  constructor(canTell: boolean) {
    this.#canTell = canTell;
  }

  /** New risk may be taken at this time, µs. */
  isDone(us: number): boolean {
    return !this.#canTell || this.#compared === 'whole' || us === this.#gapUs;
  }

  boot(): void {
    this.#seqs.clear();
    this.#compared = 'not';
  }

  request(what: string): void {
    if (!what.startsWith('> GET ')) return;
    if (READS_ACTIVE.test(what)) {
      if (this.#compared === 'not') this.#compared = 'orders';
    } else if (this.#compared === 'orders' && READS_TRADES.test(what)) this.#compared = 'whole';
  }

  frame(us: number, what: string): void {
    if (!this.#canTell) return;
    const isFirst = us !== this.#frameUs;
    this.#frameUs = us;
    if (!what.startsWith(PUSH)) {
      if (!LOGGED_IN.test(what)) return;
      this.boot();
      return;
    }
    const push = PRIVATE_PUSH.exec(what);
    if (push === null) return;
    const [, channel = '', text = ''] = push;
    const seq = Number(text);
    const last = this.#seqs.get(channel);
    // One that goes back is late, unless the exchange counts anew.
    const isAnew = seq === 1 && last !== undefined && last > 1;
    const whole = isWhole(what);
    // The number of the first of a channel, torn, is not known: what is lost behind it cannot be told (seed 52918).
    if (whole || last !== undefined) this.#seqs.set(channel, isAnew ? seq : Math.max(last ?? seq, seq));
    if (whole && !isAnew && (last === undefined || seq <= last + 1)) return;
    this.#compared = 'not';
    // What leaves in this instant may still answer a frame that came before this one.
    this.#gapUs = isFirst ? 0 : us;
  }
}

function isWhole(what: string): boolean {
  try {
    JSON.parse(what.slice(RECEIVED.length));
    return true;
  } catch {
    return false;
  }
}
