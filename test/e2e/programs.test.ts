/**
 * Order programs from the outside, on a real session that is killed in the midst of a bracket: `programs`, `why`,
 * `cancel`, `cancel-all`, `status`, and a restart that goes on with them.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { callCli } from '../cli/call-cli.ts';
import { documentOf, errorOf, freshFolder, run, start, type Ended, type Running } from './cli.ts';

const STRATEGY = `
import { bracket, defineStrategy, place, twap } from 'tidewire';
import { mergeMap, take } from 'rxjs';

export default defineStrategy({
  name: 'prog',
  setup: ({ market }) => {
    const symbol = 'BTCUSDT';
    const instrument = market.instrument(symbol);
    return market.top(symbol).pipe(
      take(1),
      mergeMap(({ mid }) => [
        bracket({
          ref: 'guarded',
          entry: { symbol, side: 'buy', type: 'market', quantity: '0.002' },
          takeProfit: [{ price: { bps: 400 }, fraction: 0.5 }, { price: { bps: 450 }, fraction: 0.5 }],
          stopLoss: { bps: 400 },
        }),
        twap({ ref: 'slow', symbol, side: 'buy', quantity: '0.01', over: '10m', slices: 5, limit: instrument.roundPrice(mid * 0.97, 'down') }),
        place({ ref: 'far', symbol, side: 'buy', type: 'limit', quantity: '0.001', price: instrument.roundPrice(mid * 0.97, 'down') }),
      ]),
    );
  },
});
`;

interface Program {
  readonly ref: string;
  readonly kind: string;
  readonly state: string;
  readonly reason: string | null;
  readonly quantity: string | null;
  readonly filled: string;
  readonly averagePrice: string | null;
  readonly endedAt: number | null;
  readonly children: readonly string[];
  readonly waitsFor: string | null;
  readonly next: { readonly trigger?: string; readonly at?: number };
}

interface Programs {
  readonly session: string;
  readonly programs: readonly Program[];
}

interface Canceled {
  readonly programs: readonly { readonly ref: string; readonly state: string }[];
  readonly orders: readonly { readonly ref: string; readonly state: string; readonly leg: string | null }[];
  readonly unproved: readonly string[];
  readonly unprotected: readonly { readonly strategy: string; readonly symbol: string; readonly quantity: string }[];
}

interface WhyProgram {
  readonly kind: string;
  readonly chain: {
    readonly parameters: Readonly<Record<string, unknown>>;
    readonly steps: readonly { readonly kind: string; readonly text: string }[];
    readonly children: readonly {
      readonly ref: string;
      readonly leg: string;
      readonly state: string;
      readonly filled: string;
    }[];
    readonly left: { readonly unprotected: { readonly quantity: string } | null };
  };
}

interface Status {
  readonly sessions: readonly {
    readonly programs: readonly Program[];
    readonly unprotected: readonly unknown[];
    readonly openOrders: readonly { readonly ref: string; readonly leg?: string }[];
  }[];
}

let cwd = '';

async function call(...argv: string[]): Promise<Ended> {
  const { code, stdout, stderr } = await callCli([...argv, '--json'], cwd);
  return { code, signal: null, stdout, stderr };
}

async function text(...argv: string[]): Promise<string> {
  return (await callCli(argv, cwd)).stdout;
}

/** Once the bracket has filled and both take-profits rest. */
function guarded(paper: Running): Promise<Programs> {
  return paper.during('a bracket with its exits', async () => {
    const { code, stdout } = await call('programs');
    if (code !== 0) return undefined;
    const shown = JSON.parse(stdout) as Programs;
    const program = shown.programs.find(({ ref }) => ref === 'guarded');
    return program?.children.length === 3 && shown.programs.length === 2 ? shown : undefined;
  });
}

it('programs/kill: shown, explained, gone on with and cancelled from the command line', async () => {
  cwd = freshFolder();
  const strategy = join(cwd, 'prog.ts');
  writeFileSync(strategy, STRATEGY);
  expect(errorOf(await call('programs'))).toMatchObject({ code: 'session_not_found' });
  expect(errorOf(await call('cancel', 'far'))).toMatchObject({ code: 'session_not_running' });
  const paper = start(['paper', strategy, '--json'], { cwd });
  const before = await guarded(paper);
  expect(before.programs[0]).toMatchObject({
    ref: 'guarded',
    kind: 'bracket',
    state: 'working',
    quantity: '0.002',
    filled: '0.002',
    waitsFor: 'an exit',
    next: { trigger: expect.stringMatching(/^\d/) },
  });
  expect(before.programs[1]).toMatchObject({ ref: 'slow', next: { at: expect.any(Number) } });
  const [, profit = ''] = before.programs[0]?.children ?? [];

  const typo = await call('cancel', 'fat');
  expect([typo.code, errorOf(typo).code]).toEqual([2, 'cancel_unknown']);
  expect(errorOf(typo).message).toContain('nearest: far');
  const child = errorOf(await call('cancel', profit));
  expect(child).toMatchObject({ code: 'cancel_child', details: { parent: 'guarded' } });
  const far = await call('cancel', 'prog/far');
  expect(far.code, far.stdout).toBe(0);
  expect(documentOf<Canceled>(far)).toMatchObject({
    programs: [],
    orders: [{ ref: 'far', state: 'canceled', leg: null }],
    unproved: [],
    unprotected: [],
  });
  const again = await call('cancel', 'far');
  expect([again.code, errorOf(again).code]).toEqual([2, 'cancel_ended']);

  await paper.signal('SIGKILL');
  const dead = documentOf<Programs>(await call('programs'));
  expect(dead.programs.map(({ ref, state, children }) => [ref, state, children.length])).toEqual(
    before.programs.map(({ ref, state, children }) => [ref, state, children.length]),
  );
  expect(await text('programs')).toContain('None of them fires until the next start');
  expect(errorOf(await call('cancel-all')).code).toBe('session_not_running');
  const why = documentOf<WhyProgram>(await call('why', 'prog/guarded'));
  expect(why.kind).toBe('program');
  expect(why.chain.parameters).toMatchObject({ kind: 'bracket', stopLoss: { bps: 400 } });
  expect(why.chain.children.map(({ leg, state }) => [leg, state])).toEqual([
    ['entry', 'filled'],
    ['takeProfit:1', 'open'],
    ['takeProfit:2', 'open'],
  ]);
  expect(why.chain.steps.map(({ kind }) => kind).slice(0, 3)).toEqual(['decision', 'start', 'order']);
  const ofChild = documentOf<{ readonly chain: { readonly parent: string; readonly leg: string } }>(
    await call('why', profit),
  );
  expect(ofChild.chain).toMatchObject({ parent: 'guarded', leg: 'takeProfit:1' });
  expect(await text('why', profit)).toContain('takeProfit:1 of the program guarded');

  const resumed = start(['paper', strategy, '--json'], { cwd });
  const after = await resumed.during('the session to go on', async () => {
    const [session] = documentOf<Status & { sessions: readonly { running: boolean; boots: number }[] }>(
      await call('status'),
    ).sessions;
    const rest = session?.openOrders.filter(({ leg }) => leg?.startsWith('takeProfit') === true) ?? [];
    return session !== undefined && rest.length === 2 && (await isGoing()) ? session : undefined;
  });
  expect(after.programs.map(({ ref }) => ref)).toEqual(['guarded', 'slow']);
  expect(after.unprotected).toEqual([]);

  const all = documentOf<Canceled>(await call('cancel-all', '--symbol', 'BTCUSDT', '--reason', 'enough'));
  expect(all.programs).toMatchObject([
    { ref: 'guarded', state: 'canceled' },
    { ref: 'slow', state: 'canceled' },
  ]);
  expect(all.orders.every(({ state }) => state === 'canceled')).toBe(true);
  expect(all.unproved).toEqual([]);
  expect(all.unprotected).toMatchObject([{ strategy: 'prog', symbol: 'BTCUSDT' }]);
  const [left] = documentOf<Status>(await call('status')).sessions;
  expect(left).toMatchObject({ programs: [], openOrders: [], unprotected: all.unprotected });
  expect(await text('status')).toMatch(/UNPROTECTED: 0\.001\d* of BTCUSDT of prog have no exit/);
  const ended = documentOf<WhyProgram>(await call('why', 'guarded'));
  expect(ended.chain.steps.map(({ kind }) => kind)).toEqual(expect.arrayContaining(['process', 'by hand', 'end']));
  expect(ended.chain.left.unprotected?.quantity).toBe(all.unprotected[0]?.quantity);
  const idle = documentOf<Canceled>(await call('cancel-all'));
  expect(idle).toMatchObject({ programs: [], orders: [], unproved: [] });
  expect(errorOf(await call('cancel-all', '--strategy', 'prg')).message).toContain('nearest: prog');
  const [near, nothing] = [
    await call('cancel-all', '--symbol', 'BTCUSD'),
    await call('cancel-all', '--symbol', 'NOPE'),
  ];
  expect([near.code, errorOf(near).code, errorOf(near).message]).toEqual([
    2,
    'bad_option',
    expect.stringContaining('no symbol BTCUSD; nearest: BTCUSDT'),
  ]);
  expect([nothing.code, errorOf(nothing).hint]).toEqual([2, expect.not.stringContaining('Durations')]);
  await resumed.signal('SIGINT');

  // Of all processes of the session, also the result of one in which they had ended.
  const third = await run(['paper', strategy, '--for', '1s', '--json'], { cwd });
  const { files } = documentOf<{ readonly files: { readonly result: string } }>(third);
  const { programs } = JSON.parse(readFileSync(files.result, 'utf8')) as Programs;
  const shown = (await newest()).programs.map(({ waitsFor: _waits, next: _next, ...row }) => row);
  expect(programs).toEqual(shown);
  expect(programs.map(({ ref }) => ref)).toEqual(['guarded', 'slow']);
});

/** The strategies decide again. */
async function isGoing(): Promise<boolean> {
  const { stdout } = await call('journal', 'show', (await newest()).session, '--kind', 'denial');
  return stdout.includes('duplicate_ref');
}

async function newest(): Promise<Programs> {
  return documentOf<Programs>(await call('programs'));
}
