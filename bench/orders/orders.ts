/**
 * What an order costs in a backtest of the real USD-M file (decide, risk, entries, admit, lock, match, settle, publish,
 * record), as the difference to the same pass without orders:
 *
 *   (a) mix      a market maker's creates, cancels and fills, a create counted
 *   (b) cancel   create + cancel, ten a second
 *   (c) fill     create + a taker's fill, ten a second
 *
 * beside a bare pipeline in integers. With `--before DIR`, another checkout of this project with this bench in it, its
 * figures come first, taken in turn in the same run; the ratio is against them. Each round is a process of its own.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { print, RUNS, spread, type Measured } from '../harness.ts';
import { benchData } from '../recordings.ts';
import { floorUs } from './floor.ts';
import type { Pass, Round } from './pass.ts';

const HERE = resolve(import.meta.dirname, '../..');
const FLOOR_ORDERS = 300_000;
/** A maker sends a sixth of the dense orders in the same time: so many times longer it is measured as well as they are. */
const MIX_TIMES = 6;

const ROWS = [
  { title: 'a maker’s mix, an order', pass: 'mix', without: 'mix, no order' },
  { title: 'create + cancel, dense', pass: 'cancel', without: 'dense, no order', floor: 'cancel' },
  { title: 'create + taker’s fill, dense', pass: 'fill', without: 'dense, no order', floor: 'fill' },
] as const;

function roundOf(tree: string, path: string, repeat: number): Round {
  const passes = (times: number, names: readonly string[]): Round => {
    const args = [join(tree, 'bench/orders/pass.ts'), path, String(times), ...names];
    const out = execFileSync(process.execPath, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
    return JSON.parse(out) as Round;
  };
  return {
    ...passes(repeat * MIX_TIMES, ['mix, no order', 'mix']),
    ...passes(repeat, ['dense, no order', 'cancel', 'fill']),
  };
}

function usAnOrder(round: Round, pass: string, without: string): number {
  const [sent, none] = [round[pass], round[without]] as readonly (Pass | undefined)[];
  if (sent === undefined || none === undefined || sent.orders === 0) throw new Error(`no pass ${pass}`);
  return ((sent.seconds - none.seconds) * 1e6) / sent.orders;
}

export async function ordersBench(before: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'tidewire-bench-'));
  try {
    const data = await benchData(folder);
    if (data === null) return;
    const trees = before === null ? [HERE] : [resolve(before), HERE];
    const rounds = trees.map(() => [] as Round[]);
    const floors = { cancel: [] as number[], fill: [] as number[] };
    for (let run = 0; run < RUNS; run++) {
      for (const [index, tree] of trees.entries()) rounds[index]?.push(roundOf(tree, data.path, data.repeat));
      for (const kind of ['cancel', 'fill'] as const) {
        floorUs(kind, FLOOR_ORDERS);
        floors[kind].push(floorUs(kind, FLOOR_ORDERS));
      }
    }
    for (const row of ROWS) {
      const measured: Measured[] = rounds.map((ofTree, index) => ({
        name: index === rounds.length - 1 ? 'here' : 'before',
        values: spread(ofTree.map((round) => usAnOrder(round, row.pass, row.without))),
      }));
      if ('floor' in row) measured.push({ name: 'bare pipeline in integers', values: spread(floors[row.floor]) });
      const { orders, cancels, fills } = rounds.at(-1)?.[0]?.[row.pass] ?? { orders: 0, cancels: 0, fills: 0 };
      const counts = [orders, cancels, fills].map((count) => count.toLocaleString('en'));
      print(`${row.title}: ${counts[0]} creates, ${counts[1]} cancels, ${counts[2]} fills`, 'µs an order', measured);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
