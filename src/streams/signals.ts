/** Inbound signals of one name as a stream. */
import { Observable } from 'rxjs';
import type { InboundSignal, SignalSource } from '../model/inbound-signal.ts';

export function signalsOf(source: SignalSource, name: string): Observable<InboundSignal> {
  return new Observable((subscriber) =>
    source.listen((signal) => {
      if (signal.name === name) subscriber.next(signal);
    }),
  );
}
