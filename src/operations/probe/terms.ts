/** Terms of trade that the sandbox had to choose (docs/sandbox.md), beside those of the exchange. */
import type { EndpointName } from '../../exchange/interface/endpoints.ts';
import { decodeBy } from '../../exchange/wire/decoded.ts';
import { unwrapped } from '../../exchange/wire/body.ts';
import { schemaRows } from '../../exchange/wire/schema-table.ts';
import { decimalText } from '../../model/numbers/money.ts';
import type { P2pMarket } from '../../model/funds/p2p.ts';
import type { InstrumentSpec } from '../../model/market/instrument.ts';
import { assumedDefaults } from '../../sandbox/core/assumptions.ts';
import { instrumentSpecs } from '../../sandbox/core/market/instruments.ts';
import { judged, seen, unasked, type Ask, type Given, type Question, type Seen } from './question.ts';
import type { Symbols } from './shapes.ts';

const { fees, crypto, overdraft, futures, p2p } = assumedDefaults;

interface Fee {
  readonly symbol: string;
  readonly maker: string;
  readonly taker: string;
}

interface Networks {
  readonly currency: string;
  readonly networks: readonly {
    readonly network: string;
    readonly minAmount: string;
    readonly fee: string;
    readonly confirmations: number;
  }[];
}

interface Tier {
  readonly maxNotional: string;
  readonly maxLeverage: number;
  readonly maintenanceMarginRate: string;
}

/** Items by the schema of the endpoint; null where one cannot be read, which `shapes.ts` says. */
function itemsOf(endpoint: EndpointName, json: unknown): readonly unknown[] | null {
  const row = schemaRows.find(({ endpoints }) => endpoints.includes(endpoint));
  const inner = unwrapped(json);
  const list = Array.isArray(inner) ? inner : ((inner as { readonly items?: unknown[] } | null)?.items ?? [inner]);
  const read = list.map((item: unknown) => (row === undefined ? null : decodeBy(row.schema, endpoint, item)));
  return read.every((each) => each?.kind === 'value') ? read.map((each) => each.value) : null;
}

type Text = (items: readonly unknown[]) => string | null;

function terms(
  ask: Ask,
  row: Omit<Question, 'ask'> & { readonly endpoint: EndpointName; readonly given?: Given; readonly text: Text },
): Question {
  const { endpoint, given, text, ...question } = row;
  const read = (json: unknown): Seen => {
    const items = itemsOf(endpoint, json);
    const told = items === null ? null : text(items);
    return told === null ? unasked('the answer does not say it, or cannot be read') : seen(told, told);
  };
  return { ...question, ask: async () => judged(await ask(endpoint, given), read) };
}

function tierText(tiers: readonly Tier[]): string {
  return tiers
    .map(
      ({ maxNotional, maxLeverage, maintenanceMarginRate }) =>
        `${maxNotional} ${maxLeverage}x ${maintenanceMarginRate}`,
    )
    .join('; ');
}

function stepText({ tickSize, lotSize, minNotional }: InstrumentSpec): string {
  return `tick ${tickSize}, lot ${lotSize}, min notional ${minNotional}`;
}

function withdrawalText(
  rows: readonly {
    readonly currency: string;
    readonly network: string;
    readonly minAmount: string;
    readonly fee: string;
  }[],
): string {
  return rows
    .map(({ currency, network, minAmount, fee }) => `${currency} ${network} from ${minAmount} fee ${fee}`)
    .toSorted()
    .join('; ');
}

function overdraftText(of: {
  readonly currency: string;
  readonly limit: string;
  readonly interestRateDaily: string;
}): string {
  return `${of.limit} ${of.currency} at ${of.interestRateDaily} a day`;
}

function p2pText(markets: readonly P2pMarket[]): string {
  return markets
    .map(({ marketId, rule, advertisementMin, advertisementMax, tradeMin, tradeMax }) => {
      const anchor = rule.price === null ? '' : ` ${decimalText(rule.price)}`;
      return `${marketId} ${rule.ruleType}${anchor} -${rule.ask}% +${rule.bid}%, offers ${advertisementMin} to ${advertisementMax}, trades ${tradeMin} to ${tradeMax}`;
    })
    .toSorted()
    .join('; ');
}

function assumedP2p(): string {
  return p2p.markets
    .map(({ base, quote, rule, advertisementMin, advertisementMax, tradeMin, tradeMax }) => {
      const anchor = rule.kind === 'anchor' ? ` ${rule.price}` : '';
      return `${base}${quote} ${rule.kind}${anchor} -${rule.ask}% +${rule.bid}%, offers ${advertisementMin} to ${advertisementMax}, trades ${tradeMin} to ${tradeMax}`;
    })
    .toSorted()
    .join('; ');
}

function ofInstrument(ask: Ask, endpoint: 'spotInstruments' | 'derivativeInstruments', symbol: string): Question[] {
  const spec = instrumentSpecs.find((each) => each.symbol === symbol);
  if (spec === undefined) return [];
  return [
    terms(ask, {
      id: `terms/${symbol}`,
      question: `steps and least order of ${symbol}`,
      asked: 'GET …/instrument/…/list',
      assumed: stepText(spec),
      endpoint,
      text: (items) => {
        const found = (items as readonly InstrumentSpec[]).find((each) => each.symbol === symbol);
        return found === undefined ? null : stepText(found);
      },
    }),
  ];
}

function ofPerpetual(ask: Ask, symbol: string): Question[] {
  const tiers = futures.riskTiers[symbol];
  const query = { symbol };
  return [
    ...ofInstrument(ask, 'derivativeInstruments', symbol),
    terms(ask, {
      id: 'terms/funding',
      question: 'how often does funding settle',
      asked: 'GET …/instrument/derivative/list',
      assumed: `every ${futures.fundingIntervalHours} h`,
      endpoint: 'derivativeInstruments',
      text: (items) => {
        const hours = (items as readonly InstrumentSpec[]).find((each) => each.symbol === symbol)?.fundingIntervalHours;
        return hours === undefined ? null : `every ${hours} h`;
      },
    }),
    ...(tiers === undefined
      ? []
      : [
          terms(ask, {
            id: 'terms/tiers',
            question: `risk tiers of ${symbol}`,
            asked: `GET …/derivative/risk-tiers?symbol=${symbol}`,
            assumed: tierText(tiers),
            endpoint: 'riskTiers',
            given: { query },
            text: (items) => tierText(items as readonly Tier[]),
          }),
        ]),
  ];
}

export function termQuestions(ask: Ask, { spot, perpetual }: Symbols): readonly Question[] {
  return [
    ...ofInstrument(ask, 'spotInstruments', spot),
    ...(perpetual === null ? [] : ofPerpetual(ask, perpetual)),
    terms(ask, {
      id: 'terms/fees',
      question: `trading fees of ${spot}`,
      asked: 'GET …/fee/personal',
      assumed: `maker ${fees.maker}, taker ${fees.taker}`,
      endpoint: 'fees',
      text: (items) => {
        const found = (items as readonly Fee[]).find(({ symbol }) => symbol === spot);
        return found === undefined ? null : `maker ${decimalText(found.maker)}, taker ${decimalText(found.taker)}`;
      },
    }),
    terms(ask, {
      id: 'terms/withdrawals',
      question: 'what can be withdrawn, on which network, from what amount, at what fee',
      asked: 'GET …/withdrawals/currencies',
      assumed: withdrawalText(crypto.currencies),
      endpoint: 'withdrawalCurrencies',
      text: (items) =>
        withdrawalText(
          (items as readonly Networks[]).flatMap(({ currency, networks }) =>
            networks.map((row) => ({ currency, ...row })),
          ),
        ),
    }),
    terms(ask, {
      id: 'terms/overdraft',
      question: 'the credit line',
      asked: 'GET …/overdraft/me',
      assumed: overdraftText(overdraft),
      endpoint: 'overdraft',
      text: ([status]) => (status === undefined ? null : overdraftText(status as Parameters<typeof overdraftText>[0])),
    }),
    terms(ask, {
      id: 'terms/p2p',
      question: 'P2P pairs, their price rule and limits',
      asked: 'GET …/p2p/client/market/list',
      assumed: assumedP2p(),
      endpoint: 'p2pMarkets',
      text: (items) => p2pText(items as readonly P2pMarket[]),
    }),
  ];
}
