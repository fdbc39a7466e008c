/** Findings of a comparison, and effects to be carried out on the account. */
import type { CashFlow } from '../model/trading/account.ts';
import type { VenueFill } from '../model/trading/fill.ts';
import type { Adjustment } from '../model/entries/journal.ts';
import type { Json } from '../model/text/json.ts';
import type { OrderReport } from '../model/trading/order.ts';
import type { AlarmCode } from '../spine/events.ts';

export type Finding =
  | { readonly kind: 'report'; readonly intentId: string; readonly report: OrderReport }
  | { readonly kind: 'fill'; readonly fill: VenueFill }
  | { readonly kind: 'absent'; readonly intentId: string; readonly asOf: number }
  | { readonly kind: 'never-arrived'; readonly intentId: string; readonly evidence: Json }
  | { readonly kind: 'vanished'; readonly intentId: string }
  | { readonly kind: 'recancel'; readonly intentId: string }
  /** Closed by the venue, yet active in a list that may lag. */
  | { readonly kind: 'lingers'; readonly intentId: string; readonly report: OrderReport }
  /** Closed by the venue, yet active in a list that cannot lag so much. */
  | { readonly kind: 'rests'; readonly intentId: string; readonly report: OrderReport }
  /** Closed, but history and trades agree on less than was reported, or none knows of it. */
  | { readonly kind: 'less'; readonly intentId: string; readonly report: OrderReport }
  /** Each order could be any of these intents. */
  | { readonly kind: 'ambiguous'; readonly intentIds: readonly string[]; readonly orders: readonly OrderReport[] }
  /** Has our prefix and is not in the journal. */
  | { readonly kind: 'foreign'; readonly report: OrderReport }
  /** A `foreign` order that has ended. */
  | { readonly kind: 'foreign-past'; readonly report: OrderReport }
  /** Lost with the rows after the backup. */
  | { readonly kind: 'adopt'; readonly report: OrderReport }
  | { readonly kind: 'external'; readonly report: OrderReport }
  | { readonly kind: 'liquidation'; readonly report: OrderReport }
  /** Its order is not in the history and may be one of unknown outcome: poll further back. */
  | { readonly kind: 'stray-trade' }
  | { readonly kind: 'external-fill'; readonly fill: VenueFill };

export type AccountEffect =
  | { readonly kind: 'adjust'; readonly adjustment: Adjustment }
  | { readonly kind: 'flow'; readonly flow: CashFlow }
  | { readonly kind: 'alarm'; readonly code: AlarmCode; readonly message: string };
