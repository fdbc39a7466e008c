/**
 * The whole stack behind a socket: frames into private stream, venue and order machine of a running session. Laws: nothing
 * throws and the session lives; what cannot be read changes no order, position or balance; an order leaves the open ones, a
 * position or balance changes, only when the frame says so in so many words (INV-F6).
 */
import { decodePrivateFrame, type PrivateFrame } from '../../src/exchange/wire/private-frames.ts';
import { parseExact } from '../../src/exchange/wire/exact-json.ts';
import { readServerMessage } from '../../src/exchange/wire/socket-messages.ts';
import type { OrderUpdate } from '../../src/model/trading/order.ts';
import type { Random } from '../../src/model/ports.ts';
import type { Corpus } from './corpus.ts';
import type { Findings } from './findings.ts';
import { mutateText } from './mutate.ts';
import { Stack } from './stack.ts';

const SYMBOL = 'BTCUSDT';
const CURRENCIES = ['USDT', 'BTC'] as const;
const TAG = 'busy';
/** Inputs on one session: false facts pile up, and a session that halted proves nothing more. */
const ROUND = 2_000;
/** Past the first trades of its strategy. */
const START_S = 330;

interface Snapshot {
  readonly orders: readonly OrderUpdate[];
  readonly position: string;
  readonly totals: readonly string[];
}

export async function fuzzAccount(count: number, corpus: Corpus, random: Random, findings: Findings): Promise<void> {
  for (let done = 0; done < count; done += ROUND) {
    const stack = new Stack(1 + Math.floor(random.next() * 1_000_000));
    await stack.runSeconds(START_S);
    const frames = [...corpus.frames, ...stack.frames, ...stack.frames];
    for (let index = 0; index < Math.min(ROUND, count - done); index++) {
      const frame = frames[Math.floor(random.next() * frames.length)];
      if (frame !== undefined) receive(stack, frame.socket, mutateText(frame.text, random), findings);
    }
    // What was set off meanwhile (readings, orders of the strategy, connections) must not throw either.
    await stack.runSeconds(1);
    if (stack.exit !== null) findings.broken(`the session ended: ${stack.exit}`, '');
    stack.close();
  }
}

function lookAt(stack: Stack): Snapshot {
  const account = stack.executor.account(TAG);
  return {
    orders: account.openOrders(SYMBOL),
    position: account.position(SYMBOL).quantity,
    totals: CURRENCIES.map((currency) => account.balance(currency).total),
  };
}

function receive(stack: Stack, socket: number, text: string, findings: Findings): void {
  findings.holds(text, () => {
    const before = lookAt(stack);
    stack.receive(socket, text);
    const after = lookAt(stack);
    const said = whatItSays(text);
    findings.saw(
      `${said?.kind ?? 'no push'} ${JSON.stringify(before) === JSON.stringify(after) ? 'without' : 'with'} effect`,
    );
    compare(before, after, said, text, findings);
  });
}

function whatItSays(text: string): PrivateFrame | null {
  const message = readServerMessage(text, parseExact);
  if (message.kind !== 'push') return null;
  return decodePrivateFrame({ ...message, receiveUs: 0, generation: 1 });
}

function compare(before: Snapshot, after: Snapshot, said: PrivateFrame | null, text: string, findings: Findings): void {
  const fills = said?.kind === 'fills' ? said.fills : [];
  const reports = said?.kind === 'orders' ? said.orders : [];
  const balances = said?.kind === 'balances' ? said.balances : [];
  const open = new Set(after.orders.map(({ ref }) => ref));
  for (const { ref, orderId } of before.orders) {
    if (open.has(ref)) continue;
    const isNamed =
      fills.some((fill) => fill.orderId === orderId) ||
      reports.some((report) => report.orderId === orderId || orderId === undefined);
    if (!isNamed) findings.broken(`order ${ref} is gone, and nothing said so`, text);
  }
  if (before.position !== after.position && fills.length === 0)
    findings.broken(`the position went from ${before.position} to ${after.position} without a fill`, text);
  for (const [index, currency] of CURRENCIES.entries()) {
    const [was, is] = [before.totals[index], after.totals[index]];
    if (was === is) continue;
    if (fills.length === 0 && !balances.some((balance) => balance.currency === currency))
      findings.broken(`the balance of ${currency} went from ${was} to ${is}, and nothing said so`, text);
  }
}
