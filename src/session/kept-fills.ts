/**
 * The fills of a run for its result, in the order in which they became known. Bound: the newest `rowsMax`; where `packs`
 * says so, those whose markouts are there lie compressed (`packed-rows.ts`). Of `run-recorder.ts`.
 */
import type { Fill } from '../model/fill.ts';
import type { PositionSide } from '../model/order.ts';
import type { FillRecord, MidAfter } from '../statistics/inputs.ts';
import { PackedRows, type RowColumns } from './packed-rows.ts';

/** What the market showed when a fill happened. */
export interface AtFill {
  readonly mid: number | null;
  readonly midAfter: MidAfter;
  readonly queueAhead: number | null;
}

/** Whose fill it is, and of which order. */
export interface FilledOrder {
  readonly strategy: string;
  /** When it was sent; null where that is not known. */
  readonly orderTs: number | null;
  readonly arrivalMid: number | null;
}

type Texts = readonly [
  symbol: string,
  side: Fill['side'],
  price: string,
  quantity: string,
  fee: string,
  feeCurrency: string,
  liquidity: Fill['liquidity'],
  positionSide: PositionSide | null,
  ref: string,
  tag: string,
  strategy: string,
];

type Numbers = readonly [
  ts: number,
  mid: number | null,
  after1s: number | null,
  after5s: number | null,
  after30s: number | null,
  queueAhead: number | null,
  orderTs: number | null,
  arrivalMid: number | null,
];

interface FillRow {
  readonly ts: number;
  readonly texts: Texts;
  readonly at: AtFill;
  readonly orderTs: number | null;
  readonly arrivalMid: number | null;
}

const columns: RowColumns<FillRow, Texts, Numbers> = {
  texts: ({ texts }) => texts,
  numbers: ({ ts, at: { mid, midAfter, queueAhead }, orderTs, arrivalMid }) => [
    ts,
    mid,
    midAfter[0],
    midAfter[1],
    midAfter[2],
    queueAhead,
    orderTs,
    arrivalMid,
  ],
  row: (texts, [ts, mid, after1s, after5s, after30s, queueAhead, orderTs, arrivalMid]) => ({
    ts,
    texts,
    at: { mid, midAfter: [after1s, after5s, after30s], queueAhead },
    orderTs,
    arrivalMid,
  }),
};

function recordOf({ ts, texts, at, orderTs, arrivalMid }: FillRow): FillRecord {
  const [symbol, side, price, quantity, fee, feeCurrency, liquidity, positionSide, orderRef, tag, strategy] = texts;
  const { mid, midAfter, queueAhead } = at;
  return {
    ts,
    symbol,
    side,
    price,
    quantity,
    fee,
    feeCurrency,
    liquidity,
    ...(positionSide === null ? {} : { positionSide }),
    orderRef,
    tag,
    strategy,
    mid,
    midAfter,
    ...(liquidity === 'maker' && queueAhead !== null ? { queueAhead } : {}),
    ...(orderTs === null ? {} : { orderTs }),
    arrivalMid,
  };
}

export interface KeptFillsOptions {
  readonly rowsMax: number;
  readonly packs: boolean;
  /** Whether the parts of an answer may still come. */
  readonly isOpen: (midAfter: MidAfter) => boolean;
}

export class KeptFills {
  readonly #rows: PackedRows<FillRow, Texts, Numbers>;

  constructor({ rowsMax, packs, isOpen }: KeptFillsOptions) {
    this.#rows = new PackedRows({ rowsMax, isOver: ({ at }) => packs && !isOpen(at.midAfter), columns });
  }

  get length(): number {
    return this.#rows.length;
  }

  /** Rows that lie there as objects. */
  get looseCount(): number {
    return this.#rows.looseCount;
  }

  add(fill: Fill, at: AtFill, { strategy, orderTs, arrivalMid }: FilledOrder): void {
    const { ts, symbol, side, price, quantity, fee, feeCurrency, liquidity, positionSide = null, ref, tag } = fill;
    this.#rows.push({
      ts,
      texts: [symbol, side, price, quantity, fee, feeCurrency, liquidity, positionSide, ref, tag, strategy],
      at,
      orderTs,
      arrivalMid,
    });
  }

  /** In order of exchange time; made anew each time. */
  list(): readonly FillRecord[] {
    return Array.from(this.#rows, recordOf).sort((left, right) => left.ts - right.ts);
  }
}
