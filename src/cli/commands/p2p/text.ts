/** Advertisements and trades as people read them. Pure. */
import { limits } from '../../../exchange/interface/limits.ts';
import type { Advertisement, P2pTrade } from '../../../model/funds/p2p.ts';
import { timeText } from '../../operations/text.ts';
import { table } from '../../terminal/table.ts';

/** `side` is the maker's. */
export function offerText({ side, base }: Pick<Advertisement, 'side' | 'base'>): string {
  return `${side === 'sell' ? 'sells' : 'buys'} ${base}`;
}

const AD_HEAD = ['id', 'maker', 'offer', 'price', 'available', 'one deal'];

/** `own`: shows the state in place of the maker. */
export function advertisementsText(items: readonly Advertisement[], own: boolean): string {
  if (items.length === 0) return 'no advertisements';
  const head = own ? AD_HEAD.with(1, 'state') : AD_HEAD;
  const rows = items.map((ad) => [
    ad.advertisementId,
    own ? ad.status : `${ad.maker.username} (${ad.maker.tradesCount})`,
    offerText(ad),
    `${ad.price} ${ad.quote}`,
    ad.availableAmount,
    `${ad.minLimit}-${ad.maxLimit}`,
  ]);
  return table(rows, { head, right: [3, 4] });
}

export function advertisementText(ad: Advertisement): string {
  const methods = ad.paymentMethods.map(({ id, name }) => `${name} (${id})`).join(', ');
  return table([
    ['id', `${ad.advertisementId} (number ${ad.idNumber})`],
    ['state', ad.status],
    ['maker', `${ad.maker.username}, ${ad.maker.tradesCount} completed trades`],
    ['offer', `${offerText(ad)} at ${ad.price} ${ad.quote}`],
    ['available', `${ad.availableAmount} ${ad.base}`],
    ['one deal', `${ad.minLimit} to ${ad.maxLimit} ${ad.quote}`],
    ['paid by', methods],
    ['comment', ad.comment ?? ''],
    ['created', timeText(ad.createdAt)],
    ['changed', timeText(ad.updatedAt)],
  ]);
}

export type Part = 'buyer' | 'seller' | 'none';

export function partOf({ buyUserId, sellUserId }: P2pTrade, userId: string): Part {
  if (buyUserId === userId) return 'buyer';
  return sellUserId === userId ? 'seller' : 'none';
}

/** Crypto and fiat by the pair's name, which begins with the base; the wire has the taker's view. */
export function sidesOf(trade: P2pTrade): { readonly base: string; readonly quote: string } {
  const volume = `${trade.volume} ${trade.volumeCurrency}`;
  const amount = `${trade.amount} ${trade.amountCurrency}`;
  return trade.marketId.startsWith(trade.volumeCurrency)
    ? { base: volume, quote: amount }
    : { base: amount, quote: volume };
}

export function tradeText(trade: P2pTrade, part: Part): string {
  const { base, quote } = sidesOf(trade);
  return `${part === 'seller' ? 'sell' : 'buy'} ${base} for ${quote}`;
}

function minutesText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Until when the maker must confirm the start; null in later states. */
export function deadlineOf({ status, createdAt }: P2pTrade): number | null {
  return status === 'open:wait-confirm' ? createdAt + limits.p2pConfirmMs : null;
}

export function timeLeftText(trade: P2pTrade, now: number): string {
  const deadline = deadlineOf(trade);
  if (deadline === null) return '';
  return deadline <= now ? 'over' : minutesText(deadline - now);
}

/** The next step and who takes it, wrapped for a table. */
export function nextText(trade: P2pTrade, part: Part, now: number): string {
  const { tradeId, status } = trade;
  const { quote, base } = sidesOf(trade);
  switch (status) {
    case 'open:wait-confirm':
      return `within ${timeLeftText(trade, now)} the maker runs\n\`p2p start ${tradeId}\`, else it is canceled`;
    case 'open':
      return part === 'buyer'
        ? `pay ${quote} to the seller, then\n\`p2p pay ${tradeId}\``
        : `the buyer pays ${quote}; wait`;
    case 'send-payment-document':
      return part === 'seller'
        ? `check that ${quote} arrived, then\n\`p2p confirm ${tradeId}\`,\nif not \`p2p dispute ${tradeId}\``
        : `the seller checks that ${quote} arrived and releases ${base}`;
    case 'dispute:open':
      return 'the exchange decides the appeal';
    case 'complete':
    case 'cancel':
      return 'nothing: it is over';
  }
}
