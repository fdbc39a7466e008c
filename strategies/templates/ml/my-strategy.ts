// Asks a model whether the next minute goes up, and holds a position while it says so.
//
//   npm install onnxruntime-node
//   npx tidewire backtest strategies/my-strategy.ts --data PATH --param enter=0.6
//   npx tidewire sweep strategies/my-strategy.ts --space strategies/my-strategy.space.yaml --data PATH
//
// my-strategy.onnx stands in for yours: a logistic regression of the last three returns that expects a move to be taken back.
// It was not fitted to anything. Put a model in its place that takes `features` (three numbers, the oldest first) and answers
// `probability` (one number). Its content is part of the run hash.
import { defineCandleStrategy, model, target, z } from 'tidewire';

const classifier = model('my-strategy.onnx');
const FEATURES = 3;

export default defineCandleStrategy({
  name: 'my-strategy',

  // Each parameter can be set with --param key=value or in the configuration.
  params: z.object({
    symbol: z.string().default('BTCUSDT'),
    enter: z.number().min(0).max(1).default(0.6).describe('buy at this probability or above'),
    leave: z.number().min(0).max(1).default(0.5).describe('sell below this one'),
    quantity: z.string().default('0.01').describe('base units that are held'),
  }),
  interval: '1m',

  // Candles to see before the first decision, the same in every mode.
  warmup: FEATURES + 1,

  // Made once for each symbol, handed to onCandle as vars.
  setup: () => ({ closes: new Array<number>() }),

  // Called with each closed candle. Answer an action, several, or nothing.
  onCandle({ close }, { params, vars, account, chart }) {
    const { closes } = vars;
    closes.push(close);
    if (closes.length <= FEATURES) return;
    if (closes.length > FEATURES + 1) closes.shift();

    const features = closes.slice(1).map((next, index) => next / (closes[index] ?? next) - 1);
    const [probability = 0.5] = classifier.run({ features })['probability']?.data ?? [];
    chart.plot('probability', probability, { pane: 'probability' });

    const least = account.position(params.symbol).isFlat ? params.enter : params.leave;
    return target(params.symbol, { quantity: probability >= least ? params.quantity : '0' });
  },
});
