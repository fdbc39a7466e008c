/**
 * What the models of all areas share: the world, the money, timers by the model's own clock, the list of transactions,
 * and the judgement of an answer. A refusal has to be one that the rules give; where the documents leave it open whether
 * something is refused, both answers are right and the model follows.
 */
import { amountText, type Amount } from './amount.ts';
import { Mismatch, agree, agreeLines } from './mismatch.ts';
import { Purse } from './purse.ts';
import type { Answer, Person, World } from './world.ts';

type Row = Readonly<Record<string, unknown>>;

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** HTTP statuses that the wire profile gives to kinds of refusals. */
const statusOf: Readonly<Record<string, number>> = {
  bad_request: 400,
  login_failed: 401,
  token_expired: 401,
  not_found: 404,
  unknown_order: 404,
  unknown_symbol: 404,
  no_address: 404,
  code_not_found: 404,
  order_closed: 409,
  illegal_transition: 409,
  already_processing: 409,
  code_already_activated: 409,
  duplicate_client_order_id: 409,
};
const OTHER_STATUS = 422;
/** Of the documented key refusals, whose code is a bare text. */
const KEY_STATUS = 401;

export class Setting {
  readonly world: World;
  readonly purse: Purse;
  /** How often each command and each outcome came: a check that reaches nothing proves nothing. */
  readonly reached: Map<string, number>;
  #transactionsVersion = 0;
  readonly #transactions = new Map<string, string[]>();
  #timers: Timer[] = [];

  constructor(world: World, reached: Map<string, number>) {
    this.world = world;
    this.purse = new Purse(world);
    this.reached = reached;
  }

  /** The model's time. While timers run it is theirs. */
  now = 0;

  person(who: number): Person {
    return this.world.people[who % this.world.people.length]!;
  }

  at(dueMs: number, run: () => void): () => void {
    const timer = { dueMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Fires what is due, soonest first; of the same time what was set first. True when there was any. */
  fire(): boolean {
    let hasFired = false;
    for (;;) {
      const due = this.#timers.filter(({ dueMs }) => dueMs <= this.world.now);
      const first = due.reduce<Timer | undefined>(
        (best, timer) => (best === undefined || timer.dueMs < best.dueMs ? timer : best),
        undefined,
      );
      if (first === undefined) break;
      this.#timers = this.#timers.filter((other) => other !== first);
      this.now = first.dueMs;
      hasFired = true;
      first.run();
    }
    this.now = this.world.now;
    return hasFired;
  }

  /**
   * True when the exchange did it. `must` are the reasons for which it has to refuse, `may` those for which it can; it
   * never refuses for another one.
   */
  accepted(what: string, answer: Answer, must: readonly string[], may: readonly string[] = []): boolean {
    const { code, status, text } = answer;
    this.count(`${what.split(' ')[0] ?? what}: ${code ?? 'done'}`);
    if (code === null) {
      if (must.length > 0) throw new Mismatch(`${what}: accepted, though ${must.join(', ')}\n  ${text}`);
      return true;
    }
    if (!must.includes(code) && !may.includes(code)) {
      const reasons = [...must, ...may].join(', ') || 'none';
      throw new Mismatch(`${what}: refused with ${status} ${text}; reasons of the model: ${reasons}`);
    }
    agree(
      `${what}: status of ${code}`,
      String(status),
      String(statusOf[code] ?? (/[ A-Z]/.test(code) ? KEY_STATUS : OTHER_STATUS)),
    );
    return false;
  }

  count(name: string): void {
    this.reached.set(name, (this.reached.get(name) ?? 0) + 1);
  }

  transaction(
    { login }: Person,
    type: string,
    status: string,
    currency: string,
    amount: Amount,
    account: string,
    fee: Amount = 0n,
  ): { become(status: string): void } {
    const list = this.#transactions.get(login) ?? [];
    this.#transactions.set(login, list);
    const { now } = this;
    const line = (latest: string): string => {
      this.#transactionsVersion++;
      return [type, latest, currency, amountText(amount), amountText(fee), account, now, this.now].join(' ');
    };
    const index = list.push(line(status)) - 1;
    return { become: (latest) => void (list[index] = line(latest)) };
  }

  /** Every asset sums to zero over all accounts and the outside; nothing due is left undone; no feed saw a fault. */
  check(): void {
    const { exchange } = this.world.sandbox;
    for (const [asset, total] of exchange.accounts.totals()) agree(`sum of all ${asset}`, total.toFixed(), '0');
    for (const { feed, login } of this.world.people) {
      const [fault] = feed.faults;
      if (fault !== undefined) throw new Mismatch(`events of ${login}: ${fault}`);
    }
    this.purse.check(this.world);
  }

  /** The transaction history, `full` through its pages. */
  checkTransactions(full: boolean): void {
    const path = '/api/v1/wallet/transactions/list/my';
    for (const person of this.world.people) {
      const version = String(this.#transactionsVersion);
      const read = full ? undefined : this.world.readChanged(person, `${path}?limit=1000`, version);
      if (!full && read === undefined) continue;
      const rows = full ? this.pages(person, path) : (read as { readonly items: readonly Row[] }).items;
      const actual = rows.map((row) =>
        ['type', 'status', 'currency', 'amount', 'fee', 'account', 'createdAt', 'updatedAt']
          .map((name) => String(row[name]))
          .join(' '),
      );
      agreeLines(
        `transactions of ${person.login}`,
        counted(actual),
        counted(this.#transactions.get(person.login) ?? []),
      );
    }
  }

  /** All items of a list with cursors, newest first; no item comes twice. */
  pages(person: Person, path: string, limit = 37): readonly Row[] {
    const items: Row[] = [];
    const join = path.includes('?') ? '&' : '?';
    let cursor: string | null = '';
    while (cursor !== null) {
      const at: string = cursor === '' ? '' : `&cursor=${cursor}`;
      const page = this.world.read(person, `${path}${join}limit=${limit}${at}`) as {
        readonly items: readonly Row[];
        readonly nextCursor: string | null;
      };
      items.push(...page.items);
      cursor = page.nextCursor;
      if (cursor !== null && page.items.length === 0) throw new Mismatch(`${path}: an empty page with a cursor`);
    }
    return items;
  }
}

/** Lines that may come more than once, as named lines. */
export function counted(lines: readonly string[]): Map<string, string> {
  const counts = new Map<string, string>();
  for (const line of lines) counts.set(line, String(Number(counts.get(line) ?? '0') + 1));
  return counts;
}

/** One of what there is; the highest pick means what there is not. */
export function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
  return pick === PICK_MAX ? undefined : items[pick % Math.max(1, items.length)];
}

export const PICK_MAX = 40;

/**
 * The answer to a new order as it was before margins were looked at. What they cancelled at once the model learns by its
 * event, like every other liquidation, and judges it then.
 */
export function beforeMargins(answer: unknown, status: string): unknown {
  const { status: answered, reason } = answer as Row;
  const isForced = answered === 'canceled' && (reason === 'liquidation' || reason === 'insufficient_balance');
  return isForced ? { ...(answer as Row), status } : answer;
}
