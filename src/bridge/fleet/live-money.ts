/** Every figure of money of a session that runs, of one live part and so of one moment: for answers and stream alike. */
import type { LivePart } from '../live/live-part.ts';
import type { SessionSummary } from '../schemas/session.ts';
import type { EquityHistory } from './equity-history.ts';

export interface LiveMoney extends Pick<SessionSummary, 'equity' | 'netPnl' | 'heldDrift' | 'today'> {
  readonly fees: number;
  readonly strategies: { readonly tag: string; readonly netPnl: number | null }[];
}

export function liveMoney(part: LivePart, history: EquityHistory): LiveMoney {
  const { equity, netPnl, heldDrift, strategies } = part;
  return {
    equity,
    netPnl,
    heldDrift,
    today: history.today(part),
    fees: strategies.reduce((sum, one) => sum + one.fees, 0),
    // Of the only strategy it is the session's, exact to the last unit.
    strategies: strategies.map((one) => ({
      tag: one.tag,
      netPnl: strategies.length === 1 ? netPnl : one.netPnl,
    })),
  };
}
