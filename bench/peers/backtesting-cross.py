"""Two moving averages on minutes through backtesting.py, for peers.ts.

stdin: {"candles": path of CSV lines `ms,open,high,low,close,volume`, "repeat", "fast", "slow", "runs"}
stdout: {"version", "rows", "orders", "seconds": [each run]}. Only `run` is measured, not loading.
"""
import contextlib
import json
import sys
import time

try:
    import backtesting
    import pandas as pd
    from backtesting import Backtest, Strategy
except ImportError as absent:
    print(f'absent: {absent}', file=sys.stderr)
    sys.exit(3)

backtesting.backtesting._tqdm = lambda sequence, **_: sequence


def average(values, span):
    return pd.Series(values).ewm(span=span, adjust=False).mean()


def main():
    told = json.load(sys.stdin)

    class Cross(Strategy):
        def init(self):
            self.fast = self.I(average, self.data.Close, told['fast'])
            self.slow = self.I(average, self.data.Close, told['slow'])

        def next(self):
            if self.fast[-1] > self.slow[-1]:
                if not self.position:
                    self.buy(size=1)
            elif self.position:
                self.position.close()

    with contextlib.redirect_stdout(sys.stderr):
        names = ['ms', 'Open', 'High', 'Low', 'Close', 'Volume']
        frame = pd.read_csv(told['candles'], names=names)
        frame = pd.concat([frame] * told['repeat'], ignore_index=True)
        frame.index = pd.to_datetime(frame['ms'].iloc[0] + 60_000 * pd.RangeIndex(len(frame)), unit='ms')
        test = Backtest(frame[names[1:]], Cross, cash=1_000_000_000, commission=0.0005, trade_on_close=False)
        test.run()
        seconds = []
        for _ in range(told['runs']):
            before = time.perf_counter()
            stats = test.run()
            seconds.append(time.perf_counter() - before)
    trades = int(stats['# Trades'])
    print(json.dumps({'version': f'backtesting.py {backtesting.__version__}', 'rows': len(frame), 'orders': 2 * trades, 'seconds': seconds}))


main()
