/** The newest `rowsMax` fills of a run, compressed with `packs`. */
import type { Fill } from '../../model/trading/fill.ts';
import type { Liquidity, PositionSide, Side } from '../../model/trading/order.ts';
import { withCorrectedFees } from '../../model/trading/fee-correction.ts';
import type { FillRecord, MidAfter } from '../../statistics/inputs.ts';
import { withWorth, type FillWorth } from './fill-rates.ts';
import type { Sent } from './kept-orders.ts';
import { BLOCK_ROWS, numberColumn, PackedRows } from './packed-rows.ts';

export interface AtFill {
  readonly mid: number | null;
  readonly midAfter: MidAfter;
  readonly queueAhead: number | null;
}

export interface FilledOrder extends FillWorth {
  readonly strategy: string;
  readonly orderTs: number | null;
  readonly arrivalMid: number | null;
}

export interface KeptFillsOptions {
  readonly rowsMax: number;
  readonly packs: boolean;
  /** Whether markouts may still come. */
  readonly isOpen: (midAfter: MidAfter) => boolean;
}

type FillBlock = ReturnType<typeof fillBlock>;

function fillBlock() {
  return {
    ts: numberColumn(),
    symbol: [] as string[],
    side: [] as Side[],
    price: [] as string[],
    quantity: [] as string[],
    fee: [] as string[],
    feeCurrency: [] as string[],
    feeValue: [] as (string | null)[],
    quoteRate: [] as (string | null)[],
    liquidity: [] as Liquidity[],
    positionSide: [] as (PositionSide | null)[],
    ref: [] as string[],
    tag: [] as string[],
    strategy: [] as string[],
    mid: numberColumn(),
    after1s: numberColumn(),
    after5s: numberColumn(),
    after30s: numberColumn(),
    queueAhead: numberColumn(),
    orderTs: numberColumn(),
    arrivalMid: numberColumn(),
  };
}

function keepFill(block: FillBlock, at: number, fill: Fill): void {
  block.ts[at] = fill.ts;
  block.symbol[at] = fill.symbol;
  block.side[at] = fill.side;
  block.price[at] = fill.price;
  block.quantity[at] = fill.quantity;
  block.fee[at] = fill.fee;
  block.feeCurrency[at] = fill.feeCurrency;
  block.liquidity[at] = fill.liquidity;
  block.positionSide[at] = fill.positionSide ?? null;
  block.ref[at] = fill.ref;
  block.tag[at] = fill.tag;
}

function keepAnswers(block: FillBlock, answers: readonly MidAfter[]): void {
  for (const [at, [after1s, after5s, after30s]] of answers.entries()) {
    block.after1s[at] = after1s ?? Number.NaN;
    block.after5s[at] = after5s ?? Number.NaN;
    block.after30s[at] = after30s ?? Number.NaN;
  }
}

const orNull = (value: number): number | null => (Number.isNaN(value) ? null : value);

function recordOf(block: FillBlock, at: number): FillRecord {
  const positionSide = block.positionSide[at]!;
  const [queueAhead, orderTs] = [orNull(block.queueAhead[at]!), orNull(block.orderTs[at]!)];
  const record: FillRecord = {
    ts: block.ts[at]!,
    symbol: block.symbol[at]!,
    side: block.side[at]!,
    price: block.price[at]!,
    quantity: block.quantity[at]!,
    fee: block.fee[at]!,
    feeCurrency: block.feeCurrency[at]!,
    liquidity: block.liquidity[at]!,
    ...(positionSide === null ? {} : { positionSide }),
    orderRef: block.ref[at]!,
    tag: block.tag[at]!,
    strategy: block.strategy[at]!,
    mid: orNull(block.mid[at]!),
    midAfter: [orNull(block.after1s[at]!), orNull(block.after5s[at]!), orNull(block.after30s[at]!)],
    ...(block.liquidity[at] === 'maker' && queueAhead !== null ? { queueAhead } : {}),
    ...(orderTs === null ? {} : { orderTs }),
    arrivalMid: orNull(block.arrivalMid[at]!),
  };
  const [quoteRate, feeValue] = [block.quoteRate[at]!, block.feeValue[at]!];
  return quoteRate === null && feeValue === null ? record : withWorth(record, { quoteRate, feeValue });
}

export class KeptFills {
  readonly #options: KeptFillsOptions;
  readonly #rows: PackedRows<FillBlock>;
  /** By block: mids still arriving. */
  readonly #answers = new Map<number, MidAfter[]>();

  constructor(options: KeptFillsOptions) {
    const { rowsMax, packs } = options;
    this.#options = options;
    const isOver = (block: FillBlock, number: number): boolean => packs && this.#close(block, number);
    this.#rows = new PackedRows({ rowsMax, block: fillBlock, isOver });
  }

  get length(): number {
    return this.#rows.length;
  }

  get looseCount(): number {
    return this.#rows.looseCount;
  }

  add(fill: Fill, { mid, midAfter, queueAhead }: AtFill, order: FilledOrder): void {
    const { strategy, orderTs, arrivalMid, quoteRate, feeValue } = order;
    const number = this.#rows.push();
    const block = this.#rows.at(number)!;
    const at = number % BLOCK_ROWS;
    keepFill(block, at, fill);
    block.feeValue[at] = feeValue;
    block.quoteRate[at] = quoteRate;
    block.strategy[at] = strategy;
    block.mid[at] = mid ?? Number.NaN;
    block.queueAhead[at] = queueAhead ?? Number.NaN;
    block.orderTs[at] = orderTs ?? Number.NaN;
    block.arrivalMid[at] = arrivalMid ?? Number.NaN;
    if (at === 0) this.#beginAnswers(number);
    this.#answers.get((number - at) / BLOCK_ROWS)!.push(midAfter);
  }

  /** Adds the rows of a later part of the run. `sent`: of an order of this part, else null. */
  follow(later: KeptFills, sent: (strategy: string, ref: string) => Sent | null): void {
    later.#keepAllAnswers();
    later.#rows.map((block, at) => {
      const { orderRef: ref, mid, midAfter, queueAhead = null, ...row } = recordOf(block, at);
      const { strategy = '', orderTs = null, arrivalMid = null, quoteRate = null, feeValue = null } = row;
      const before = sent(strategy, ref);
      const order = before === null ? { orderTs, arrivalMid } : { orderTs: before.ts, arrivalMid: before.mid };
      const of = { strategy, quoteRate, feeValue, ...order };
      this.add({ ...row, ref } as Fill, { mid, midAfter: midAfter!, queueAhead }, of);
    });
  }

  /** By exchange time. */
  list(): readonly FillRecord[] {
    this.#keepAllAnswers();
    const rows = this.#rows.map(recordOf);
    const tradeOf = ({ symbol, orderRef, ts, price }: FillRecord): string => `${symbol}/${orderRef}/${ts}/${price}`;
    return [...withCorrectedFees(rows, tradeOf)].sort((left, right) => left.ts - right.ts);
  }

  #keepAllAnswers(): void {
    for (const [number, answers] of this.#answers) {
      // By its newest row; the oldest may be dropped.
      const block = this.#rows.at(number * BLOCK_ROWS + answers.length - 1);
      if (block !== undefined) keepAnswers(block, answers);
    }
  }

  #beginAnswers(number: number): void {
    this.#answers.set(number / BLOCK_ROWS, []);
    for (const other of this.#answers.keys())
      if ((other + 1) * BLOCK_ROWS <= this.#rows.first) this.#answers.delete(other);
  }

  /** False while a markout is open. */
  #close(block: FillBlock, number: number): boolean {
    const answers = this.#answers.get(number) ?? [];
    if (answers.some(this.#options.isOpen)) return false;
    keepAnswers(block, answers);
    this.#answers.delete(number);
    return true;
  }
}
