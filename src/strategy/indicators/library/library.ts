/** Every indicator of trading-signals that has no form of our own beside it, by its class's name in lower camel case. */
import { momentum } from './momentum.ts';
import { patterns } from './patterns.ts';
import { trend } from './trend.ts';
import { volatility } from './volatility.ts';
import { volume } from './volume.ts';

export const library = { ...momentum, ...trend, ...patterns, ...volatility, ...volume };
export type Library = typeof library;
