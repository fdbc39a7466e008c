/**
 * The connection between a process and the exchange. The exchange outlives it; an outage cuts it. While it is cut, a command
 * does not arrive and its outcome is unknown; events of the exchange are lost.
 */
import type { OnDispatch, Venue, VenueCommand, VenueEvent, VenueListener, VenueQueries } from '../model/venue.ts';
import { verdictOf } from '../model/venue.ts';

const NOBODY: VenueListener = () => {};

export class VenueLine {
  readonly #venue: Venue;
  readonly #now: () => number;
  #listener: VenueListener = NOBODY;
  #generation = 0;
  #isCut = false;

  constructor(venue: Venue, now: () => number) {
    this.#venue = venue;
    this.#now = now;
    venue.listen((events) => {
      if (!this.#isCut) this.#listener(events);
    });
  }

  get isCut(): boolean {
    return this.#isCut;
  }

  /** The end of one process, for a new one. */
  connected(): Venue {
    let isMine = true;
    const listen = (listener: VenueListener): void => {
      this.#listener = listener;
    };
    const send = (command: VenueCommand, onDispatch: OnDispatch): void => {
      if (isMine) this.#send(command, onDispatch);
    };
    return {
      clientOrderIds: true,
      printsOwn: false,
      listen,
      start: () => this.#start(),
      stop: async () => {
        isMine = false;
        this.#listener = NOBODY;
      },
      send,
      together: (run) => run(),
      query: this.#queries(),
    };
  }

  cut(): void {
    if (this.#isCut) return;
    this.#listener([{ kind: 'stream', state: 'lost', generation: this.#generation, reason: 'outage of the scenario' }]);
    this.#isCut = true;
  }

  mend(): void {
    if (!this.#isCut) return;
    this.#isCut = false;
    this.#ready();
  }

  #start(): void {
    this.#generation += 1;
    if (this.#generation === 1) this.#venue.start();
    else if (!this.#isCut) this.#listener([this.#stream()]);
  }

  #ready(): void {
    this.#generation += 1;
    this.#listener([this.#stream()]);
  }

  #stream(): VenueEvent {
    return { kind: 'stream', state: 'ready', generation: this.#generation, reason: 'scenario' };
  }

  #send(command: VenueCommand, onDispatch: OnDispatch): void {
    if (!this.#isCut) {
      this.#venue.send(command, onDispatch);
      return;
    }
    const { intentId } = command;
    const kind = command.kind === 'money' ? 'money-outcome' : 'outcome';
    const verdict = verdictOf(onDispatch);
    const outcome =
      verdict === 'go'
        ? ({ kind: 'unknown', reason: 'outage of the scenario' } as const)
        : ({ kind: 'denied', denied: verdict } as const);
    this.#listener([{ kind, intentId, outcome }]);
  }

  /** Those that the exchange has, which fail during an outage. */
  #queries(): VenueQueries {
    const answers = Object.entries(this.#venue.query).map(([name, ask]) => {
      const asked = (...args: unknown[]): Promise<unknown> =>
        this.#isCut
          ? Promise.resolve({ kind: 'failed', asOf: this.#now(), reason: 'outage of the scenario' })
          : (ask as (...args: unknown[]) => Promise<unknown>)(...args);
      return [name, asked];
    });
    return Object.fromEntries(answers) as VenueQueries;
  }
}
