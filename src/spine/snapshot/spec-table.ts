/** The instruments of a snapshot by number, each spec once. */
import { canonicalJson } from '../../model/text/canonical.ts';
import { Instrument, type InstrumentSpec } from '../../model/market/instrument.ts';

export class SpecTable {
  readonly #instruments: Instrument[] = [];
  readonly #numbers = new Map<Instrument, number>();
  readonly #byText = new Map<string, number>();

  static of(specs: readonly InstrumentSpec[]): SpecTable {
    const table = new SpecTable();
    for (const spec of specs) table.#instruments.push(new Instrument(spec));
    return table;
  }

  numberOf(instrument: Instrument): number {
    const known = this.#numbers.get(instrument);
    if (known !== undefined) return known;
    const text = canonicalJson(instrument.spec);
    const number = this.#byText.get(text) ?? this.#instruments.push(instrument) - 1;
    this.#byText.set(text, number);
    this.#numbers.set(instrument, number);
    return number;
  }

  /** Throws `RangeError` on an unknown number. */
  at(number: number): Instrument {
    const instrument = this.#instruments[number];
    if (instrument === undefined) throw new RangeError(`the snapshot has no instrument ${number}`);
    return instrument;
  }

  specs(): readonly InstrumentSpec[] {
    return this.#instruments.map(({ spec }) => spec);
  }
}
