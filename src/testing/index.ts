/** `tidewire/testing`: tests of a strategy on the real executor, in virtual time (docs/testing.md). */
export { scenario } from './scenario.ts';

export type { Expected, ExpectedAction } from './expectation.ts';
export type { ScenarioBook, ScenarioCandle, ScenarioSignal, ScenarioTrade } from './market-script.ts';
export type { ScenarioOptions } from './options.ts';
export type { CandleOptions, Scenario, Scene, WhichOrder } from './scenario.ts';
export type { ScenarioDenial } from './scene.ts';
