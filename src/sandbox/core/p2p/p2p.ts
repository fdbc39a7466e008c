/** P2P trading. Changes are announced at once to the P2P socket. */
import { IdSequence } from '../orders/order-flow.ts';
import { Advertisements } from './advertisements.ts';
import type { P2pChange, P2pParts, P2pPorts } from './p2p-parts.ts';
import { p2pMarketsOf, type P2pMarket } from './markets.ts';
import { Reputation } from './reputation.ts';
import { P2pTrades } from './trades.ts';

export class P2p implements P2pParts {
  readonly ports: P2pPorts;
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
