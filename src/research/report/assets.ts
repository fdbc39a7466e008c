/** Files inlined into a report, read once per process. */
import { readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { dirname, join } from 'node:path';
import { messageOf } from '../../model/errors.ts';
import { researchErrors } from '../errors.ts';

export interface ReportAssets {
  readonly styles: string;
  /** In order of execution. */
  readonly scripts: readonly string[];
}

/** Of `web/report/`, in order of execution. */
const SCRIPTS = ['frame.js', 'curves.js', 'fills-layer.js', 'price.js', 'main.js', 'sort.js'] as const;

let cached: ReportAssets | undefined;

/** @throws `report_asset` when one is missing. */
export function reportAssets(): ReportAssets {
  cached ??= {
    styles: [ofPackage('uplot', 'dist/uPlot.min.css'), reportStyles()].join('\n'),
    scripts: [
      ofPackage('uplot', 'dist/uPlot.iife.min.js'),
      ofPackage('lightweight-charts', 'dist/lightweight-charts.standalone.production.js'),
      ...SCRIPTS.map(ofWeb),
    ].map(inlineScript),
  };
  return cached;
}

/** @throws `report_asset` when it is missing. */
export function reportStyles(): string {
  return [ofWeb('../shared/tokens.css'), ofWeb('report.css')].join('\n');
}

/** Escapes the script end tag and drops source maps. */
function inlineScript(text: string): string {
  return text.replace(/<\/script/gi, '<\\/script').replace(/\/\/# sourceMappingURL=\S*/g, '');
}

function ofPackage(name: string, path: string): string {
  // Neither package exports its browser build for `require.resolve`.
  return read(() => join(dirname(findPackageJSON(name, import.meta.url) ?? name), path), `${name}/${path}`);
}

function ofWeb(name: string): string {
  return read(() => join(import.meta.dirname, '../../../web/report', name), `web/report/${name}`);
}

function read(locate: () => string, name: string): string {
  try {
    return readFileSync(locate(), 'utf8');
  } catch (thrown) {
    throw researchErrors.make('report_asset', `${name} cannot be read: ${messageOf(thrown)}`, { name }, thrown);
  }
}
