/** A journal row about money that moves without an order, as a sentence. */
import type {
  MoneyIntentEntry,
  MoneyOutcomeEntry,
  MoneyResolvedEntry,
  MoneySendingEntry,
} from '../../model/entries/money-entries.ts';
import type { MoneyRequest } from '../../model/funds/money-commands.ts';

export type MoneyEntry = MoneyIntentEntry | MoneySendingEntry | MoneyOutcomeEntry | MoneyResolvedEntry;

export function moneyEntryText(entry: MoneyEntry): string {
  switch (entry.kind) {
    case 'money-intent':
      return `intent ${entry.intentId}: ${requestText(entry.request)}`;
    case 'money-sending':
      return 'SENDING is durable; bytes may leave';
    case 'money-outcome':
      return outcomeText(entry);
    case 'money-resolved': {
      const what = entry.verdict === 'happened' ? 'it happened' : 'it did not happen';
      const who = entry.by === 'human' ? 'a human decided' : 'history and balances show';
      const why = typeof entry.evidence === 'string' ? entry.evidence : JSON.stringify(entry.evidence);
      return `${who} that ${what}${idText(entry.receipt.id)}: ${why}`;
    }
  }
}

/** `transfer 100 USDT from unified-trading to funding`; others: their kind and content. */
export function requestText(request: MoneyRequest): string {
  if (request.kind === 'transfer')
    return `transfer ${request.amount} ${request.currency} from ${request.from} to ${request.to}`;
  const { kind, ...content } = request;
  return [kind, ...Object.entries(content).map(([name, value]) => `${name}=${String(value)}`)].join(' ');
}

function outcomeText({ outcome, doubted }: MoneyOutcomeEntry): string {
  switch (outcome.kind) {
    case 'accepted':
      return `accepted by the exchange${idText(outcome.value.id)}`;
    case 'refused': {
      const open = doubted === true ? '; not resolved until history and balances confirm it' : '';
      return `refused by the exchange, ${outcome.code}: ${outcome.message}${open}`;
    }
    case 'unknown':
      return `its outcome is unknown: ${outcome.reason}`;
    case 'not-sent':
      return `not sent: ${outcome.reason}`;
    case 'denied':
      return `denied before it left, ${outcome.denied.reason}: ${outcome.denied.message}`;
  }
}

function idText(id: string | null): string {
  return id === null ? '' : ` as ${id}`;
}
