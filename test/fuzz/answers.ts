/**
 * Every operation beside those of `readings.ts`: bodies of its own endpoint through the typed client. Laws: nothing rejects but
 * in a typed way, and all ends; a value is read from a success alone, and a list is empty only when the body holds an empty
 * one; what moves money is accepted only by a success and refused only by a 4xx or 501; no failure says a secret that stood
 * in the answer.
 */
import type { Answer } from '../../src/exchange/client/operations/answer.ts';
import type { OnMoneyOutcome } from '../../src/exchange/client/operations/money.ts';
import type { Exchange } from '../../src/exchange/exchange.ts';
import type { EndpointName } from '../../src/exchange/interface/endpoints.ts';
import type { TidewireError } from '../../src/model/errors.ts';
import type { Random } from '../../src/model/ports.ts';
import type { MoneyOutcome, Reading } from '../../src/model/result.ts';
import { instruments, btc } from '../exchange/wire/samples.ts';
import type { Corpus } from './corpus.ts';
import { EMPTY_LIST, ends, openDesk, STATUSES, textsOf, type Desk } from './desk.ts';
import type { Findings } from './findings.ts';
import { mutateText } from './mutate.ts';

type Read = (exchange: Exchange) => Promise<Answer<unknown> | Reading<unknown>>;
type Move = (exchange: Exchange, done: OnMoneyOutcome<unknown>) => void;

const PERPETUAL = 'BTCUSDTPERP';
const CODE = '123456';
const now = { lane: 'reconcile' } as const;
const market = instruments.find(btc.symbol);

// prettier-ignore
const reads: readonly (readonly [EndpointName, Read])[] = [
  ['time', ({ marketData }) => marketData.serverTime()],
  ['spotInstruments', ({ marketData }) => marketData.spotInstruments()],
  ['derivativeInstruments', ({ marketData }) => marketData.derivativeInstruments()],
  ['ticker', ({ marketData }) => marketData.tickers()],
  ['candles', ({ marketData }) => marketData.candles({ symbol: btc.symbol, interval: '1m' })],
  ['orderBook', ({ marketData }) => (market === undefined ? Promise.reject(new RangeError('no market')) : marketData.orderBook(market))],
  ['me', ({ account }) => account.me()],
  ['fees', ({ account }) => account.fees()],
  ['positions', ({ futures }) => futures.positions()],
  ['closedPositions', ({ futures }) => futures.closedPositions({})],
  ['closedPositionOrders', ({ futures }) => futures.closedPositionOrders({})],
  ['derivativeTrades', ({ futures }) => futures.ownTrades({})],
  ['riskTiers', ({ futures }) => futures.riskTiers(PERPETUAL)],
  ['fundingRate', ({ futures }) => futures.fundingRate(PERPETUAL)],
  ['markPrice', ({ futures }) => futures.markPrice(PERPETUAL)],
  ['order', ({ orders }) => orders.one('1')],
  ['transferRoutes', ({ money }) => money.transfers.routes()],
  ['transactions', ({ money }) => money.transfers.transactions({})],
  ['codes', ({ money }) => money.codes.list()],
  ['codeDetail', ({ money }) => money.codes.full('1')],
  ['cryptoAddress', ({ money }) => money.crypto.address('USDT', 'TRC20')],
  ['withdrawalCurrencies', ({ money }) => money.crypto.currencies()],
  ['overdraft', ({ money }) => money.overdraft.status()],
  ['overdraftLoan', ({ money }) => money.overdraft.loan()],
  ['overdraftFee', ({ money }) => money.overdraft.fee('10')],
  ['overdraftDocuments', ({ money }) => money.overdraft.documents()],
  ['assets', ({ money }) => money.dictionaries.assets()],
  ['networks', ({ money }) => money.dictionaries.networks()],
  ['referralLink', ({ money }) => money.referrals.link()],
  ['referralReward', ({ money }) => money.referrals.reward('1')],
  ['apiKeys', ({ money }) => money.identity.keys()],
  ['login', ({ money }) => money.identity.login({ login: 'alice', password: 'p', auth2faCode: CODE })],
  ['p2pMarkets', ({ money }) => money.p2p.markets()],
  ['p2pProfile', ({ money }) => money.p2p.profile()],
  ['p2pPaymentMethods', ({ money }) => money.p2p.paymentMethods()],
  ['p2pAdvertisements', ({ money }) => money.p2p.advertisements({})],
  ['p2pMyAdvertisements', ({ money }) => money.p2p.myAdvertisements()],
  ['p2pMyTrades', ({ money }) => money.p2p.myTrades()],
];

// prettier-ignore
const moves: readonly (readonly [EndpointName, Move])[] = [
  ['closePosition', ({ money }, done) => money.send({ kind: 'futuresClose', symbol: PERPETUAL, positionSide: 'both' }, now, done)],
  ['setLeverage', ({ futures }, done) => futures.setLeverage({ symbol: PERPETUAL, leverage: 5 }, now, done)],
  ['setMarginType', ({ futures }, done) => futures.setMarginType({ symbol: PERPETUAL, marginType: 'cross' }, now, done)],
  ['setPositionMode', ({ futures }, done) => futures.setMode('hedge', now, done)],
  ['transfer', ({ money }, done) => money.send({ kind: 'transfer', from: 'funding', to: 'unified-trading', currency: 'USDT', amount: '5' }, now, done)],
  ['createCode', ({ money }, done) => money.send({ kind: 'codeCreate', currency: 'USDT', amount: '5' }, now, done)],
  ['redeemCode', ({ money }, done) => money.send({ kind: 'codeRedeem' }, now, done, { code: 'code' })],
  ['newCryptoAddress', ({ money }, done) => money.crypto.newAddress('USDT', 'TRC20', now, done)],
  ['createWithdrawal', ({ money }, done) => money.send({ kind: 'withdraw', currency: 'USDT', network: 'TRC20', address: 'T1', amount: '20' }, now, done)],
  ['cancelWithdrawal', ({ money }, done) => money.send({ kind: 'cancelWithdrawal', transactionId: '1' }, now, done)],
  ['createFiatApplication', ({ money }, done) => money.send({ kind: 'fiatCreate', type: 'deposit', currency: 'RUB', amount: '500', method: 'card' }, now, done)],
  ['confirmFiatApplication', ({ money }, done) => money.send({ kind: 'fiatConfirm', applicationId: '1' }, now, done)],
  ['deleteFiatApplication', ({ money }, done) => money.send({ kind: 'fiatDelete', applicationId: '1' }, now, done)],
  ['overdraftPay', ({ money }, done) => money.send({ kind: 'overdraftPay', amount: '5' }, now, done)],
  ['createApiKey', ({ money }, done) => money.identity.createKey({ name: 'bot', auth2faCode: CODE, permissions: [], ipAddresses: [] }, now, done)],
  ['deleteApiKey', ({ money }, done) => money.identity.deleteKey('ab', CODE, now, done)],
  ['p2pActivateAdvertisement', ({ money }, done) => money.send({ kind: 'activateAdvertisement', advertisementId: '1' }, now, done)],
  ['p2pDeactivateAdvertisement', ({ money }, done) => money.send({ kind: 'deactivateAdvertisement', advertisementId: '1' }, now, done)],
  ['p2pDeleteAdvertisement', ({ money }, done) => money.send({ kind: 'deleteAdvertisement', advertisementId: '1' }, now, done)],
  ['p2pCreateTrade', ({ money }, done) => money.send({ kind: 'respond', advertisementId: '1', amount: '1', paymentMethodId: '1' }, now, done)],
  ['p2pStartTrade', ({ money }, done) => money.send({ kind: 'startTrade', tradeId: '1' }, now, done)],
  ['p2pPayTrade', ({ money }, done) => money.send({ kind: 'payTrade', tradeId: '1' }, now, done)],
  ['p2pCancelTrade', ({ money }, done) => money.send({ kind: 'cancelTrade', tradeId: '1' }, now, done)],
  ['p2pConfirmTrade', ({ money }, done) => money.send({ kind: 'confirmTrade', tradeId: '1' }, now, done)],
  ['p2pDisputeTrade', ({ money }, done) => money.send({ kind: 'disputeTrade', tradeId: '1', reason: 'unpaid' }, now, done)],
];

/** In an answer: what nobody but its reader may learn. The codes of refusals are words. */
const SECRET = /"(?:secretKey|token|code)":"([^"\s]{16,})"/g;

interface Input {
  readonly endpoint: EndpointName;
  readonly text: string;
  readonly secrets: readonly string[];
}

export async function fuzzAnswers(
  count: number,
  { bodies }: Corpus,
  random: Random,
  findings: Findings,
): Promise<void> {
  const desk = openDesk();
  const rows = [
    ...reads.map(([endpoint, read]) => ({ endpoint, run: (input: Input) => readOne(desk, read, input, findings) })),
    ...moves.map(([endpoint, move]) => ({ endpoint, run: (input: Input) => moveOne(desk, move, input, findings) })),
  ].map((row) => ({ ...row, texts: textsOf(bodies, ({ endpoint }) => endpoint === row.endpoint) }));
  for (let index = 0; index < count; index++) {
    const row = rows[index % rows.length];
    if (row === undefined) continue;
    // The request budget is per second of the clock.
    desk.clock.advanceTo(desk.clock.nowUs() + 1_000_000);
    desk.canned.status = STATUSES[Math.floor(random.next() * STATUSES.length)] ?? 200;
    const whole = row.texts[Math.floor(random.next() * row.texts.length)] ?? '';
    const text = mutateText(whole, random);
    desk.canned.body = text;
    // An answer may have ended the login; what comes next shall leave all the same.
    desk.exchange.login.set({ token: 'ef'.repeat(32), expiresAt: Number.MAX_SAFE_INTEGER });
    const secrets = [...whole.matchAll(SECRET)].flatMap(([, secret = '']) => (/\d/.test(secret) ? secret : []));
    await row.run({ endpoint: row.endpoint, text, secrets });
  }
}

function keepsSecrets(said: string, { endpoint, text, secrets }: Input, findings: Findings): void {
  if (secrets.some((secret) => said.includes(secret))) findings.broken(`${endpoint} says a secret: ${said}`, text);
}

async function readOne(desk: Desk, read: Read, input: Input, findings: Findings): Promise<void> {
  const { endpoint, text } = input;
  try {
    const answer = await ends(desk.clock, read(desk.exchange));
    findings.saw(`${endpoint} ${answer.kind}`);
    if (answer.kind === 'failed')
      keepsSecrets('error' in answer ? textOf(answer.error) : answer.reason, input, findings);
    if (answer.kind !== 'value' && answer.kind !== 'complete') return;
    const { status } = desk.canned;
    if (status !== 200) findings.broken(`status ${status} is an answer to ${endpoint}`, text);
    const list = answer.kind === 'value' ? answer.value : answer.items;
    if (Array.isArray(list) && list.length === 0 && !EMPTY_LIST.test(text))
      findings.broken(`${endpoint} is whole and empty without a list`, text);
  } catch (thrown) {
    findings.broken(`${endpoint} rejected: ${String(thrown)}`, text);
  }
}

function textOf(error: TidewireError): string {
  return `${error.message} ${JSON.stringify(error.details)}`;
}

async function moveOne(desk: Desk, move: Move, input: Input, findings: Findings): Promise<void> {
  const { endpoint, text } = input;
  try {
    const asked = new Promise<MoneyOutcome<unknown>>((resolve) => move(desk.exchange, resolve));
    const outcome = await ends(desk.clock, asked);
    findings.saw(`${endpoint} ${outcome.kind}`);
    const { status } = desk.canned;
    if (outcome.kind === 'accepted') {
      if (status !== 200) findings.broken(`status ${status} accepts ${endpoint}`, text);
      return;
    }
    if (outcome.kind === 'unknown') keepsSecrets(outcome.reason, input, findings);
    if (outcome.kind === 'refused' && (status < 400 || status > 499))
      findings.broken(`status ${status} refuses ${endpoint}: ${outcome.message}`, text);
    if (outcome.kind === 'not-sent' || outcome.kind === 'denied')
      findings.broken(`${endpoint} ended ${outcome.kind}`, text);
  } catch (thrown) {
    findings.broken(`${endpoint} threw: ${String(thrown)}`, text);
  }
}
