/**
 * Signals on a thread that is not the main one. Node hands them to JavaScript of the main thread alone, which hears none
 * while a strategy holds it; below that, each thread's event loop can be told of them. Node shows this to its own tests
 * only, so a version that does not is no error: then a signal is heard when the main thread is. Beside the main thread's
 * handlers, never instead of them.
 */
import { createRequire } from 'node:module';
import { constants } from 'node:os';

/** What the thread that listens must be started with. */
export const SIGNAL_FLAGS = ['--expose-internals', '--no-warnings'] as const;

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGUSR2'] as const;

interface SignalHandle {
  onsignal: () => void;
  start(signal: number): number;
  unref(): void;
}

interface TestBinding {
  internalBinding(name: 'signal_wrap'): { readonly Signal: new () => SignalHandle };
}

/** Kept, since a handle that nobody holds is collected. */
const handles: SignalHandle[] = [];

export function hearSignals(heard: () => void): void {
  let Signal: new () => SignalHandle;
  try {
    const binding = createRequire(import.meta.url)('internal/test/binding') as TestBinding;
    ({ Signal } = binding.internalBinding('signal_wrap'));
  } catch {
    return;
  }
  for (const name of SIGNALS) {
    const handle = new Signal();
    handle.onsignal = heard;
    handle.start(constants.signals[name]);
    handle.unref();
    handles.push(handle);
  }
}
