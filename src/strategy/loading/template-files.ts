/**
 * The templates of `new --template`: folders of strategies/templates. Each holds a strategy, its scenario test and its
 * parameter space under one name, which becomes the new one.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { nearest } from '../../model/text/nearest.ts';
import { strategyErrors } from '../errors.ts';
import { packageRoot } from './native-import.ts';

/** Of the files of a template, and inside of them. */
const PLACEHOLDER = 'my-strategy';
const FOLDER = join(packageRoot, 'strategies', 'templates');

interface TemplateRow {
  readonly about: string;
  /** Recording of `data/` that shows it. */
  readonly sample: 'sample' | 'sample-bars';
  /** False where every run over a recording has the same result. */
  readonly isSearched: boolean;
  /** Of a paper session in which it can trade: a bar of a minute closes, what it looks back on has passed. */
  readonly paperFor: '30s' | '2m';
}

export const templates = {
  maker: { about: 'quotes both sides of the book', sample: 'sample', isSearched: true, paperFor: '30s' },
  candles: { about: 'two averages on candles, without RxJS', sample: 'sample-bars', isSearched: true, paperFor: '2m' },
  bracket: {
    about: 'an entry with stop, take-profit and time limit',
    sample: 'sample-bars',
    isSearched: true,
    paperFor: '2m',
  },
  grid: { about: 'buys at each level and sells one higher', sample: 'sample', isSearched: true, paperFor: '30s' },
  pairs: { about: 'two symbols that move together', sample: 'sample', isSearched: true, paperFor: '2m' },
  ml: { about: 'asks a model in ONNX format', sample: 'sample-bars', isSearched: true, paperFor: '2m' },
  p2p: { about: 'one P2P advertisement', sample: 'sample', isSearched: false, paperFor: '30s' },
} as const satisfies Readonly<Record<string, TemplateRow>>;

export type TemplateName = keyof typeof templates;

export interface NewFile {
  /** File name, without a folder. */
  readonly name: string;
  readonly content: string | Uint8Array;
}

/** Throws `strategy_template_unknown`. */
export function templateNamed(text: string): TemplateName {
  if (Object.hasOwn(templates, text)) return text as TemplateName;
  const names = Object.keys(templates);
  const [near] = nearest(text, names, 1);
  const hint = near === undefined ? `there are ${names.join(', ')}` : `did you mean ${near}?`;
  throw strategyErrors.make('strategy_template_unknown', `there is no template '${text}'; ${hint}`, {
    template: text,
    templates: names,
  });
}

/** The strategy first. Throws `strategy_template_unreadable`. */
export function templateFiles(template: TemplateName, name: string): readonly NewFile[] {
  const folder = join(FOLDER, template);
  const named = (text: string): string => text.replaceAll(PLACEHOLDER, name);
  const content = (file: string): string | Uint8Array => {
    const bytes = readFileSync(join(folder, file));
    return file.endsWith('.onnx') ? bytes : named(bytes.toString('utf8'));
  };
  try {
    return readdirSync(folder)
      .map((file): NewFile => ({ name: named(file), content: content(file) }))
      .toSorted((one, other) => Number(other.name === `${name}.ts`) - Number(one.name === `${name}.ts`));
  } catch (thrown) {
    throw strategyErrors.make('strategy_template_unreadable', `${folder} cannot be read`, { folder }, thrown);
  }
}
