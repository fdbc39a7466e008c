/** A validation as text: verdict, reasons, figures. */
import { chosenText, isSkipped, type NamedFold, type ValidationResult } from '../../research/validate/result.ts';
import type { CliIo } from '../command.ts';
import { colouring, table } from '../terminal/table.ts';

function number(value: number | null | undefined, digits = 3): string {
  return value === null || value === undefined ? '-' : Number(value.toPrecision(digits)).toString();
}

/** A row a fold; none where nothing was searched. */
function chosenRows(folds: readonly NamedFold[]): readonly (readonly string[])[] {
  return folds.flatMap((fold, index) => {
    const text = chosenText(fold);
    return text === null ? [] : [[`fold ${index + 1} chose`, text]];
  });
}

export function validationText(io: CliIo, result: ValidationResult): string {
  const paint = colouring(io.isTty, io.env);
  const { verdict, base, overfitting, bestOfMany, permutation, walkForward, stress, lookAhead, files } = result;
  const colour = verdict.level === 'strong' ? 'green' : verdict.level === 'none' ? 'red' : 'yellow';
  const params = Object.entries(result.params).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  const rows = [
    ['parameters', params.join(' ')],
    [
      'trading made',
      `${number(base.metrics['tradingPnl'], 5)} in ${base.metrics['trades'] ?? 0} trades, ${base.periods} returns of ${base.sampleMs / 1000} s`,
    ],
    [
      'PSR, DSR',
      `${number(base.psr)}, ${number(base.dsr)} after ${base.trialsOnData} trials on these data (${number(base.effectiveTrials)} independent)`,
    ],
    [
      'PBO',
      isSkipped(overfitting)
        ? `- (${overfitting.skipped})`
        : `${number(overfitting.pbo)} of ${overfitting.trials} trials`,
    ],
    [
      'best of many',
      isSkipped(bestOfMany)
        ? `- (${bestOfMany.skipped})`
        : `t ${number(bestOfMany.t)}, p ${number(bestOfMany.pValue)}; best of all p ${number(bestOfMany.maxTPValue)}, reality check p ${number(bestOfMany.realityCheckPValue)}`,
    ],
    [
      'timing',
      isSkipped(permutation)
        ? `- (${permutation.skipped})`
        : `p ${number(permutation.pValue)}: made ${number(permutation.timing)} by timing, ${number(permutation.execution)} by execution`,
    ],
    [
      'walk forward',
      isSkipped(walkForward)
        ? `- (${walkForward.skipped})`
        : `${walkForward.folds.length} ${walkForward.mode} folds, ${(walkForward.gainedShare * 100).toFixed(0)} % gained, efficiency ${number(walkForward.efficiency)}`,
    ],
    ...(isSkipped(walkForward) ? [] : chosenRows(walkForward.folds)),
    [
      'look-ahead',
      lookAhead.ok === false
        ? paint('red', 'IT LOOKS AHEAD')
        : (lookAhead.notCovered ??
          `none: decisions before ${lookAhead.cuts.length} cuts are the same (what the code itself knows is not cut)`),
    ],
    [
      'lockbox',
      result.lockbox.metrics === null
        ? 'closed'
        : `made ${number(result.lockbox.metrics['tradingPnl'], 5)}, opening ${result.lockbox.openings}`,
    ],
    ...stress.map(({ name, metrics, reason }) => [name, reason ?? `made ${number(metrics?.['tradingPnl'], 5)}`]),
  ];
  if (result.ledger !== undefined) rows.push(['counted in', result.ledger.file]);
  if (files.report !== null) rows.push(['report', files.report]);
  if (files.result !== null) rows.push(['result', files.result]);
  return [
    paint('bold', `validate ${result.strategy}`),
    paint(colour, verdict.sentence),
    ...verdict.reasons.map((reason) => `  - ${reason}`),
    table(rows),
    ...result.warnings.slice(0, 6).map((warning) => paint('yellow', `warning: ${warning}`)),
  ].join('\n');
}
