/** A progress bar on stderr, on a terminal only; `update` takes 0 to 1. */
import { Presets, SingleBar } from 'cli-progress';
import type { CliIo } from '../command.ts';

export interface ProgressBar {
  update(fraction: number): void;
  stop(): void;
}

const SILENT: ProgressBar = Object.freeze({ update: () => {}, stop: () => {} });
const STEPS = 1000;

export function progressBar(io: CliIo, label: string): ProgressBar {
  if (!io.isTty) return SILENT;
  const format = `${label} {bar} {percentage}% | {eta_formatted} left`;
  const bar = new SingleBar({ format, clearOnComplete: true, hideCursor: true, etaBuffer: 50 }, Presets.shades_classic);
  bar.start(STEPS, 0);
  return {
    update: (fraction) => bar.update(Math.round(Math.min(1, Math.max(0, fraction)) * STEPS)),
    stop: () => bar.stop(),
  };
}
