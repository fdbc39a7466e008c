/** Ports between the parts of `P2p`. */
import type { SpreadOf } from '../../../model/funds/p2p-price-rule.ts';
import type { MoneyPorts } from '../money/money-ports.ts';
import type { IdSequence } from '../orders/order-flow.ts';
import type { Advertisement, P2pTrade } from './advertisement.ts';
import type { P2pMarket } from './markets.ts';
import type { Reputation } from './reputation.ts';

export type P2pChange =
  | { readonly kind: 'advertisement'; readonly advertisement: Advertisement }
  | { readonly kind: 'trade'; readonly trade: P2pTrade };

export interface P2pPorts extends MoneyPorts {
  readonly startMs: number;
  readonly spreadOf: SpreadOf;
}

export interface P2pParts {
  readonly ports: P2pPorts;
  readonly ids: IdSequence;
  readonly markets: readonly P2pMarket[];
  readonly reputation: Reputation;
  readonly advertisements: { touch(advertisement: Advertisement, now: number): void };
  announce(change: P2pChange): void;
}
