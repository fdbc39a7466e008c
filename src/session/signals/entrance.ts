/** Where a running session takes signals that come over the network: while its strategies decide, and only then. */
import type { InboundSignal } from '../../model/inbound-signal.ts';
import type { TidewireError } from '../../model/errors.ts';
import type { SignalInbox } from './inbox.ts';

export type SignalTaken =
  | 'taken'
  /** Its id was seen before. */
  | 'seen'
  /** The strategies do not decide, or the journal cannot be written. */
  | 'not-now';

export interface SignalEntranceDeps {
  readonly inbox: Pick<SignalInbox, 'accept'>;
  readonly executor: { readonly journalFailure: TidewireError | undefined };
  /** Runs its argument in session time. */
  readonly deliver: (run: () => void) => void;
}

export class SignalEntrance {
  readonly #deps: SignalEntranceDeps;
  #isOpen = false;

  constructor(deps: SignalEntranceDeps) {
    this.#deps = deps;
  }

  open(): void {
    this.#isOpen = true;
  }

  close(): void {
    this.#isOpen = false;
  }

  /** When it returns `taken`, the receipt is durable and the strategies have received the signal. */
  take(signal: InboundSignal): SignalTaken {
    const { inbox, executor, deliver } = this.#deps;
    if (!this.#isOpen || executor.journalFailure !== undefined) return 'not-now';
    let isNew = false;
    deliver(() => {
      isNew = inbox.accept(signal, 'network');
    });
    if (executor.journalFailure !== undefined) return 'not-now';
    return isNew ? 'taken' : 'seen';
  }
}
