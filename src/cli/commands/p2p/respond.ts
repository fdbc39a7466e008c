/** `tidewire p2p respond AD AMOUNT`: starts a trade as taker, after a plan. Checks limits, liquidity and own escrow. */
import { Command } from 'commander';
import { dec, decimalText } from '../../../model/numbers/money.ts';
import type { Advertisement, P2pTrade } from '../../../model/funds/p2p.ts';
import { action, type CliIo, type CommandResult } from '../../command.ts';
import { cliErrors } from '../../errors.ts';
import { operationHelp } from '../../operations/help.ts';
import { readHoldings } from '../../operations/holdings.ts';
import { moveMoney, settleEarlier } from '../../operations/move-money.ts';
import { withExchange, type MutatingOptions, type OpenExchange } from '../../operations/open-exchange.ts';
import { amountOption, withConsent } from '../../operations/options.ts';
import { contradicted } from '../../operations/outcome.ts';
import { answered, refusedBeforehand } from '../../../operations/exchange/answers.ts';
import { confirmPlan } from '../../operations/plan.ts';
import { P2P_LOOK } from './create.ts';
import { tradeDocument } from './documents.ts';
import { deadlineOf } from './text.ts';
import { tradeDetail } from './trades.ts';

interface Options extends MutatingOptions {
  readonly method?: string;
}

const WHAT = 'the trade';

function methodOf({ paymentMethods, advertisementId }: Advertisement, wanted: string | undefined): string {
  const [only] = paymentMethods;
  if (wanted === undefined && only !== undefined && paymentMethods.length === 1) return only.id;
  if (wanted !== undefined && paymentMethods.some(({ id }) => id === wanted)) return wanted;
  const known = paymentMethods.map(({ id, name }) => `${id} (${name})`).join(', ');
  const message = `--method ${wanted ?? 'is missing'}: advertisement ${advertisementId} is paid by ${known}`;
  throw cliErrors.make('operation_invalid', message, { option: 'method' });
}

/** Throws the refusal that the exchange would answer. */
function checkDeal(ad: Advertisement, amount: string, fiat: string): void {
  const { advertisementId, status, availableAmount, base, quote, minLimit, maxLimit } = ad;
  if (status !== 'active') {
    throw refusedBeforehand(WHAT, 'illegal_transition', `advertisement ${advertisementId} is ${status}`);
  }
  if (dec(amount).gt(availableAmount)) {
    throw refusedBeforehand(WHAT, 'above_maximum', `only ${availableAmount} ${base} is left`, 'amount');
  }
  const deal = `${amount} ${base} is ${fiat} ${quote}, one deal is ${minLimit} to ${maxLimit} ${quote}`;
  if (dec(fiat).lt(minLimit)) throw refusedBeforehand(WHAT, 'below_minimum', deal, 'amount');
  if (dec(fiat).gt(maxLimit)) throw refusedBeforehand(WHAT, 'above_maximum', deal, 'amount');
}

/** The maker may have edited the advertisement meanwhile. Throws `operation_contradicted`. */
function requirePrice(trade: P2pTrade, price: string, quote: string): void {
  const { tradeId } = trade;
  if (dec(trade.price).eq(price)) return;
  const message = `trade ${tradeId} was started at ${trade.price} ${quote}, and ${price} was confirmed (it gives ${trade.amount} ${trade.amountCurrency} for ${trade.volume} ${trade.volumeCurrency}); \`tidewire p2p cancel ${tradeId}\` unless you want it`;
  throw contradicted(WHAT, tradeId, message);
}

async function respond(
  io: CliIo,
  open: OpenExchange,
  { advertisementId, amount, options }: { advertisementId: string; amount: string; options: Options },
): Promise<CommandResult> {
  const ad = answered('the advertisement', await open.exchange.money.p2p.advertisement(advertisementId));
  const { base, quote, price, maker, market } = ad;
  const paymentMethodId = methodOf(ad, options.method);
  const request = { kind: 'respond', advertisementId, amount, paymentMethodId } as const;
  const move = { request, what: WHAT, look: P2P_LOOK };
  await settleEarlier(io, open, move);
  const fiat = decimalText(dec(amount).times(price).toDecimalPlaces(market.quotePrecision));
  checkDeal(ad, amount, fiat);
  const sells = ad.side === 'buy';
  if (sells) (await readHoldings(open)).cover(WHAT, { account: 'p2p', currency: base, amount });
  const plan = {
    title: `${sells ? 'sell' : 'buy'} ${amount} ${base} for ${fiat} ${quote}`,
    rows: [
      ['account', await open.account()],
      [sells ? 'buyer' : 'seller', `${maker.username}, ${maker.tradesCount} completed trades`],
      ['price', `${price} ${quote}`],
      ['paid by', ad.paymentMethods.find(({ id }) => id === paymentMethodId)?.name ?? paymentMethodId],
    ] as const,
    warnings: [
      'the maker has 10 minutes to confirm the start, else the trade is canceled',
      sells ? `${amount} ${base} of your p2p account is locked at once` : `you will owe ${fiat} ${quote} to the seller`,
    ],
  };
  await confirmPlan(io, plan, options);
  const trade = await moveMoney(io, open, move);
  requirePrice(trade, price, quote);
  const { userId } = answered('the current user', await open.exchange.account.me());
  return {
    json: { command: 'p2p respond', ...tradeDocument(trade), confirmUntil: deadlineOf(trade) },
    text: tradeDetail(trade, userId, open.clock.now()),
  };
}

export function buildRespond(io: CliIo): Command {
  return withConsent(new Command('respond').description('Start a trade with the maker of an advertisement.'))
    .argument('<ad>', 'id of the advertisement, as `p2p ads` lists it')
    .argument('<amount>', 'of the base currency')
    .option('--method <ID>', 'payment method; needed when the advertisement takes several')
    .addHelpText(
      'after',
      operationHelp(
        ['p2p respond 17 10 --method 1 --config config/sandbox.yaml'],
        ['p2pCreateTrade', 'p2pAdvertisement', 'balances', 'me'],
      ),
    )
    .action(
      action(io, async (advertisementId: string, text: string, options: Options) => {
        const amount = amountOption('AMOUNT', text);
        return withExchange(io, options, 'key', (open) => respond(io, open, { advertisementId, amount, options }));
      }),
    );
}
