/**
 * P2P trading joined: advertisements, trades, what is told of users. `MoneyAreas` holds one; routes call it. Whatever
 * changes is announced at once to whoever listens (the P2P socket). Pure: time is an argument.
 */
import type { MoneyPorts } from '../money-ports.ts';
import { IdSequence } from '../order-flow.ts';
import type { Advertisement } from './advertisement.ts';
import { Advertisements } from './advertisements.ts';
import { p2pMarketsOf, type P2pMarket } from './markets.ts';
import type { SpreadOf } from '../../../model/p2p-price-rule.ts';
import { Reputation } from './reputation.ts';
import type { P2pTrade } from './trade.ts';
import { P2pTrades } from './trades.ts';

export type P2pChange =
  | { readonly kind: 'advertisement'; readonly advertisement: Advertisement }
  | { readonly kind: 'trade'; readonly trade: P2pTrade };

export interface P2pPorts extends MoneyPorts {
  readonly startMs: number;
  readonly spreadOf: SpreadOf;
}

export class P2p {
  readonly ports: P2pPorts;
  /** Of advertisements and trades. */
  readonly ids: IdSequence;
  readonly markets: readonly P2pMarket[];
  readonly reputation: Reputation;
  readonly advertisements = new Advertisements(this);
  readonly trades = new P2pTrades(this);
  /** Set by the shell. */
  announce: (change: P2pChange) => void = () => {};

  constructor(ports: P2pPorts) {
    this.ports = ports;
    this.ids = new IdSequence(ports.startMs);
    this.markets = p2pMarketsOf(ports.assumed.p2p);
    this.reputation = new Reputation(ports.startMs);
  }
}
