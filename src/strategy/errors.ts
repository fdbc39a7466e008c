/** Errors of the strategy room. Those from inside a strategy carry `details.file`, `.line` and `.event`. */
import { defineErrors } from '../model/errors.ts';

export const strategyErrors = defineErrors({
  strategy_not_found: {
    exit: 2,
    meaning: 'The strategy file does not exist.',
    remedy: 'Check the path; `tidewire new NAME` writes a strategy to start from.',
  },
  strategy_not_code: {
    exit: 2,
    meaning: 'The file that is named as a strategy is neither TypeScript nor JavaScript.',
    remedy: 'Name a file that ends with .ts, .mts, .js or .mjs; `tidewire new NAME` writes one to start from.',
  },
  strategy_unreadable: {
    exit: 2,
    meaning:
      'The strategy file is not valid TypeScript, or uses syntax that cannot be stripped (enum, namespace, parameter properties).',
    remedy:
      'Correct the line that is named; use plain unions, modules and fields in place of enums, namespaces and parameter properties.',
  },
  strategy_import_failed: {
    exit: 2,
    meaning: 'Something that the strategy file imports could not be found or does not have that export.',
    remedy:
      'Check the import: a strategy imports from `tidewire`, `rxjs` and files of its own, these with the extension `.ts`.',
  },
  strategy_no_default_export: {
    exit: 2,
    meaning: 'The strategy file has no default export.',
    remedy: 'Write `export default defineStrategy({ … })` or `export default defineCandleStrategy({ … })`.',
  },
  strategy_wrong_export: {
    exit: 2,
    meaning: 'The default export of the strategy file is not a strategy.',
    remedy: 'Export what `defineStrategy` or `defineCandleStrategy` answers.',
  },
  strategy_name_invalid: {
    exit: 2,
    meaning: 'The name of a new strategy is not usable as a file name and in order refs.',
    remedy: 'Use letters, digits, - and _, beginning with a letter or digit, at most 60.',
  },
  strategy_exists: {
    exit: 2,
    meaning: 'A file that `new` would write exists already; none was written.',
    remedy: 'Choose another name, or remove the file that is named first.',
  },
  strategy_template_unknown: {
    exit: 2,
    meaning: '`new --template` names a template that there is not.',
    remedy: 'Give one that the message or `tidewire new --help` lists, or none.',
  },
  strategy_template_unreadable: {
    exit: 1,
    meaning: 'The files of a template, which are part of tidewire, cannot be read.',
    remedy: 'Install tidewire again: its folder `strategies/templates` is missing or not readable.',
  },
  strategy_unwritable: {
    exit: 1,
    meaning: 'The strategy file cannot be written.',
    remedy: 'Check the permissions and the free space of the folder that is named.',
  },
  strategy_plot_invalid: {
    exit: 1,
    meaning: 'A strategy called `chart.plot` with a name, a pane or a value that cannot be drawn.',
    remedy: 'Give a name and a pane of 1 to 60 characters, and a number.',
  },
  strategy_definition: {
    exit: 2,
    meaning: 'A strategy definition is incomplete or contradictory.',
    remedy: 'See docs/strategy.md for what defineStrategy and defineCandleStrategy take.',
  },
  strategy_size_invalid: {
    exit: 1,
    meaning: 'A sizing helper (`size.*`) was given a number that is missing, negative or out of its range.',
    remedy: 'Give finite numbers; entry and stop must differ, price and volatility must be above 0.',
  },
  strategy_file_unreadable: {
    exit: 2,
    meaning: 'An input file that a strategy names with `file()` is missing, no regular file, or too large to be held.',
    remedy: 'Check the name: it is a path from the folder of the strategy file.',
  },
  strategy_file_invalid: {
    exit: 2,
    meaning:
      'An input file of a strategy is not valid JSON or CSV, or does not fit the schema that the strategy gives.',
    remedy: 'Correct the place that is named, or the schema.',
  },
  strategy_file_late: {
    exit: 1,
    meaning: 'A strategy called `file()` for the first time after `setup`: what it read then could be in no hash.',
    remedy: 'Call `file()` at the head of the strategy file or in `setup`, and keep what it answers.',
  },
  strategy_model_runtime: {
    exit: 2,
    meaning: 'A strategy uses `model()`, and ONNX Runtime cannot be loaded.',
    remedy: 'Install it beside tidewire: `npm install onnxruntime-node`; it has binaries for Linux, macOS and Windows.',
  },
  strategy_model_invalid: {
    exit: 2,
    meaning: 'A file that a strategy names with `model()` is no ONNX model, or one with inputs that are not supported.',
    remedy: 'Export the model again; inputs may be of float32, float64, int32, int64 and bool.',
  },
  strategy_model_input: {
    exit: 1,
    meaning:
      'A strategy asked its model with inputs that are missing, not finite, or of another shape. Nothing was sent.',
    remedy: 'Give each input that the message names with as many finite numbers as its shape has.',
  },
  strategy_model_output: {
    exit: 1,
    meaning: 'A model answered a number that is not finite. The strategy is stopped before anything is sent.',
    remedy: 'Check the inputs of that moment; scale or bound them as in training.',
  },
  strategy_model_failed: {
    exit: 1,
    meaning: 'A model could not answer, or not within ten seconds. The strategy is stopped before anything is sent.',
    remedy: 'The message is that of ONNX Runtime; try the model with the same inputs outside of the strategy.',
  },
  strategy_argument_invalid: {
    exit: 1,
    meaning: 'A strategy called a function of its context with a word or an option that it does not take.',
    remedy: 'Give one of those that the message names.',
  },
  strategy_history_undeclared: {
    exit: 1,
    meaning:
      'A strategy asked `market.history` for candles that its definition does not declare, so they were not fetched before the start.',
    remedy:
      "Add `warmup: () => [{ symbol, interval: '1m', candles: 200 }]` to `defineStrategy`, with the greatest number.",
  },
  strategy_threw: {
    exit: 1,
    meaning:
      'The code of a strategy threw an error. That strategy is stopped with its stop policy; the others continue.',
    remedy: 'Correct the line that is named and start again.',
  },
  strategy_ends_process: {
    exit: 1,
    meaning:
      'A strategy, or a package that it imports, called `process.exit`, `abort` or `kill`. That strategy is stopped with its stop policy; the others continue.',
    remedy: 'Take the call away: throw an error to stop the strategy, or complete the stream of its actions.',
  },
  strategy_action_invalid: {
    exit: 1,
    meaning: 'A strategy emitted something that is not an action, or an action of the wrong shape.',
    remedy: 'Make actions with the builders of `tidewire`: place, cancel, cancelAll, quote, target, flatten, note.',
  },
  strategy_livelock: {
    exit: 1,
    meaning:
      'A strategy answered its own updates, or set timers without a delay, within one instant and without end. It is stopped with its stop policy.',
    remedy: 'Do not answer a denied or rejected order with another one at once: wait for the market, or for a timer.',
  },
  strategy_act_failed: {
    exit: 1,
    meaning: 'The engine failed while it applied the actions of a strategy.',
    remedy: 'This is a bug in tidewire, not in the strategy. Please report it with the message.',
  },
  strategy_param_unknown: {
    exit: 2,
    meaning: 'A parameter was given that the strategy does not have.',
    remedy: 'Use one of the parameters that the strategy lists in `params`.',
  },
  strategy_param_invalid: {
    exit: 2,
    meaning: "A parameter's value does not fit its schema.",
    remedy: 'Give a value as the message describes it.',
  },
  strategy_state_unreadable: {
    exit: 5,
    meaning: 'A persisted value of the strategy does not fit the schema that the strategy gives now.',
    remedy: 'Change the schema so that it accepts the stored value, give the state another name, or start with --new.',
  },
  strategy_state_invalid: {
    exit: 1,
    meaning:
      'A strategy set a persisted value that does not fit its schema, that JSON cannot hold, or that is too long.',
    remedy: 'Set a value that the schema accepts, of at most 1,000,000 characters as JSON; store decimals as text.',
  },
  strategy_nondeterministic: {
    exit: 1,
    meaning:
      "In a backtest a strategy, or a package that it imports, used something that makes its result differ from run to run, or that no hash covers: real time, randomness without seed, network, files while it runs, threads, native code, or a promise that nobody awaits or that resolves outside the session's clock.",
    remedy:
      'Use what the context gives: clock, random(), state, params and market; give promises to RxJS (from, concatMap), or let the definition say `allowAsync: true`, with which they are waited for.',
  },
  strategy_shared_state: {
    exit: 1,
    meaning:
      'In a backtest a strategy, or a package that it imports, changed something that all code of the process shares: a name of globalThis, a built-in prototype or function, the process, a module of Node, rxjs, zod, tidewire. The run after it would see that.',
    remedy:
      'Keep what the strategy remembers in `setup`, in its own modules or in `state`; write helpers as functions that take the object.',
  },
  rxjs_foreign_copy: {
    exit: 2,
    meaning:
      "The strategy's rxjs is another copy than tidewire's, so that its time operators would escape the session's clock.",
    remedy: 'Remove the other copy of rxjs, so that both use the same one.',
  },
  clock_already_installed: {
    exit: 1,
    meaning: 'RxJS already runs on the clock of another session in this thread.',
    remedy: 'Run one session at a time per thread; use workers for more.',
  },
});
