/** The answer of `why-not` as lines. */
import { riskLines } from './risk-text.ts';
import { marketText, timeText } from './order-text.ts';
import type { DeniedThen, Happened } from './moment.ts';
import type { WhyNot } from './why-not.ts';

const ROWS_SHOWN = 12;

export function whyNotText({ session, moment, asked, recorded, because }: WhyNot): string {
  const { symbol, atMs, standing, sent, denials, decisions } = moment;
  const orders = standing.map(
    ({ side, quantity, filledQuantity, price, state, ref }) =>
      `  ${side} ${filledQuantity}/${quantity} at ${price ?? 'market'}, ${state} (${ref})`,
  );
  const rows: readonly (Happened & Partial<DeniedThen>)[] = [...decisions, ...denials, ...sent];
  const nearest = rows.toSorted((left, right) => Math.abs(left.ts - atMs) - Math.abs(right.ts - atMs));
  const bySeq = nearest.slice(0, ROWS_SHOWN).toSorted((left, right) => left.seq - right.seq);
  const shown = bySeq.flatMap((row) => [
    `  ${timeText(row.ts)}  row ${row.seq}  ${row.text}`,
    ...riskLines(row.risk, row.reason ?? null),
  ]);
  const more = rows.length > ROWS_SHOWN ? [`  and ${rows.length - ROWS_SHOWN} more rows; --json has them all`] : [];
  return [
    `${symbol} at ${timeText(atMs)} in ${session}`,
    '',
    ...because.map((reason) => `- ${reason}`),
    '',
    'The market then',
    ...(recorded.market === null ? recorded.problems.map((problem) => `  ${problem}`) : marketText(recorded.market)),
    '',
    `Own orders that stood: ${orders.length === 0 ? 'none' : ''}`.trimEnd(),
    ...orders,
    '',
    `Within ${moment.windowMs / 1000} s: ${asked.length} actions, ${denials.length} denials, ${sent.length} rows of sends`,
    ...shown,
    ...more,
  ].join('\n');
}
