/** Fills, liquidations and funding in the journal of a session, each trade once. */
import { provedJournal, requireNotRewound } from '../../journal/verify.ts';
import { correctedTradeId, withCorrectedFees } from '../../model/trading/fee-correction.ts';
import type { VenueFill } from '../../model/trading/fill.ts';
import type { Instrument } from '../../model/market/instrument.ts';
import type { JournalRow } from '../../model/entries/journal.ts';
import { boundFill } from '../../spine/orders/fill-check.ts';
import { Replay } from '../../spine/replay.ts';
import type { SessionFolder } from '../../session/store/store.ts';
import type { TaxFill } from './fifo.ts';

export interface FundingPaid {
  readonly id: string;
  readonly account: string;
  readonly session: string;
  readonly strategy: string;
  readonly symbol: string;
  readonly currency: string;
  /** Received (+) or paid (−). */
  readonly amount: string;
  /** Unix ms of the exchange; in older journals of its booking. */
  readonly ts: number;
}

export interface SessionTrades {
  readonly fills: readonly TaxFill[];
  readonly fundings: readonly FundingPaid[];
}

/**
 * Throws `journal_corrupt` where a row does not follow the one before it, `journal_rewound` where rows are lost, and other
 * errors of a journal.
 */
export function tradesOf({ path, record }: SessionFolder): SessionTrades {
  requireNotRewound(path);
  return tradesIn(provedJournal(path), { session: record.id, account: `${record.exchange}/${record.account}` });
}

export function tradesIn(
  rows: Iterable<JournalRow>,
  of: { readonly session: string; readonly account: string },
): SessionTrades {
  const replay = new Replay();
  const fills: TaxFill[] = [];
  const fundings: FundingPaid[] = [];
  const seen = new Set<string>();
  const add = (strategy: string, instrument: Instrument, fill: VenueFill): void => {
    const key = `${fill.market}/${fill.symbol}/${strategy}/${fill.tradeId}`;
    if (!seen.has(key)) fills.push(taxFill(of, strategy, instrument, fill));
    seen.add(key);
  };
  for (const row of rows) {
    const { entry, ts } = row;
    replay.row(row);
    if (entry.kind === 'fill') {
      const order = replay.state.orders.byIntent(entry.intentId);
      if (order?.progress.trades?.has(entry.fill.tradeId) === true)
        add(order.strategy, order.instrument, entry.corrects === true ? entry.fill : boundFill(order, entry.fill));
    } else if (entry.kind === 'liquidation') {
      const instrument = replay.instruments.find(entry.fill.symbol);
      if (instrument !== undefined) add(entry.strategy, instrument, entry.fill);
    } else if (entry.kind === 'funding' && entry.strategy !== null) {
      const { id, strategy, currency, amount, symbol, paidAt = ts } = entry;
      fundings.push({ id, ...of, strategy, symbol: symbol ?? '', currency, amount, ts: paidAt });
    }
  }
  const tradeOf = ({ market, symbol, strategy, tradeId }: TaxFill): string =>
    `${market}/${symbol}/${strategy}/${correctedTradeId(tradeId)}`;
  return { fills: withCorrectedFees(fills, tradeOf), fundings };
}

function taxFill(
  { session, account }: { readonly session: string; readonly account: string },
  strategy: string,
  { spec }: Instrument,
  fill: VenueFill,
): TaxFill {
  const { market, symbol, base, quote, settle = quote, contractSize = '1' } = spec;
  const { tradeId, ts, side, price, quantity, fee, feeCurrency, positionSide = 'both' } = fill;
  const currency = market === 'spot' ? quote : settle;
  const where = { account, session, strategy, market, symbol, positionSide, base, currency, contractSize };
  return { ...where, tradeId, ts, side, price, quantity, fee, feeCurrency };
}
