/** Marks funding and liquidations that happen while no private stream tells of them; changes nothing. */
import type { Machine } from '../machine.ts';
import type { RareStates } from '../rare-states.ts';
import type { VenueSide } from '../venue-side.ts';

export class WhileDisconnected {
  readonly #venue: VenueSide;
  readonly #machine: Machine;
  readonly #rare: RareStates;
  #payments = 0;
  #forced = 0;

  constructor(venue: VenueSide, machine: Machine, rare: RareStates) {
    this.#venue = venue;
    this.#machine = machine;
    this.#rare = rare;
  }

  everySecond(): void {
    const { futures, forced } = this.#venue;
    if (futures === null) return;
    const payments = futures.payments.size;
    if (payments === this.#payments && forced.size === this.#forced) return;
    if (this.#machine.process?.streamDown === true) {
      if (payments > this.#payments) this.#rare.mark('funding while disconnected');
      if (forced.size > this.#forced) this.#rare.mark('liquidation while disconnected');
    }
    this.#payments = payments;
    this.#forced = forced.size;
  }
}
