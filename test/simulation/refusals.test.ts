/**
 * One strategy file runs unchanged in three modes, so it is told the same when an order is wrong: every wrong order goes to
 * the sandbox, as the client writes it on the wire, and to the simulated venue, on the same instruments, books, balances
 * and positions; the codes are compared. What both accept is in the table too: a venue that refuses it is as wrong.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { prepareSecret, signRest } from '../../src/exchange/interface/signature.ts';
import { encodeOrderRequest } from '../../src/exchange/wire/orders.ts';
import { Instruments, type Instrument } from '../../src/model/market/instrument.ts';
import type { OrderRequest } from '../../src/model/trading/order.ts';
import { instrumentSpecs } from '../../src/sandbox/core/market/instruments.ts';
import { futuresTerms } from '../../src/sandbox/core/futures/options.ts';
import { createInMemorySandbox, type InMemorySandbox } from '../../src/sandbox/in-memory.ts';
import { ManualClock } from '../sandbox/manual-clock.ts';
import { snapshot } from './market.ts';
import { TestSession } from './session.ts';

type Wrong = Partial<OrderRequest> & Pick<OrderRequest, 'side' | 'quantity'>;
type Mode = 'one-way' | 'hedge';

const SPOT = 'BTCUSDT';
const PERP = 'BTCUSDTPERP';
const BID = '60000';
const ASK = '60001';
const LEVERAGE = 20;

function requestOf(order: Wrong, id: string): OrderRequest {
  const price = order.price ?? null;
  return {
    market: 'spot',
    symbol: SPOT,
    type: price === null ? 'market' : 'limit',
    timeInForce: 'gtc',
    price,
    clientOrderId: id,
    ...order,
  };
}

/** The exchange, spoken to in the words of the client. */
class SandboxSide {
  readonly #clock = new ManualClock();
  readonly #memory: InMemorySandbox = createInMemorySandbox({ clock: this.#clock, seed: 3, market: 'none' });
  #count = 0;

  constructor(mode: Mode) {
    for (const market of ['spot', 'derivative'] as const)
      for (const [side, price] of [
        ['buy', BID],
        ['sell', ASK],
      ] as const)
        this.#post(1, `order/${market}`, {
          symbol: market === 'spot' ? SPOT : PERP,
          side,
          type: 'limit',
          price,
          quantity: '1',
        });
    this.#post(0, 'positions/mode', { mode });
    this.#post(0, 'positions/leverage', { symbol: PERP, leverage: LEVERAGE });
  }

  send(order: Wrong): string {
    const request = requestOf(order, order.clientOrderId ?? `c${++this.#count}`);
    const body = encodeOrderRequest(request, true);
    const { status, answer } = this.#ask(0, `order/${request.market}`, body);
    return status === 200 ? 'accepted' : String(answer['code']);
  }

  halt(symbol: string): void {
    const market = this.#memory.sandbox.exchange.markets.get(symbol);
    if (market !== undefined) market.halted = true;
  }

  stop(): void {
    this.#memory.stop();
  }

  #post(user: number, path: string, body: object): void {
    const { status, answer } = this.#ask(user, path, body);
    if (status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  }

  #ask(
    user: number,
    path: string,
    body: object,
  ): { readonly status: number; readonly answer: Record<string, unknown> } {
    const { publicKey, secretKey } = this.#memory.users[user]!.apiKey;
    const timestamp = String(this.#clock.now());
    const target = `/api/v2/exchange/client/${path}`;
    const text = JSON.stringify(body);
    const headers = {
      'X-API-Key': publicKey,
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signRest(prepareSecret(secretKey), timestamp, 'POST', target, text),
    };
    let reply = { status: 0, body: '{}' };
    const request = { url: `${this.#memory.restUrl}${target}`, method: 'POST', headers, body: text } as const;
    this.#memory.http.request(request, 1000, (result) => {
      if (result.kind === 'response') reply = result;
    });
    this.#clock.advance(0);
    // Within its request rates.
    this.#clock.advance(1_000);
    return { status: reply.status, answer: JSON.parse(reply.body) as Record<string, unknown> };
  }
}

/** The simulated venue, on the same terms. */
class SimulatedSide {
  readonly #session: TestSession;

  constructor(mode: Mode, halted?: string) {
    const specs = instrumentSpecs.map((spec) =>
      spec.symbol === halted ? { ...spec, status: 'halted' as const } : spec,
    );
    const instruments = new Instruments(specs);
    const symbols = { [PERP]: { leverage: LEVERAGE, tiers: futuresTerms.parse({}).riskTiers[PERP] } };
    this.#session = new TestSession(
      { perpetuals: { mode, symbols } },
      { instruments, start: { USDT: '1000000', BTC: '10' } },
    );
    this.#session.venue.start();
    for (const symbol of [SPOT, PERP]) {
      const instrument = instruments.find(symbol) as Instrument;
      const [bid, ask] = [instrument.ticksOf(BID), instrument.ticksOf(ASK)];
      const lots = instrument.lotsOf('1');
      this.#session.market(snapshot({ [bid]: lots }, { [ask]: lots }, { instrument }));
    }
    this.#session.pass(100);
  }

  send(order: Wrong): string {
    const intent = this.#session.place({ symbol: SPOT, ...order });
    this.#session.pass(100);
    const outcome = this.#session.outcome(intent);
    return outcome?.kind === 'refused' ? outcome.code : (outcome?.kind ?? 'no answer');
  }
}

const perp = { market: 'derivative', symbol: PERP } as const;

interface Case {
  readonly name: string;
  readonly mode?: Mode;
  readonly halted?: string;
  /** All but the last are accepted. */
  readonly orders: readonly [...Wrong[], Wrong];
  readonly code: string;
}

const long = { ...perp, side: 'buy', quantity: '0.01' } as const;

const cases: readonly Case[] = [
  { name: 'a good order', orders: [{ side: 'buy', price: '50000', quantity: '0.01' }], code: 'accepted' },
  {
    name: 'a symbol that is not there',
    orders: [{ side: 'buy', price: '1', quantity: '1', symbol: 'NOPE' }],
    code: 'unknown_symbol',
  },
  {
    name: 'a perpetual as spot',
    orders: [{ side: 'buy', price: '1', quantity: '1', symbol: PERP }],
    code: 'unknown_symbol',
  },
  {
    name: 'spot as a perpetual',
    orders: [{ ...perp, side: 'buy', price: '1', quantity: '1', symbol: SPOT }],
    code: 'unknown_symbol',
  },
  { name: 'a price of zero', orders: [{ side: 'buy', price: '0', quantity: '1' }], code: 'bad_request' },
  { name: 'a price off the tick', orders: [{ side: 'buy', price: '50000.001', quantity: '0.01' }], code: 'off_tick' },
  { name: 'a quantity off the lot', orders: [{ side: 'buy', price: '50000', quantity: '0.010001' }], code: 'off_lot' },
  {
    name: 'a quantity off the lot and the tick',
    orders: [{ side: 'buy', price: '50000.001', quantity: '0.010001' }],
    code: 'off_lot',
  },
  { name: 'a quantity of zero', orders: [{ side: 'buy', price: '50000', quantity: '0' }], code: 'below_minimum' },
  {
    name: 'a quantity below the least, off the lot',
    orders: [{ side: 'buy', price: '50000', quantity: '0.000001' }],
    code: 'below_minimum',
  },
  {
    name: 'a quantity above the most, off the lot',
    orders: [{ side: 'buy', price: '1', quantity: '1000.000001' }],
    code: 'above_maximum',
  },
  {
    name: 'a price of more ticks than a number holds',
    orders: [{ side: 'sell', price: '90071992547409.92', quantity: '0.001' }],
    code: 'above_maximum',
  },
  {
    name: 'a price of more ticks than a number holds, of a perpetual',
    orders: [{ ...perp, side: 'sell', price: '99999999999999999999.99', quantity: '0.001' }],
    code: 'above_maximum',
  },
  {
    name: 'a quantity above the most, off the tick',
    orders: [{ side: 'buy', price: '0.001', quantity: '1001' }],
    code: 'above_maximum',
  },
  { name: 'too small a value', orders: [{ side: 'buy', price: '50000', quantity: '0.00005' }], code: 'below_minimum' },
  { name: 'too small a value at market', orders: [{ side: 'buy', quantity: '0.00005' }], code: 'below_minimum' },
  {
    name: 'more than the account has',
    orders: [{ side: 'buy', price: '50000', quantity: '21' }],
    code: 'insufficient_balance',
  },
  {
    name: 'more than the account has, to sell',
    orders: [{ side: 'sell', price: '70000', quantity: '11' }],
    code: 'insufficient_balance',
  },
  {
    name: 'more than the account has, at market',
    orders: [{ side: 'sell', quantity: '11' }],
    code: 'insufficient_balance',
  },
  {
    name: 'an id used before, in an order wrong besides',
    orders: [
      { side: 'buy', price: '50000', quantity: '0.01', clientOrderId: 'twice' },
      { side: 'buy', price: '50000.001', quantity: '0.01', clientOrderId: 'twice' },
    ],
    code: 'duplicate_client_order_id',
  },
  {
    name: 'a halted symbol',
    halted: SPOT,
    orders: [{ side: 'buy', price: '50000.001', quantity: '0.01' }],
    code: 'symbol_halted',
  },
  { name: 'a halted perpetual', halted: PERP, orders: [{ ...long, positionSide: 'long' }], code: 'symbol_halted' },
  { name: 'a side in one-way mode', orders: [{ ...long, positionSide: 'long' }], code: 'illegal_transition' },
  {
    name: 'a side in one-way mode, off the lot',
    orders: [{ ...long, quantity: '0.01001', positionSide: 'short' }],
    code: 'illegal_transition',
  },
  { name: 'both named in one-way mode', orders: [{ ...long, positionSide: 'both' }], code: 'accepted' },
  { name: 'no side in hedge mode', mode: 'hedge', orders: [long], code: 'illegal_transition' },
  {
    name: 'both in hedge mode',
    mode: 'hedge',
    orders: [{ ...long, positionSide: 'both' }],
    code: 'illegal_transition',
  },
  {
    name: 'a side in hedge mode',
    mode: 'hedge',
    orders: [{ ...long, positionSide: 'short', side: 'sell' }],
    code: 'accepted',
  },
  {
    name: 'a reduction of nothing',
    orders: [{ ...long, side: 'sell', reduceOnly: true }],
    code: 'reduce_only_violation',
  },
  {
    name: 'a reduction on the wrong side',
    orders: [long, { ...long, reduceOnly: true }],
    code: 'reduce_only_violation',
  },
  {
    name: 'a reduction of more than is held',
    orders: [long, { ...long, side: 'sell', quantity: '0.0101', reduceOnly: true }],
    code: 'reduce_only_violation',
  },
  {
    name: 'closing a side that is not held',
    mode: 'hedge',
    orders: [{ ...long, side: 'sell', positionSide: 'long' }],
    code: 'reduce_only_violation',
  },
  {
    name: 'closing a side of more than is held',
    mode: 'hedge',
    orders: [
      { ...long, positionSide: 'long' },
      { ...long, side: 'sell', quantity: '0.0101', positionSide: 'long' },
    ],
    code: 'reduce_only_violation',
  },
  {
    name: 'too small a value of a perpetual',
    orders: [{ ...long, price: '40000', quantity: '0.0001' }],
    code: 'below_minimum',
  },
  {
    name: 'a reduction below the least value',
    orders: [long, { ...long, side: 'sell', price: '0.1', quantity: '0.0001', reduceOnly: true }],
    code: 'accepted',
  },
  {
    name: 'closing a side below the least value',
    mode: 'hedge',
    orders: [
      { ...long, positionSide: 'short', side: 'sell' },
      { ...long, price: '0.1', quantity: '0.0001', positionSide: 'short' },
    ],
    code: 'accepted',
  },
  {
    name: 'a reduction off the lot',
    orders: [long, { ...long, side: 'sell', quantity: '0.00011', reduceOnly: true }],
    code: 'off_lot',
  },
  {
    name: 'more than the tiers allow',
    orders: [{ ...long, price: '50000', quantity: '100.0001' }],
    code: 'leverage_too_high',
  },
  { name: 'the most that the tiers allow', orders: [{ ...long, price: '50000', quantity: '100' }], code: 'accepted' },
];

let sandbox: SandboxSide | undefined;
afterEach(() => sandbox?.stop());

describe('sandbox and simulated venue tell the strategy the same of', () => {
  it.each(cases)('$name: $code', ({ mode = 'one-way', halted, orders, code }) => {
    sandbox = new SandboxSide(mode);
    if (halted !== undefined) sandbox.halt(halted);
    const simulated = new SimulatedSide(mode, halted);
    const there: string[] = [];
    const here: string[] = [];
    for (const order of orders) {
      there.push(sandbox.send(order));
      here.push(simulated.send(order));
    }
    const expected = orders.map((_, index) => (index === orders.length - 1 ? code : 'accepted'));
    expect({ there, here }).toEqual({ there: expected, here: expected });
  });
});
