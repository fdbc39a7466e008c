/**
 * Finds the strategy that calls `file()` or `model()` and reads through its input log. Called while the file is loaded or within
 * `setup`; later only what was read then is answered.
 */
import { captureStack } from '../loading/location.ts';
import { moduleCache } from '../loading/native-import.ts';
import { anyScope, currentScope, outside, ownerOf, type StrategyScope } from '../running/scope.ts';
import { openModel } from '../models/open-model.ts';
import type { InputReader } from './file.ts';
import { InputLog } from './input-log.ts';

/** Undefined outside of a strategy: while it is loaded, or in a test. */
interface Asker {
  readonly scope: StrategyScope | undefined;
  readonly log: InputLog;
}

function askerOf(running: StrategyScope | undefined, folder: () => string): Asker {
  if (running?.inputs !== undefined) return { scope: running, log: running.inputs };
  const scope = running ?? (anyScope() ? ownerOf(captureStack()) : undefined);
  return { scope, log: scope?.inputs ?? moduleCache.asker()?.inputs ?? new InputLog(folder()) };
}

function mayRead({ scope }: Asker): boolean {
  return scope === undefined || scope.isStarting === true;
}

export const inputReader: InputReader = {
  file: (name, folder) => {
    const running = currentScope();
    return outside(() => {
      const asker = askerOf(running, folder);
      return asker.log.read(name, mayRead(asker));
    });
  },
  model: (name, folder) => {
    const running = currentScope();
    return outside(() => {
      const asker = askerOf(running, folder);
      const content = asker.log.content(name, mayRead(asker));
      moduleCache.asker()?.asset(content.path, content.hash);
      return asker.log.model(content.path, () => openModel(name, content, asker.log.root));
    });
  },
};
