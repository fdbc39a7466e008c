/** The strategies that can run here: one that asks a model needs `onnxruntime-node`, which is optional. */
import { createRequire } from 'node:module';

export const hasModels = ((): boolean => {
  try {
    createRequire(import.meta.url).resolve('onnxruntime-node');
    return true;
  } catch {
    return false;
  }
})();

export function isRunnable(name: string): boolean {
  return hasModels || name !== 'onnx-classifier';
}
