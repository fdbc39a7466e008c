/**
 * What happened at the borders of a simulated process, as one hash: the same seed gives the same one in every process on
 * every machine. Keeps the last lines for a failure's report.
 */
import { createHash } from 'node:crypto';

/** Lines of a list of active orders, of one that ended, and of a create that leaves. */
export const ACTIVE_TOLD = /^= 200 \[\{"orderId":/;
export const PAST_TOLD = /^= 200 \{"items":\[\{"orderId":/;
export const CREATE_PATH = /\/api\/v2\/exchange\/client\/order\/(spot|derivative)$/;
/** Of any command that moves money; its arrival; and the mark of one that the command line sends. */
export const MONEY_PATH =
  /\/(?:transfer\/account|code\/create-api|code\/redeem|create-and-submit-crypto-out|create-and-submit-fiat-application|fiat-application|overdraft\/pay|client\/advertisement(?:\/\d+\/(?:de)?activate)?)$/;
export const MONEY_MOVED =
  /^\* (?:POST|PATCH|DELETE) \S+\/(?:transfer\/account|code\/create-api|code\/redeem|create-and-submit-crypto-out|create-crypto-out\/\d+|create-and-submit-fiat-application|fiat-application|overdraft\/pay|client\/advertisement(?:\/\d+(?:\/(?:de)?activate)?)?) /;
export const BY_COMMAND_LINE = 'command line';
export const CREATES = /^> POST \S+\/order\/(?:spot|derivative) /;
const ORDER_ID = /"orderId":"(\d+)"/g;

export function orderIdsIn(line: string): readonly string[] {
  return [...line.matchAll(ORDER_ID)].map(([, orderId = '']) => orderId);
}

const LINES_MAX = 400;
/** Characters that are hashed at a time: a call a line costs more than the hash itself. */
const HASHED_AT = 65_536;

export class Trace {
  readonly #hash = createHash('sha256');
  readonly #lines: string[] = [];
  readonly #print: boolean;
  #unhashed = '';
  events = 0;
  /** Hears every line as well. */
  onLine: (us: number, what: string) => void = () => {};

  constructor(print = false) {
    this.#print = print;
  }

  add(us: number, what: string): void {
    this.events++;
    this.onLine(us, what);
    const line = `${us} ${what}`;
    this.#unhashed += `${line}\n`;
    if (this.#unhashed.length > HASHED_AT) this.#hashWaiting();
    this.#lines.push(line);
    if (this.#lines.length > LINES_MAX * 2) this.#lines.splice(0, LINES_MAX);
    if (this.#print) process.stderr.write(`${line}\n`);
  }

  get last(): readonly string[] {
    return this.#lines.slice(-LINES_MAX);
  }

  /** Ends the trace. */
  digest(): string {
    this.#hashWaiting();
    return this.#hash.digest('hex');
  }

  #hashWaiting(): void {
    this.#hash.update(this.#unhashed);
    this.#unhashed = '';
  }
}
