// Runs dependency-cruiser over src/ and fails when a room imports from a floor above it, or when the tool saw no
// modules at all (it reports success with 0 modules when it cannot read TypeScript).
import { cruise } from 'dependency-cruiser';
import extractDepcruiseOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import extractTSConfig from 'dependency-cruiser/config-utl/extract-ts-config';

const options = await extractDepcruiseOptions('./.dependency-cruiser.cjs');
const { output } = await cruise(['src'], { ...options, validate: true }, undefined, {
  tsConfig: extractTSConfig('./tsconfig.json'),
});
const { summary } = output;
for (const { rule, from, to } of summary.violations) console.error(`${rule.severity} ${rule.name}: ${from} -> ${to}`);
if (summary.totalCruised < 50) {
  console.error(`only ${summary.totalCruised} modules were seen: the check itself is broken`);
  process.exit(1);
}
console.log(
  `${summary.totalCruised} modules, ${summary.totalDependenciesCruised} imports, ${summary.violations.length} violations`,
);
process.exit(summary.error > 0 ? 1 : 0);
