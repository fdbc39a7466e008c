/** Drawn programs played by tidewire, each beside its reference. */
import type { ProgramKind } from '../../../src/model/trading/program.ts';
import type { BacktestResult } from '../../../src/session/result/result.ts';
import type { Dataset } from '../dataset.ts';
import { Texts } from '../decimal-texts.ts';
import { chanceOf } from './chance.ts';
import type { PlayedProgram } from './desk.ts';
import { type Drawn, DRAWN_KINDS, drawProgram, STRETCH_MS } from './draw.ts';
import type { Account } from './draw-many.ts';
import { judge } from './judge.ts';
import { playPrograms, START } from './play.ts';
import { viewOf, type ViewStep } from './view.ts';

export interface ProgramTrial {
  readonly kind: ProgramKind;
  readonly ref: string;
  readonly action: unknown;
  readonly children: number;
  readonly fills: number;
  readonly differences: readonly string[];
}

/** Of one symbol, and of several. */
export const SINGLE_KINDS = DRAWN_KINDS;
export const MANY_KINDS: readonly ProgramKind[] = ['rebalance', 'pair'];

/** At most `most` programs of the files, one after another; those of one symbol are of the first file. */
export async function programTrials(
  datasets: readonly Dataset[],
  seed: number,
  kinds: readonly ProgramKind[],
  most = Infinity,
): Promise<readonly ProgramTrial[]> {
  const random = chanceOf(Math.imul(seed, 2654435761));
  const fromUs = Math.max(...datasets.map(({ market }) => market.default.usableUs));
  const endUs = Math.min(...datasets.map(({ market }) => market.default.endUs));
  const drawn: Drawn[] = [];
  let ms = Math.ceil(fromUs / 1000) + 2000 + Math.floor(random() * 5000);
  for (; ms + STRETCH_MS < endUs / 1000 && drawn.length < most; ms += STRETCH_MS) {
    const kind = kinds[Math.floor(random() * kinds.length)] ?? 'stop';
    const next = drawProgram(datasets, random, ms, `p${drawn.length}`, kind);
    if (next !== undefined) drawn.push(next);
  }
  const result = await playPrograms(
    datasets,
    drawn.map(({ step }) => step),
  );
  const view = mergedView(datasets);
  return drawn.map(({ step, reference, expireUs }): ProgramTrial => {
    const { action, cancelMs } = step;
    const played = playedOf(datasets, result, action.ref);
    const base = { kind: action.kind, ref: action.ref, action };
    if (played === undefined) return { ...base, children: 0, fills: 0, differences: ['not in the result'] };
    const { children, startedUs } = played;
    const before = accountAt(datasets, result, startedUs);
    const symbol = datasets[0]?.symbol ?? '';
    return {
      ...base,
      children: children.length,
      fills: children.reduce((sum, child) => sum + child.fills.length, 0),
      differences: judge(symbol, () => reference(before), played, view, cancelMs * 1000, expireUs),
    };
  });
}

function mergedView(datasets: readonly Dataset[]): readonly ViewStep[] {
  const views = datasets.map(viewOf);
  return views.length === 1 ? (views[0] ?? []) : views.flat().toSorted((a, b) => a.us - b.us);
}

/** The start and what was filled before; nothing costs a fee. */
function accountAt(datasets: readonly Dataset[], { fills }: BacktestResult, us: number): Account {
  const before = fills.filter(({ ts }) => ts * 1000 < us);
  const signed = (side: string, amount: number): number => (side === 'buy' ? amount : -amount);
  const paid = before.reduce(
    (sum, { side, price, quantity }) => sum + signed(side, Number(price) * Number(quantity)),
    0,
  );
  return {
    quote: START.quote - paid,
    held: (symbol) => {
      const dataset = datasets.find((other) => other.symbol === symbol);
      if (dataset === undefined) return 0;
      const texts = new Texts(dataset.recorded);
      const own = before.filter((fill) => fill.symbol === symbol);
      return own.reduce(
        (sum, { side, quantity }) => sum + signed(side, texts.quantityUnits(quantity)),
        texts.quantityUnits(`${START.base}`),
      );
    },
  };
}

function playedOf(datasets: readonly Dataset[], result: BacktestResult, ref: string): PlayedProgram | undefined {
  const program = result.programs.find((other) => other.ref === ref);
  if (program === undefined) return undefined;
  const children = result.orders
    .filter(({ parent }) => parent === ref)
    .map((order) => {
      const dataset = datasets.find(({ symbol }) => symbol === order.symbol);
      if (dataset === undefined) throw new Error(`no file of ${order.symbol}`);
      const texts = new Texts(dataset.recorded);
      return {
        ref: order.ref,
        leg: order.leg ?? '',
        symbol: order.symbol,
        side: order.side,
        price: order.price === null ? null : texts.priceUnits(order.price),
        quantity: texts.quantityUnits(order.quantity),
        state: order.state,
        createdUs: Math.round(order.createdTs * 1000),
        updatedUs: Math.round(order.updatedTs * 1000),
        fills: result.fills
          .map((fill, place) => ({ fill, place }))
          .filter(({ fill }) => fill.orderRef === order.ref)
          .map(({ fill, place }) => ({
            place,
            us: fill.ts * 1000,
            price: texts.priceUnits(fill.price),
            quantity: texts.quantityUnits(fill.quantity),
            isTaker: fill.liquidity === 'taker',
          })),
      };
    });
  return {
    ref,
    state: program.state,
    reason: program.reason,
    startedUs: Math.round(program.startedAt * 1000),
    endedUs: program.endedAt === null ? null : Math.round(program.endedAt * 1000),
    children,
  };
}
