/** P2P that a session left, as its journal knows it: the exchange may have ended some of it since. */
import { replayJournal } from '../../journal/resume.ts';
import type { MoneyState } from '../../spine/money/state.ts';

export interface StandingOffers {
  /** Ids of advertisements that were active last. */
  readonly advertisements: readonly string[];
  /** Ids of trades that were started or answered, and neither confirmed nor cancelled: they hold escrow. */
  readonly trades: readonly string[];
}

type Effect = readonly [what: keyof StandingOffers, stands: boolean];

const effects: Readonly<Partial<Record<string, Effect>>> = {
  advertise: ['advertisements', true],
  activateAdvertisement: ['advertisements', true],
  deactivateAdvertisement: ['advertisements', false],
  deleteAdvertisement: ['advertisements', false],
  respond: ['trades', true],
  startTrade: ['trades', true],
  confirmTrade: ['trades', false],
  cancelTrade: ['trades', false],
};

export function standingOffers(money: Pick<MoneyState, 'records'>): StandingOffers {
  const found = { advertisements: new Set<string>(), trades: new Set<string>() };
  for (const { request, fate, receipt } of money.records()) {
    const effect = effects[request.kind];
    if (effect === undefined || fate !== 'accepted' || typeof receipt?.id !== 'string') continue;
    const [what, stands] = effect;
    if (stands) found[what].add(receipt.id);
    else found[what].delete(receipt.id);
  }
  return { advertisements: [...found.advertisements], trades: [...found.trades] };
}

/** Null: nothing stands. */
export function offersText({ advertisements, trades }: StandingOffers): string | null {
  const what = [
    ...(advertisements.length === 0 ? [] : [`the P2P advertisement ${advertisements.join(', ')} may still be public`]),
    ...(trades.length === 0 ? [] : [`the P2P trade ${trades.join(', ')} may still hold escrow`]),
  ];
  if (what.length === 0) return null;
  return `${what.join(' and ')}, and no process watches: \`tidewire p2p my-ads\` and \`p2p trades --open\` show it, \`p2p deactivate ID\` hides`;
}

/** Of a session that does not run, for `panic`. Throws journal errors. */
export function offersAt(path: string): string | null {
  return offersText(standingOffers(replayJournal(path).state.money));
}
