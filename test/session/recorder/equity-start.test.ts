/** What a restart takes for the start of the equity and the flows since follows from the journal, wherever its process was killed. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Instruments } from '../../../src/model/market/instrument.ts';
import type { JournalEntry, JournalRow } from '../../../src/model/entries/journal.ts';
import { dec, type Decimal, decimalText, ZERO } from '../../../src/model/numbers/money.ts';
import { EarlierLegs } from '../../../src/session/result/earlier-legs.ts';
import { START_RECORD, startKeeper } from '../../../src/session/recorder/equity-start.ts';
import { RunRecorder } from '../../../src/session/recorder/run-recorder.ts';
import { BTC } from '../../execution/rig.ts';

const HELD = { USDT: dec('100000.000000000000000001'), BTC: dec('1.5') };

interface Movement {
  readonly id: string;
  readonly currency: 'BTC' | 'USDT';
  readonly amount: string;
  readonly value: string | null;
  /** By the model: the same, or at the first price; `kept`: the journal knows it. */
  worth: Decimal | null;
  kept: boolean;
}

/** A session of several processes, and beside it a plain model of what its figures must be. */
class World {
  readonly rows: JournalRow[] = [];
  readonly #account = new Map<string, Decimal>(Object.entries(HELD));
  readonly #movements: Movement[] = [];
  #own = ZERO;
  #capital: Decimal | null = null;
  #isCapitalKept = false;
  #price: number | null = null;
  #isHeld = false;
  #boot = 0;
  #recorder!: RunRecorder;
  #keep!: () => void;

  constructor() {
    this.restart();
  }

  restart(): void {
    this.#recorder = new RunRecorder(new Instruments([BTC]), 'USDT');
    const earlier = EarlierLegs.tell(this.rows, this.#recorder);
    this.#boot++;
    this.#write({ kind: 'session', event: 'start', boot: this.#boot, bootId: `b${this.#boot}` });
    const totals = (): ReadonlyMap<string, string> =>
      new Map([...this.#account].map(([currency, amount]) => [currency, decimalText(amount)]));
    this.#recorder.begin(this.rows.length, () => ({ totals: totals(), positions: [] }));
    this.#isHeld = earlier !== null && earlier.start !== null;
    if (this.#isHeld) this.#recorder.hold(earlier!.start);
    this.#keep = startKeeper((entry) => this.#write(entry), this.#recorder.equity);
    this.#price = null;
    if (!this.#isCapitalKept) this.#capital = null;
    for (const movement of this.#movements) if (!movement.kept && movement.value === null) movement.worth = null;
  }

  price(price: number): void {
    this.#recorder.mark(this.rows.length, 'BTCUSDT', price);
    this.#price = price;
    for (const movement of this.#movements) movement.worth ??= dec(movement.amount).times(price);
    if (this.#isHeld) return;
    this.#isHeld = true;
    this.#recorder.hold(null);
    this.#capital = HELD.USDT.plus(HELD.BTC.times(price));
  }

  flow(currency: Movement['currency'], cents: number, dies: boolean): void {
    const id = `m${this.#movements.length}`;
    const amount = decimalText(dec(cents).div(100));
    const rate = currency === 'USDT' ? 1 : this.#price;
    const value = rate === null ? null : String(Number(amount) * rate);
    const isKnown = currency === 'USDT' || value !== null;
    const worth = currency === 'USDT' ? dec(amount) : value === null ? null : dec(value);
    this.#movements.push({ id, currency, amount, value, worth, kept: isKnown });
    this.#account.set(currency, this.#account.get(currency)!.plus(amount));
    const flow = { id, currency, amount, at: this.rows.length, cause: 'movement' } as const;
    this.#write({ kind: 'cash-flow', ...flow, value });
    if (dies) this.restart();
    else this.#recorder.onExecutorEvent({ kind: 'cash-flow', flow, value: value === null ? null : Number(value) });
  }

  earn(cents: number): void {
    const amount = decimalText(dec(cents).div(100));
    this.#own = this.#own.plus(amount);
    this.#account.set('USDT', this.#account.get('USDT')!.plus(amount));
    const of = { symbol: null, positionSide: 'both', strategy: 'maker', external: '0' } as const;
    this.#write({ kind: 'funding', id: `f${this.rows.length}`, currency: 'USDT', amount, ...of });
    this.#recorder.funded(this.rows.length, 'USDT', amount);
  }

  look(): void {
    this.#keep();
    if (this.#capital !== null) this.#isCapitalKept = true;
    if (this.#isHeld) for (const movement of this.#movements) movement.kept ||= movement.worth !== null;
  }

  /** The record before the flow, or after it. */
  swap(): void {
    for (let at = 1; at < this.rows.length; at++) {
      const [one, two] = [this.rows[at - 1]!, this.rows[at]!];
      if (one.entry.kind !== 'cash-flow' || two.entry.kind !== 'record') continue;
      this.rows[at - 1] = { ...two, seq: one.seq, ts: one.ts };
      this.rows[at] = { ...one, seq: two.seq, ts: two.ts };
    }
  }

  figures(): { readonly told: readonly string[]; readonly expected: readonly string[] } {
    const price = this.#price!;
    const { netPnl, heldDrift, external, accountPnl } = this.#recorder.figures!;
    const end = this.#account.get('USDT')!.plus(this.#account.get('BTC')!.times(price));
    const flows = this.#movements.reduce((sum, { worth }) => sum.plus(worth!), ZERO);
    const made = end.minus(this.#capital!).minus(flows);
    const sum = netPnl.plus(heldDrift).plus(external);
    return {
      told: [external, netPnl, sum, accountPnl].map(decimalText),
      expected: ['0', ...[this.#own, made, made].map(decimalText)],
    };
  }

  #write(entry: JournalEntry): void {
    this.rows.push({ seq: this.rows.length + 1, ts: this.rows.length, entry });
  }
}

const cents = fc.integer({ min: -40_000, max: 90_000 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('price'), fc.integer({ min: 50_000, max: 70_000 })) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('deposit', 'deposit and die'), cents) },
  { weight: 3, arbitrary: fc.tuple(fc.constantFrom('transfer', 'transfer and die'), cents) },
  fc.tuple(fc.constant('earn'), cents),
  { weight: 3, arbitrary: fc.tuple(fc.constant('look'), fc.constant(0)) },
  fc.tuple(fc.constantFrom('die', 'swap'), fc.constant(0)),
);

function take(world: World, [what, value]: readonly [string, number]): void {
  if (what === 'price') world.price(value + 0.01);
  else if (what === 'earn') world.earn(value);
  else if (what === 'look') world.look();
  else if (what === 'die') world.restart();
  else if (what === 'swap') world.swap();
  else world.flow(what.startsWith('deposit') ? 'BTC' : 'USDT', value, what.endsWith('die'));
}

describe('equity-start/flows', () => {
  it('count once, whatever was written when the process died (law)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const world = new World();
        for (const each of [...steps, ['die', 0], ['price', 61_234]] as const) take(world, each);
        const { told, expected } = world.figures();
        expect(told).toEqual(expected);
      }),
      { numRuns: 400 },
    );
  });

  it('a start that had no price for a part of it values it at the first one after a restart', () => {
    const make = (): RunRecorder => {
      const recorder = new RunRecorder(new Instruments([BTC]), 'USDT');
      recorder.account = () => recorder.equity.expected();
      return recorder;
    };
    const rows: JournalRow[] = [];
    const write = (entry: JournalEntry): void => void rows.push({ seq: rows.length + 1, ts: rows.length, entry });
    write({ kind: 'session', event: 'start', boot: 1, bootId: 'b1' });
    const first = make();
    first.begin(0, () => ({
      totals: new Map([
        ['USDT', '10000'],
        ['BTC', '1'],
      ]),
      positions: [],
    }));
    first.hold(null);
    startKeeper(write, first.equity)();
    const second = make();
    second.hold(EarlierLegs.tell(rows, second)!.start);
    second.mark(1, 'BTCUSDT', 60_000);
    expect([second.equity.capital, second.equity.drift()?.toFixed()]).toEqual([70_000, '0']);
  });

  it('of a journal whose starts name none: those of its process, not those that a crash had lost', () => {
    const rows: JournalRow[] = [];
    const write = (entry: JournalEntry): void => void rows.push({ seq: rows.length + 1, ts: rows.length, entry });
    const start = (boot: number): void => write({ kind: 'session', event: 'start', boot, bootId: `b${boot}` });
    const start0 = (usdt: string, flows: string): void =>
      write({
        kind: 'record',
        name: START_RECORD,
        data: { money: { USDT: usdt }, contracts: {}, capital: '100', flows },
      });
    const flow = (id: string, amount: string): void =>
      write({ kind: 'cash-flow', id, currency: 'USDT', amount, at: 0, cause: 'credit', value: amount });
    start(1);
    start0('100', '0');
    flow('counted', '1');
    start0('101', '1');
    flow('lost', '20');
    start(2);
    start0('101', '1');
    flow('of the second', '300');
    start0('401', '301');
    flow('after it', '4000');
    const shown = (): readonly (string | undefined)[] => {
      const recorder = new RunRecorder(new Instruments([BTC]), 'USDT');
      const earlier = EarlierLegs.tell(rows, recorder)!;
      recorder.begin(99, () => ({ totals: new Map([['USDT', '4421']]), positions: [] }));
      recorder.hold(earlier.start);
      startKeeper(write, recorder.equity)();
      const { external, accountPnl, heldDrift } = recorder.figures!;
      return [external, accountPnl, heldDrift].map(decimalText);
    };
    expect(shown()).toEqual(['0', '0', '0']);
    // From the record that now names them.
    expect(shown()).toEqual(['0', '0', '0']);
  });
});
