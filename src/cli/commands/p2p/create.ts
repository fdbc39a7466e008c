/** `tidewire p2p create`: a new advertisement, visible at once. Terms are checked against the pair's rules first. */
import { Argument, Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import type { AdvertisementTerms, P2pMarket } from '../../../model/funds/p2p.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { repeated } from '../../config-option.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { readHoldings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent } from '../../operations/options.ts';
import { answered, listed, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { advertisementDocument } from './documents.ts';
import { checkPrice, readBounds } from './price-bounds.ts';
import { advertisementText } from './text.ts';
import { checkAmounts } from './terms.ts';

interface Options extends MutatingOptions {
  readonly price: string;
  readonly amount: string;
  readonly min: string;
  readonly max: string;
  readonly method: readonly string[];
  readonly comment?: string;
}

type Side = 'buy' | 'sell';

const WHAT = 'the advertisement';
export const P2P_LOOK = 'see `tidewire p2p my-ads` and `tidewire p2p trades`';

function termsOf({ price, amount, min, max, method, comment }: Options): AdvertisementTerms {
  return {
    price: amountOption('price', price),
    amount: amountOption('amount', amount),
    minLimit: amountOption('min', min),
    maxLimit: amountOption('max', max),
    paymentMethodIds: method,
    ...(comment === undefined ? {} : { comment }),
  };
}

async function checkCount({ exchange }: OpenExchange, market: P2pMarket, side: Side): Promise<string> {
  const mine = listed('your advertisements', await exchange.money.p2p.myAdvertisements('active'));
  const same = mine.filter((ad) => ad.side === side && ad.market.marketId === market.marketId).length;
  const max = side === 'sell' ? market.activeSellMax : market.activeBuyMax;
  if (same < max) return `${same + 1} of ${max}`;
  throw refusedBeforehand(WHAT, 'limit_reached', `${same} of ${max} ${side} advertisements are active already`);
}

export async function marketOf({ exchange }: OpenExchange, marketId: string): Promise<P2pMarket> {
  const markets = answered('the pairs', await exchange.money.p2p.markets());
  const market = markets.find((each) => each.marketId === marketId);
  if (market !== undefined) return market;
  const known = markets.map((each) => each.marketId).join(', ');
  throw cliErrors.make('operation_invalid', `there is no P2P pair ${marketId}; there are ${known}`, { marketId });
}

async function create(
  io: CliIo,
  open: OpenExchange,
  asked: {
    readonly marketId: string;
    readonly side: Side;
    readonly terms: AdvertisementTerms;
    readonly options: Options;
  },
): Promise<CommandResult> {
  const { side, terms, options } = asked;
  const request = { kind: 'advertise', marketId: asked.marketId, side, ...terms } as const;
  const move = { request, what: WHAT, look: P2P_LOOK };
  await settleEarlier(io, open, move);
  const market = await marketOf(open, asked.marketId);
  const { base, quote, marketId } = market;
  const bounds = await readBounds(open, market);
  checkPrice(WHAT, market, bounds, terms.price);
  checkAmounts(WHAT, market, terms);
  const count = await checkCount(open, market, side);
  if (side === 'sell') {
    const holdings = await readHoldings(open);
    holdings.cover(WHAT, { account: 'p2p', currency: base, amount: terms.amount });
  }
  const worth = decimalText(dec(terms.amount).times(terms.price).toDecimalPlaces(market.quotePrecision));
  const plan = {
    title: `advertise: ${side} ${terms.amount} ${base} at ${terms.price} ${quote}`,
    rows: [
      ['account', await open.account()],
      ['worth', `${worth} ${quote}`],
      ['price bounds', bounds.text],
      ['one deal', `${terms.minLimit} to ${terms.maxLimit} ${quote}`],
      ['paid by', `payment methods ${terms.paymentMethodIds.join(', ')}`],
      ['active', `${count} ${side} advertisements of ${marketId}`],
    ] as const,
    warnings: [
      'everybody sees it at once, and who responds starts a trade',
      'you have 10 minutes to confirm the start of each (`tidewire p2p watch`)',
      ...(side === 'sell' ? [`each trade locks its ${base} on your p2p account`] : []),
    ],
  };
  await confirmPlan(io, plan, options);
  const ad = await moveMoney(io, open, move);
  return { json: { command: 'p2p create', ...advertisementDocument(ad) }, text: advertisementText(ad) };
}

export function buildCreate(io: CliIo): Command {
  return withConsent(new Command('create').description('Create an advertisement; it is active at once.'))
    .argument('<pair>', 'for example USDTRUB')
    .addArgument(new Argument('<side>', 'what you do: sell or buy the base currency').choices(['buy', 'sell']))
    .requiredOption('--price <PRICE>', 'quote for one of base')
    .requiredOption('--amount <AMOUNT>', 'of base, all deals together')
    .requiredOption('--min <AMOUNT>', 'smallest deal, in quote')
    .requiredOption('--max <AMOUNT>', 'largest deal, in quote')
    .requiredOption('--method <ID>', 'payment method, as `p2p methods` lists it; may be repeated', repeated)
    .option('--comment <TEXT>', 'shown with it')
    .addHelpText(
      'after',
      operationHelp(
        [
          'p2p create USDTRUB sell --price 95.5 --amount 100 --min 500 --max 9550 --method 1 --config config/sandbox.yaml',
        ],
        ['p2pCreateAdvertisement', 'p2pMarkets', 'p2pMyAdvertisements', 'balances'],
      ),
    )
    .action(
      action(io, async (pair: string, side: Side, options: Options) => {
        const terms = termsOf(options);
        const marketId = pair.toUpperCase();
        return withExchange(io, options, 'key', (open) => create(io, open, { marketId, side, terms, options }));
      }),
    );
}
