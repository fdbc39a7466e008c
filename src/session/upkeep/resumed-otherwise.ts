/** What a resumed session runs with and did not run with before: parameters and code of its strategies. */
import { replayedProgram } from '../../execution/programs/replayed-programs.ts';
import { canonicalJson } from '../../model/text/canonical.ts';
import type { Replay } from '../../spine/replay.ts';
import type { SessionRecord } from '../store/store.ts';
import type { PreparedStrategy } from '../strategies.ts';

type Params = Readonly<Record<string, unknown>>;

/** A sentence for each strategy that is not as it was. `begun`: the journal, before the start. */
export function resumedOtherwise(
  before: SessionRecord['strategies'],
  now: readonly Pick<PreparedStrategy, 'tag' | 'params' | 'loaded'>[],
  begun: Replay,
): readonly string[] {
  return now.flatMap(({ tag, params, loaded }) => {
    const was = before.find((one) => one.tag === tag);
    if (was === undefined) return [];
    const changed = changedParams(was.params, params);
    const other = [
      ...(changed.length === 0 ? [] : [`other parameters than before: ${changed.join(', ')}`]),
      ...(was.code === undefined || was.code === loaded.hash ? [] : ['other code than before']),
    ];
    if (other.length === 0) return [];
    const programs = programsOf(begun, tag);
    const keep =
      programs.length === 0 ? '' : `; programs at work keep the terms they began with: ${programs.join(', ')}`;
    return [`${tag} is resumed with ${other.join(', and ')}${keep}`];
  });
}

function changedParams(before: Params, now: Params): readonly string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(now)])].flatMap((name) => {
    const [old, value] = [textOf(before[name]), textOf(now[name])];
    return old === value ? [] : [`${name} ${old} → ${value}`];
  });
}

const TEXT_MAX = 80;

function textOf(value: unknown): string {
  if (value === undefined) return 'none';
  const text = canonicalJson(value);
  return text.length <= TEXT_MAX ? text : `${text.slice(0, TEXT_MAX)}…`;
}

function programsOf(begun: Replay, tag: string): readonly string[] {
  return [...begun.state.programs.working]
    .filter(({ strategy }) => strategy === tag)
    .map((program) => {
      const { ref, kind, symbol, filled, quantity } = replayedProgram(begun, program);
      return `${ref} (${kind} ${symbol}, ${quantity === null ? filled : `${filled} of ${quantity}`} filled)`;
    });
}
