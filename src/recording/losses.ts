/** Gaps and damage of a recording, as `data info` and `data verify` count them, from its frames alone: no tape is written. */
import { Instruments } from '../model/market/instrument.ts';
import { Census } from './census.ts';
import { NOT_CLOSED } from './frames/frame-reader.ts';
import { readManifest } from './frames/manifest.ts';
import { listSegments } from './frames/segments.ts';
import { gapLines } from './info.ts';
import { verifyFrames } from './verify.ts';

/** In sentences. `isGrowing`: the end of its last segment is still being written. @throws recording_manifest_invalid */
export async function lossesOf(dir: string, isGrowing: boolean): Promise<readonly string[]> {
  const first = await read(dir, new Set());
  // A symbol without any snapshot is checked from its first update on.
  const bare = [...first.census].filter(([, { snapshots, depthMessages }]) => snapshots === 0 && depthMessages > 0);
  const { census, problems } = bare.length === 0 ? first : await read(dir, new Set(bare.map(([symbol]) => symbol)));
  const last = listSegments(dir).at(-1);
  const isAtEnd = (problem: string): boolean =>
    isGrowing && problem.startsWith(`${last}: `) && (problem.endsWith(NOT_CLOSED) || problem.includes(' is cut short'));
  return [...problems.filter((problem) => !isAtEnd(problem)), ...gapLines([...census])];
}

async function read(dir: string, withoutSnapshot: ReadonlySet<string>) {
  const { instruments, symbols, rules } = readManifest(dir);
  const census = new Census(
    new Instruments(instruments.filter(({ symbol }) => symbols.includes(symbol))).all(),
    (symbol) => rules[symbol] ?? 'none',
    (symbol) => (withoutSnapshot.has(symbol) ? 'updates' : 'snapshot'),
  );
  const { problems } = await verifyFrames(dir, undefined, (event) => census.add(event));
  return { problems, census: census.taken() };
}
