/** A loaded model, as `model()` answers it. */
import type { Tensor, TensorLike, TensorSlot } from './tensor.ts';

export interface Model {
  /** As `model()` was called. */
  readonly name: string;
  /** SHA-256 of the file, hex. */
  readonly hash: string;
  readonly inputs: readonly TensorSlot[];
  /**
   * The outputs by name. Time stands still meanwhile. On paper and live they are recorded for `replay`. Throws
   * `strategy_model_input`, `strategy_model_output` for what is not finite, `strategy_model_failed`.
   */
  run(inputs: Readonly<Record<string, TensorLike>>): Readonly<Record<string, Tensor>>;
}
