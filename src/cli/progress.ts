/**
 * A progress bar for long work: only on a terminal, never with `--json`, and never for what is over at once.
 */
import { Presets, SingleBar } from 'cli-progress';
import type { CliIo } from './command.ts';

export interface Progress {
  /** 0 to 1. */
  readonly update: (fraction: number) => void;
  readonly stop: () => void;
}

export function progressBar(io: CliIo, json: boolean, label: string): Progress {
  if (!io.isTty || json) return { update: () => {}, stop: () => {} };
  const bar = new SingleBar(
    {
      format: `${label} {bar} {percentage}%  {eta_formatted} left`,
      stream: process.stderr,
      clearOnComplete: true,
      hideCursor: true,
    },
    Presets.shades_classic,
  );
  let shown = false;
  return {
    update: (fraction) => {
      if (!shown && fraction < 1) {
        bar.start(100, 0);
        shown = true;
      }
      if (shown) bar.update(Math.floor(fraction * 100));
    },
    stop: () => {
      if (shown) bar.stop();
    },
  };
}
