/**
 * P2P. An offer to others is made by a strategy or on the terminal, and so is the last step, which gives the escrow away.
 * What takes an offer back, and the steps between, a session takes as commands.
 */
import { z } from 'zod';
import { advertisementStatuses } from '../../../exchange/interface/states.ts';
import type { EndpointName } from '../../../exchange/interface/endpoints.ts';
import { advertisementSchema, p2pTradeSchema } from '../../../exchange/wire/p2p/p2p.ts';
import type { MoneyKind } from '../../../model/funds/money-commands.ts';
import type { P2pStep } from '../../../operations/exchange/p2p-steps.ts';
import { advertisementExists, tradeAllows, type Lookup } from '../exists.ts';
import { moneyRow, readAll, readOne, type OperationRow } from '../operation-row.ts';
import { advertisement, p2pMarket, p2pTrade, p2pUser, paymentMethod } from '../outputs/p2p.ts';
import { amount, id, none } from '../parameters.ts';
import { side } from '../../schemas/common.ts';

const advertisementId = z.strictObject({ advertisementId: id });
const tradeId = z.strictObject({ tradeId: id });
const terms = z.strictObject({
  price: amount,
  amount: amount.describe('Base units'),
  minLimit: amount.describe('Quote units a deal'),
  maxLimit: amount.describe('Quote units a deal'),
  paymentMethodIds: z.array(id).min(1),
  comment: z.string().max(1_000).optional(),
});

const reads: readonly OperationRow[] = [
  readAll({
    name: 'p2p.markets',
    about: 'P2P pairs, their limits and the rule of the price',
    endpoints: ['p2pMarkets'],
    command: 'p2p markets',
    params: none,
    item: p2pMarket,
    run: ({ money }) => money.p2p.markets(),
  }),
  readAll({
    name: 'p2p.methods',
    about: 'The payment methods',
    endpoints: ['p2pPaymentMethods'],
    command: 'p2p methods',
    params: none,
    item: paymentMethod,
    run: ({ money }) => money.p2p.paymentMethods(),
  }),
  readOne({
    name: 'p2p.profile',
    about: 'How other users see this one',
    endpoints: ['p2pProfile'],
    command: 'p2p profile',
    params: none,
    item: p2pUser,
    run: ({ money }) => money.p2p.profile(),
  }),
  readAll({
    name: 'p2p.ads',
    about: 'Active advertisements of all users',
    endpoints: ['p2pAdvertisements'],
    command: 'p2p ads',
    params: z.strictObject({ market: id.optional().describe('USDTRUB'), side: side.optional() }),
    item: advertisement,
    run: ({ money }, { market, side: wanted }) =>
      money.p2p.advertisements({
        ...(market === undefined ? {} : { marketId: market }),
        ...(wanted === undefined ? {} : { side: wanted }),
      }),
  }),
  readAll({
    name: 'p2p.my-ads',
    about: 'Own advertisements',
    endpoints: ['p2pMyAdvertisements'],
    command: 'p2p my-ads',
    params: z.strictObject({ status: z.enum(advertisementStatuses).optional() }),
    item: advertisement,
    run: ({ money }, { status }) => money.p2p.myAdvertisements(status),
  }),
  readOne({
    name: 'p2p.ad',
    about: 'One advertisement, and own trades of it',
    endpoints: ['p2pAdvertisement'],
    command: 'p2p ad',
    params: advertisementId,
    item: advertisement,
    run: ({ money }, wanted) => money.p2p.advertisement(wanted.advertisementId),
  }),
  readAll({
    name: 'p2p.trades',
    about: 'Own P2P trades, newest first',
    endpoints: ['p2pMyTrades'],
    command: 'p2p trades',
    params: none,
    item: p2pTrade,
    run: ({ money }) => money.p2p.myTrades(),
  }),
  readOne({
    name: 'p2p.trade',
    about: 'One own P2P trade',
    endpoints: ['p2pTrade'],
    command: 'p2p trade',
    params: tradeId,
    item: p2pTrade,
    run: ({ money }, wanted) => money.p2p.trade(wanted.tradeId),
  }),
];

const OFFER = 'an offer is made by a strategy with `limits.p2p`, so that the kill switch takes it back';

interface P2pSpec {
  readonly verb: string;
  readonly about: string;
  readonly endpoint: EndpointName;
  readonly money: MoneyKind;
  readonly params?: z.ZodObject;
  readonly terminalOnly?: string;
}

function changing(
  { verb, endpoint, ...spec }: P2pSpec,
  params: z.ZodObject,
  output: z.ZodType,
  exists: Lookup,
): OperationRow {
  const command = `p2p ${verb}`;
  return moneyRow({ name: `p2p.${verb}`, endpoints: [endpoint], command, output, params, exists, ...spec });
}

function ofAdvertisement(spec: P2pSpec): OperationRow {
  return changing(spec, advertisementId, advertisementSchema, advertisementExists);
}

function ofTrade(spec: P2pSpec & { readonly verb: P2pStep }): OperationRow {
  return changing(spec, tradeId, p2pTradeSchema, tradeAllows(spec.verb));
}

const create = terms.extend({ marketId: id, side });
const edit = terms.partial().extend({ advertisementId: id });
const respond = advertisementId.extend({ amount: amount.describe('Base units'), paymentMethodId: id });
const dispute = tradeId.extend({ reason: z.string().min(1).max(1_000) });

export const p2pRows: readonly OperationRow[] = [
  ...reads,
  ofAdvertisement({
    verb: 'create',
    about: 'Create an advertisement; it is active at once',
    endpoint: 'p2pCreateAdvertisement',
    money: 'advertise',
    params: create,
    terminalOnly: OFFER,
  }),
  ofAdvertisement({
    verb: 'edit',
    about: 'Change the terms of a deactivated advertisement',
    endpoint: 'p2pEditAdvertisement',
    money: 'editAdvertisement',
    params: edit,
    terminalOnly: OFFER,
  }),
  ofAdvertisement({
    verb: 'activate',
    about: 'Show a deactivated advertisement to everybody',
    endpoint: 'p2pActivateAdvertisement',
    money: 'activateAdvertisement',
    terminalOnly: OFFER,
  }),
  ofAdvertisement({
    verb: 'deactivate',
    about: 'Hide an advertisement',
    endpoint: 'p2pDeactivateAdvertisement',
    money: 'deactivateAdvertisement',
  }),
  ofAdvertisement({
    verb: 'delete',
    about: 'Delete an advertisement',
    endpoint: 'p2pDeleteAdvertisement',
    money: 'deleteAdvertisement',
  }),
  changing(
    {
      verb: 'respond',
      about: 'Start a trade with the maker of an advertisement',
      endpoint: 'p2pCreateTrade',
      money: 'respond',
      terminalOnly: 'it begins a deal that no strategy follows',
    },
    respond,
    p2pTradeSchema,
    advertisementExists,
  ),
  ofTrade({
    verb: 'start',
    about: 'Confirm the start of a trade, as the maker',
    endpoint: 'p2pStartTrade',
    money: 'startTrade',
  }),
  ofTrade({
    verb: 'pay',
    about: 'Say, as the buyer, that the payment was made',
    endpoint: 'p2pPayTrade',
    money: 'payTrade',
  }),
  ofTrade({
    verb: 'confirm',
    about: 'Confirm, as the seller, that the payment arrived: the escrow goes for good',
    endpoint: 'p2pConfirmTrade',
    money: 'confirmTrade',
    terminalOnly: 'it takes money out of the account, as a withdrawal does',
  }),
  ofTrade({
    verb: 'dispute',
    about: 'Open an appeal',
    endpoint: 'p2pDisputeTrade',
    money: 'disputeTrade',
    params: dispute,
  }),
  ofTrade({
    verb: 'cancel',
    about: 'Cancel a trade that nobody has paid yet',
    endpoint: 'p2pCancelTrade',
    money: 'cancelTrade',
  }),
];
