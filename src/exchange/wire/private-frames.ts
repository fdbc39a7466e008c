/** Private pushes to model types. One bad row spoils the frame. */
import type { z } from 'zod';
import type { Balance, VenuePosition } from '../../model/trading/account.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { OrderReport } from '../../model/trading/order.ts';
import type { ChannelFrame } from '../client/sockets/channel-source.ts';
import { createChannelTable, type ChannelTable } from '../interface/channels.ts';
import { balanceSchema } from './balances.ts';
import { decodeBy, decodeFailure, rowsIn, type DecodeFailure } from './decoded.ts';
import { fillSchema } from './fills.ts';
import { orderSchema } from './orders.ts';
import { positionSchema } from './positions.ts';

export type PrivateFrame =
  | { readonly kind: 'orders'; readonly orders: readonly OrderReport[] }
  | { readonly kind: 'fills'; readonly fills: readonly VenueFill[] }
  | { readonly kind: 'balances'; readonly balances: readonly Balance[] }
  | { readonly kind: 'positions'; readonly positions: readonly VenuePosition[] }
  /** A public channel. */
  | { readonly kind: 'ignored' }
  | DecodeFailure;

function rowsOf<T>(schema: z.ZodType<T>, frame: ChannelFrame): readonly T[] | DecodeFailure {
  const values: T[] = [];
  for (const [index, row] of rowsIn(frame.data).entries()) {
    const result = decodeBy(schema, frame.channel, row);
    if (result.kind === 'failure') return { ...result, field: `${index}.${result.field}` };
    values.push(result.value);
  }
  return values;
}

const plainChannels = createChannelTable();

export function decodePrivateFrame(frame: ChannelFrame, channels: ChannelTable = plainChannels): PrivateFrame {
  const parsed = channels.parse(frame.channel);
  if (parsed === undefined) return decodeFailure(frame.channel, '', 'no such channel', frame.channel);
  switch (parsed.kind) {
    case 'orderInfo':
    case 'orderHistory': {
      const orders = rowsOf(orderSchema, frame);
      return 'kind' in orders ? orders : { kind: 'orders', orders };
    }
    case 'myTrades': {
      const fills = rowsOf(fillSchema, frame);
      return 'kind' in fills ? fills : { kind: 'fills', fills };
    }
    case 'spotBalances':
    case 'futuresBalances': {
      const balances = rowsOf(balanceSchema, frame);
      return 'kind' in balances ? balances : { kind: 'balances', balances };
    }
    case 'positions': {
      const positions = rowsOf(positionSchema, frame);
      return 'kind' in positions ? positions : { kind: 'positions', positions };
    }
    default:
      return { kind: 'ignored' };
  }
}
