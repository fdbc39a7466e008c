/**
 * One run: an exchange, a faulty proxy, and a bot that is killed again and again, each time started anew on the same
 * journal. Then the faults end, the strategy falls silent, and both sides must agree. Everything is chosen from the seed;
 * timing is real, so a seed repeats the choices, not the exact interleaving.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../../src/model/random.ts';
import { listSessions, type SessionFolder } from '../../../src/session/store/store.ts';
import { Bot } from './bot.ts';
import { pause, within } from './child.ts';
import { Disk } from './disk.ts';
import { Exchange } from './exchange.ts';
import { chainProblems, judge, type Verdict } from './judge.ts';
import { judgePrograms, type Down, type ProgramVerdict } from './program-judge.ts';
import { drawLife, drawLifeOf, live, type Border, type Life, type LifeEnd } from './lives.ts';
import { FaultyProxy } from './proxy.ts';

export interface CampaignOptions {
  readonly seed: number;
  readonly kills: number;
  /** Every death at a border, of these numbers one after the other, on a calm network. */
  readonly borders?: readonly Border[];
  /** Lives of this kind alone. */
  readonly only?: Life['kind'];
  /** The bot runs order programs (`patient.ts`) in a market that wanders. */
  readonly programs?: boolean;
}

export interface CampaignResult extends Verdict {
  readonly programs: Omit<ProgramVerdict, 'problems'> | null;
  readonly kills: number;
  readonly lives: number;
  /** Lives that came to send an order before they ended. */
  readonly traded: number;
  readonly wallMs: number;
  readonly reached: ReadonlyMap<string, number>;
}

const SETTLE_MS = 60_000;

interface Settled {
  readonly orders: Verdict;
  readonly programs: ProgramVerdict | null;
}

/** From a death to the first decision of the next process that comes to decide. */
class Downs {
  readonly all: Down[] = [];
  #from: number | null = null;

  life({ decidingFrom }: LifeEnd): void {
    if (decidingFrom === null) return;
    this.begins(decidingFrom);
    this.#from = Date.now();
  }

  begins(decidingFrom: number): void {
    if (this.#from !== null) this.all.push({ from: this.#from, to: decidingFrom });
    this.#from = null;
  }
}

export async function campaign(options: CampaignOptions): Promise<CampaignResult> {
  const started = performance.now();
  const random = seededRandom(options.seed).fork('processes');
  const dir = mkdtempSync(join(tmpdir(), 'tidewire-chaos-'));
  const disk = Disk.mount(join(dir, 'sessions'));
  const exchange = await Exchange.start(dir, options.seed);
  const proxy = new FaultyProxy(exchange.port, random.fork('proxy'));
  let isOver = false;
  const programs = options.programs === true;
  let market = Promise.resolve();
  try {
    await proxy.open();
    await exchange.layMarket();
    market = exchange.keepMarket(random.fork('market'), () => isOver, options.programs);
    market.catch(() => {});
    const bot = new Bot({ dir, proxy, exchange, disk, clientOrderIds: random.next() < 0.5, programs });
    const reached = new Map<string, number>();
    const count = (name: string): void => void reached.set(name, (reached.get(name) ?? 0) + 1);
    const downs = new Downs();
    let kills = 0;
    let lives = 0;
    while (kills < options.kills) {
      const border = options.borders?.[kills];
      const chance = random.fork(`life ${lives}`);
      const drawn = options.only === undefined ? drawLife(chance, border) : drawLifeOf(chance, options.only);
      const end = await live(bot, proxy, programs ? unhurried(drawn) : drawn);
      downs.life(end);
      lives++;
      for (const name of end.reached) count(name);
      if (end.killed) kills++;
      else if (lives > 20 + options.kills * 5) throw new Error(`${lives} lives and ${kills} kills`);
      checkDeath(dir);
    }
    isOver = true;
    await market;
    const verdict = await settle(bot, proxy, exchange, dir, downs);
    for (const [name, times] of proxy.reached) reached.set(`network ${name}`, times);
    return {
      ...verdict.orders,
      programs: verdict.programs,
      kills,
      lives,
      traded: reached.get('traded') ?? 0,
      reached,
      wallMs: performance.now() - started,
    };
  } finally {
    isOver = true;
    await market.catch(() => {});
    await proxy.close();
    await exchange.stop();
    disk?.unmount();
    rmSync(dir, { recursive: true, force: true });
  }
}

/** Programs need time to come to something, and late exits are judged by the clock of this machine. */
function unhurried({ clock: _stepped, ...life }: Life): Life {
  return { ...life, killAfterMs: life.killAfterMs * 3 };
}

export function theSession(dir: string): SessionFolder | null {
  const [first, ...others] = listSessions(join(dir, 'sessions'));
  if (others.length > 0)
    throw new Error(`there are ${others.length + 1} sessions: a restart did not go on with its own`);
  return first ?? null;
}

function checkDeath(dir: string): void {
  const folder = theSession(dir);
  if (folder === null) return;
  const problems = unlessNew(() => chainProblems(folder));
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/** A process that died before its first row leaves no journal. */
function unlessNew(read: () => readonly string[]): readonly string[] {
  try {
    return read();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'journal_not_found') return [];
    throw thrown;
  }
}

async function settle(bot: Bot, proxy: FaultyProxy, exchange: Exchange, dir: string, downs: Downs): Promise<Settled> {
  await proxy.heal();
  writeFileSync(bot.quietFile, '');
  const last = bot.start({});
  const look = async (): Promise<Settled | null> => {
    if (last.result !== null) throw new Error(`the last process ended with ${last.result.code}: ${last.said}`);
    const folder = theSession(dir);
    return folder === null ? null : judged(bot, folder, exchange, downs);
  };
  try {
    // Before that the journal says what an earlier process knew.
    const began = await within(SETTLE_MS, () => last.result ?? bot.decidingFrom(last));
    if (began === null) throw new Error(`the last process does not begin: ${last.said.slice(-3_000)}`);
    if (typeof began === 'number') downs.begins(began);
    const settled = await within(SETTLE_MS, async () => {
      await pause(300);
      const verdict = await tolerant(look);
      const isOver = verdict !== null && (problemsOf(verdict).length === 0 || verdict.orders.fatal.length > 0);
      return isOver ? verdict : null;
    });
    const verdict = settled ?? (await look());
    if (verdict === null) throw new Error('there is no session');
    const problems = problemsOf(verdict);
    if (problems.length > 0) throw new Error(`${problems.join('; ')}\n${last.said.slice(-3000)}`);
    // It must stay so: some conclusions need several readings.
    await pause(1_500);
    const again = await look();
    if (again === null || problemsOf(again).length > 0)
      throw new Error(`after settling: ${again === null ? 'no session' : problemsOf(again).join('; ')}`);
    const ended = await last.end('SIGINT');
    if (ended.code !== 0)
      throw new Error(`the orderly end was ${ended.code} ${ended.signal}: ${last.said.slice(-3000)}`);
    checkDeath(dir);
    const folder = theSession(dir);
    if (folder === null || !folder.record.clean) throw new Error('the session did not end clean');
    const final = await judged(bot, folder, exchange, downs);
    if (problemsOf(final).length > 0) throw new Error(`after the end: ${problemsOf(final).join('; ')}`);
    return final;
  } finally {
    await last.end('SIGKILL');
  }
}

async function judged(bot: Bot, folder: SessionFolder, exchange: Exchange, downs: Downs): Promise<Settled> {
  const truth = await exchange.truth('alice');
  const orders = judge(folder, truth);
  return { orders, programs: bot.programs ? judgePrograms(folder, truth, exchange.prices, downs.all) : null };
}

function problemsOf({ orders, programs }: Settled): readonly string[] {
  return [...orders.problems, ...(programs?.problems ?? [])];
}

/** The journal may not be there yet. */
async function tolerant(look: () => Promise<Settled | null>): Promise<Settled | null> {
  try {
    return await look();
  } catch (thrown) {
    if (thrown instanceof Error && 'code' in thrown && thrown.code === 'journal_not_found') return null;
    throw thrown;
  }
}
