/**
 * Finds the strategy that calls `file()` and reads through its input log. Called while the file is loaded or within
 * `setup`; later only what was read then is answered.
 */
import { captureStack } from '../location.ts';
import { moduleCache } from '../native-import.ts';
import { anyScope, currentScope, outside, ownerOf, type StrategyScope } from '../scope.ts';
import type { InputFile } from './input-file.ts';
import { InputLog } from './input-log.ts';

function read(scope: StrategyScope | undefined, log: InputLog, name: string): InputFile {
  return log.read(name, scope === undefined || scope.isStarting === true);
}

export function openInput(name: string, folder: () => string): InputFile {
  const running = currentScope();
  return outside(() => {
    if (running?.inputs !== undefined) return read(running, running.inputs, name);
    const owner = running ?? (anyScope() ? ownerOf(captureStack()) : undefined);
    return read(owner, owner?.inputs ?? moduleCache.asker()?.inputs ?? new InputLog(folder()), name);
  });
}
