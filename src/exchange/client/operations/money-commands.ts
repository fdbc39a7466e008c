/** How each money command is sent. Who knows a code's text owns its money: never log what the rows take or answer. */
import type { PositionSide } from '../../../model/trading/order.ts';
import type { AdvertisementTerms } from '../../../model/funds/p2p.ts';
import type {
  MoneyAnswers,
  MoneyKind,
  MoneyRequest,
  MoneySecrets,
  OrderByHandKind,
} from '../../../model/funds/money-commands.ts';
import type { EndpointName } from '../../interface/endpoints.ts';
import { codeSchema, newCodeSchema } from '../../wire/money/codes.ts';
import { canceledWithdrawalSchema, withdrawalSchema } from '../../wire/money/crypto.ts';
import { fiatApplicationSchema, movedFiatApplicationSchema } from '../../wire/money/fiat.ts';
import { orderSchema } from '../../wire/orders.ts';
import { overdraftLoanSchema } from '../../wire/money/overdraft.ts';
import { advertisementSchema, p2pTradeSchema } from '../../wire/p2p/p2p.ts';
import { transferSchema } from '../../wire/money/transfers.ts';
import { checkedAmount, invalidField, oneOf, sendMoney, type MoneyCall, type MoneyPorts } from './money.ts';
import type { OnMoneyOutcome, Refused } from './money.ts';
import type { Dispatch } from './orders.ts';

export type CommandKind = Exclude<MoneyKind, OrderByHandKind>;

type Row<K extends CommandKind> = (request: MoneyRequest<K>, secrets: MoneySecrets) => MoneyCall<MoneyAnswers[K]>;

const decimalFields = ['price', 'amount', 'minLimit', 'maxLimit'] as const;
const POSITION_SIDES: ReadonlySet<string> = new Set<PositionSide>(['both', 'long', 'short']);

function contentOf<T extends { readonly kind: unknown }>(request: T): Omit<T, 'kind'> {
  const { kind, ...content } = request;
  void kind;
  return content;
}

function checkedTerms<T extends Partial<AdvertisementTerms>>(terms: T): { terms: T; invalid: Refused | null } {
  const canonical: Record<string, string> = {};
  let invalid: Refused | null = null;
  for (const field of decimalFields) {
    const value = terms[field];
    if (value === undefined) continue;
    const checked = checkedAmount(value, field);
    canonical[field] = checked.amount;
    invalid ??= checked.invalid;
  }
  return { terms: { ...terms, ...canonical }, invalid };
}

function applied(endpoint: EndpointName): Row<'fiatCreate' | 'fiatSubmit'> {
  return (request, { details }) => {
    const { type, currency } = request;
    const { amount, invalid } = checkedAmount(request.amount);
    const body = { ...contentOf(request), amount, ...(details === undefined ? {} : { details }) };
    return { endpoint, body, schema: fiatApplicationSchema, repeats: { type, currency, amount }, invalid };
  };
}

function movedApplication(endpoint: EndpointName, status?: 'canceled'): Row<'fiatConfirm' | 'fiatDelete'> {
  return ({ applicationId }) => {
    const repeats = { applicationId, ...(status === undefined ? {} : { status }) };
    return { endpoint, body: { applicationId }, schema: movedFiatApplicationSchema, repeats };
  };
}

type MoveOfAdvertisement = 'activateAdvertisement' | 'deactivateAdvertisement' | 'deleteAdvertisement';

function movedAdvertisement(
  endpoint: EndpointName,
  status: MoneyAnswers['advertise']['status'],
): Row<MoveOfAdvertisement> {
  return ({ advertisementId: id }) => {
    return { endpoint, params: { id }, schema: advertisementSchema, repeats: { advertisementId: id, status } };
  };
}

type MoveOfTrade = 'startTrade' | 'payTrade' | 'confirmTrade' | 'disputeTrade' | 'cancelTrade';

function movedTrade(endpoint: EndpointName, expected: Partial<MoneyAnswers['respond']>): Row<MoveOfTrade> {
  return (request) => {
    const { tradeId } = request;
    return { endpoint, body: contentOf(request), schema: p2pTradeSchema, repeats: { tradeId, ...expected } };
  };
}

const rows: { readonly [K in CommandKind]: Row<K> } = {
  /** Refusals: `route_not_available`, `insufficient_balance`, `below_minimum`. */
  transfer({ from, to, currency, amount: asked }) {
    const { amount, invalid } = checkedAmount(asked);
    const body = { from, to, currency, amount };
    return { endpoint: 'transfer', body, schema: transferSchema, repeats: body, invalid };
  },
  /** Refusals: `insufficient_balance`, `below_minimum`. */
  codeCreate(request) {
    const { currency, recipient = null } = request;
    const { amount, invalid } = checkedAmount(request.amount);
    const body = { ...contentOf(request), amount };
    return { endpoint: 'createCode', body, schema: newCodeSchema, repeats: { currency, amount, recipient }, invalid };
  },
  /** Refusals: `code_not_found`, `code_already_activated`, `not_owner`. */
  codeRedeem(_request, { code = '' }) {
    const invalid = code === '' ? invalidField('code', 'the code is empty') : null;
    return { endpoint: 'redeemCode', body: { code }, schema: codeSchema, repeats: { status: 'activated' }, invalid };
  },
  /** Refusals: `below_minimum`, `insufficient_balance`, `two_factor_invalid`, `limit_reached`. */
  withdraw({ currency, network, address, memo, amount: asked }, { auth2faCode }) {
    const { amount, invalid } = checkedAmount(asked);
    return {
      endpoint: 'createWithdrawal',
      body: { currency, network, address, memo, amount, auth2fa_code: auth2faCode },
      schema: withdrawalSchema,
      repeats: { currency, network, address, memo: memo ?? null, amount },
      invalid: address === '' ? invalidField('address', 'the address is empty') : invalid,
    };
  },
  /** Refusals: `already_processing`, `illegal_transition`, `not_owner`. */
  cancelWithdrawal({ transactionId }) {
    const repeats = { transactionId, status: 'canceled' } as const;
    return { endpoint: 'cancelWithdrawal', params: { transactionId }, schema: canceledWithdrawalSchema, repeats };
  },
  /** A draft: status `created`; moves no money. Refusals: `below_minimum`. */
  fiatCreate: applied('createFiatApplication'),
  /** Status `submitted`. Refusals: `below_minimum`, `insufficient_balance`. */
  fiatSubmit: applied('submitFiatApplication'),
  /** `created` to `submitted`. Refusals: `illegal_transition`, `insufficient_balance`, `not_owner`. */
  fiatConfirm: movedApplication('confirmFiatApplication'),
  /** To `canceled`. Refusals: `illegal_transition`, `not_owner`. */
  fiatDelete: movedApplication('deleteFiatApplication', 'canceled'),
  /** Repays, interest first. Refusals: `insufficient_balance`, `above_maximum`. */
  overdraftPay({ amount: asked }) {
    const { amount, invalid } = checkedAmount(asked);
    return { endpoint: 'overdraftPay', body: { amount }, schema: overdraftLoanSchema, repeats: {}, invalid };
  },
  /** Refusals: `price_out_of_bounds`, `off_tick`, `below_minimum`, `above_maximum`, `limit_reached`, `insufficient_balance`. */
  advertise(request) {
    const { terms: body, invalid } = checkedTerms(contentOf(request));
    const { side, price, amount: availableAmount, minLimit, maxLimit } = body;
    const repeats = { side, price, availableAmount, minLimit, maxLimit };
    return { endpoint: 'p2pCreateAdvertisement', body, schema: advertisementSchema, repeats, invalid };
  },
  /** Only while deactivated: `illegal_transition`. Refusals as of `advertise`, and `not_owner`. */
  editAdvertisement(request) {
    const { advertisementId, ...change } = contentOf(request);
    const { terms: body, invalid } = checkedTerms(change);
    const { price, amount } = body;
    const repeats = {
      advertisementId,
      ...(price === undefined ? {} : { price }),
      ...(amount === undefined ? {} : { availableAmount: amount }),
    };
    const params = { id: advertisementId };
    return { endpoint: 'p2pEditAdvertisement', params, body, schema: advertisementSchema, repeats, invalid };
  },
  /** Refusals of these three: `illegal_transition`, `not_owner`, `limit_reached`. */
  activateAdvertisement: movedAdvertisement('p2pActivateAdvertisement', 'active'),
  deactivateAdvertisement: movedAdvertisement('p2pDeactivateAdvertisement', 'deactivated'),
  deleteAdvertisement: movedAdvertisement('p2pDeleteAdvertisement', 'canceled'),
  /** Refusals: `insufficient_balance`, `below_minimum`, `above_maximum`, `limit_reached`, `illegal_transition`. */
  respond({ advertisementId, amount: asked, paymentMethodId }) {
    const { amount, invalid } = checkedAmount(asked);
    const body = { advertisementId, amount, paymentMethodId };
    const repeats = { advertisementId, paymentMethodId };
    return { endpoint: 'p2pCreateTrade', body, schema: p2pTradeSchema, repeats, invalid };
  },
  /** Refusals of these: `illegal_transition`, `not_owner`. */
  startTrade: movedTrade('p2pStartTrade', { status: 'open' }),
  payTrade: movedTrade('p2pPayTrade', { status: 'send-payment-document' }),
  /** The document does not show the state that follows. */
  confirmTrade: movedTrade('p2pConfirmTrade', {}),
  disputeTrade: movedTrade('p2pDisputeTrade', { status: 'dispute:open' }),
  cancelTrade: movedTrade('p2pCancelTrade', { status: 'cancel' }),
  /**
   * At market. Refusals: `reduce_only_violation` (nothing to close, or less), `below_minimum`, `off_lot`,
   * `unknown_symbol`, `symbol_halted`.
   */
  futuresClose({ symbol, positionSide, quantity: asked }) {
    const checked = asked === undefined ? null : checkedAmount(asked, 'quantity');
    const quantity = checked === null ? {} : { quantity: checked.amount };
    const unnamed = symbol === '' ? invalidField('symbol', 'the symbol is empty') : null;
    const invalid = unnamed ?? oneOf('positionSide', positionSide, POSITION_SIDES) ?? checked?.invalid ?? null;
    const body = { symbol, positionSide, ...quantity };
    return { endpoint: 'closePosition', body, schema: orderSchema, repeats: { symbol, ...quantity }, invalid };
  },
};

/** `done` is called exactly once, never inside this call. */
export type SendCommand = <K extends CommandKind>(
  request: MoneyRequest & { readonly kind: K },
  dispatch: Dispatch,
  done: OnMoneyOutcome<MoneyAnswers[K]>,
  secrets?: MoneySecrets,
) => void;

export function sendsCommands(ports: MoneyPorts): SendCommand {
  return <K extends CommandKind>(
    request: MoneyRequest & { readonly kind: K },
    dispatch: Dispatch,
    done: OnMoneyOutcome<MoneyAnswers[K]>,
    secrets: MoneySecrets = {},
  ) => {
    const row: Row<K> = rows[request.kind];
    sendMoney(ports, row(request as MoneyRequest<K>, secrets), dispatch, done);
  };
}
