/** A user's position on one side of a perpetual. */
import type { PositionSlot } from '../../../clearing/perpetual/position-slot.ts';
import type { OrderRecord } from '../orders/order-record.ts';

export type Slot = PositionSlot<OrderRecord>;
