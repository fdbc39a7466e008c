/** A search as text. */
import type { SweepResult } from '../../research/sweep/result.ts';
import type { CliIo } from '../command.ts';
import { colouring, table } from '../terminal/table.ts';

function number(value: number | null | undefined, digits = 4): string {
  return value === null || value === undefined ? '-' : Number(value.toPrecision(digits)).toString();
}

function lockboxText({ lockbox }: SweepResult): string {
  return lockbox === undefined || lockbox === null
    ? 'none: the trials saw all of the data'
    : `the data from ${new Date(lockbox.from).toISOString()} on were left out for validate; --with-lockbox includes them`;
}

export function sweepText(io: CliIo, result: SweepResult): string {
  const paint = colouring(io.isTty, io.env);
  const { counts, best, space, luck, landscape, warnings, files } = result;
  const rows = [
    [
      'trials',
      `${counts.done} done, ${counts.pruned} pruned, ${counts.failed} failed, ${counts.infeasible} infeasible` +
        (counts.resumed > 0 ? `, ${counts.resumed} taken from before` : ''),
    ],
    [
      'time',
      `${(result.wallMs / 1000).toFixed(1)} s with ${result.workers} workers, ${result.trialsPerMinute} a minute`,
    ],
  ];
  if (best === null) rows.push(['best', 'none: no trial traded and fulfilled the constraints']);
  else {
    const params = Object.entries(best.params).map(([name, value]) => `${name}=${String(value)}`);
    rows.push(['best', paint('bold', params.join(' '))]);
    for (const { metric } of space.objectives) rows.push([metric, number(best.metrics[metric])]);
    rows.push(['run', best.runHash?.slice(0, 16) ?? '-']);
  }
  rows.push(
    [
      'luck',
      `DSR ${number(luck.dsr, 3)} after ${luck.trialsOnData} trials on these data (${number(luck.effectiveTrials, 3)} independent), ` +
        `PBO ${number(luck.pbo, 3)}`,
    ],
    ['plateau', `${number(landscape.plateauScore, 3)} (1: everything near the best is good too, 0.5: a lone peak)`],
  );
  rows.push(['lockbox', lockboxText(result)]);
  if (result.ledger !== undefined) rows.push(['counted in', result.ledger.file]);
  if (files.report !== null) rows.push(['report', files.report]);
  if (files.result !== null) rows.push(['result', files.result]);
  const notes = warnings.map((warning) => paint('yellow', `warning: ${warning}`));
  if (result.interrupted) notes.push(paint('yellow', 'interrupted: the same command continues from here'));
  return [paint('bold', `sweep ${result.strategy} (${result.method})`), table(rows), ...notes].join('\n');
}
