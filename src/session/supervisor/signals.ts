/** Signals on a worker thread, by a Node internal. Without it the main thread receives them. */
import { createRequire } from 'node:module';
import { constants } from 'node:os';

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

/** Referenced, or they would be collected. */
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
