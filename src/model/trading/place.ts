/** One order as a strategy asks for it. */
import type { DecimalLike } from '../numbers/money.ts';
import type { OrderType, PositionSide, Side, TimeInForce } from './order.ts';

export interface PlaceAction {
  readonly kind: 'place';
  readonly symbol: string;
  readonly side: Side;
  readonly type: OrderType;
  readonly price?: DecimalLike;
  readonly quantity: DecimalLike;
  readonly timeInForce?: TimeInForce;
  readonly reduceOnly?: boolean;
  readonly positionSide?: PositionSide;
  /** Denied locally when it would trade at once. */
  readonly postOnly?: boolean;
  /** Unique per strategy for ever; default `<strategy>-<n>`. */
  readonly ref?: string;
  readonly tag?: string;
}
