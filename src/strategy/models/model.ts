/** `model(name)` of the public API. */
import { callerFolder, publishedReader } from '../inputs/file.ts';
import { InputLog } from '../inputs/input-log.ts';
import type { Model } from './model-handle.ts';
import { openModel } from './open-model.ts';

/**
 * An ONNX model that the strategy asks: loaded before the start, its content in code hash and run hash. Needs the package
 * `onnxruntime-node`. Call it at the head of the file or in `setup`; docs/strategy.md, "Models".
 *
 * @param name a path from the folder of the strategy's file
 * @throws strategy_file_unreadable, strategy_file_late, strategy_model_runtime, strategy_model_invalid
 */
export function model(name: string): Model {
  const reader = publishedReader();
  if (reader !== undefined) return reader.model(name, callerFolder);
  const folder = callerFolder();
  return openModel(name, new InputLog(folder).content(name, true), folder);
}
