"""Two moving averages on minutes through nautilus_trader, with the strategy of its own examples; for peers.ts.

task: {"candles": path of CSV lines `ms,open,high,low,close,volume`, "repeat", "fast", "slow"}. Only `engine.run` is measured, not
loading.
"""
import contextlib
import sys
import time

from turns import take_turns, task

try:
    from decimal import Decimal

    import nautilus_trader
    import pandas as pd
    from nautilus_trader.backtest.engine import BacktestEngine, BacktestEngineConfig
    from nautilus_trader.config import LoggingConfig
    from nautilus_trader.examples.strategies.ema_cross import EMACross, EMACrossConfig
    from nautilus_trader.model.currencies import USDT
    from nautilus_trader.model.data import BarType
    from nautilus_trader.model.enums import AccountType, OmsType
    from nautilus_trader.model.identifiers import Venue
    from nautilus_trader.model.objects import Money
    from nautilus_trader.persistence.wranglers import BarDataWrangler
    from nautilus_trader.test_kit.providers import TestInstrumentProvider
except ImportError as absent:
    print(f'absent: {absent}', file=sys.stderr)
    sys.exit(3)


def run(instrument, bar_type, bars, told):
    engine = BacktestEngine(BacktestEngineConfig(logging=LoggingConfig(bypass_logging=True)))
    engine.add_venue(
        venue=Venue('BINANCE'),
        oms_type=OmsType.NETTING,
        account_type=AccountType.MARGIN,
        base_currency=None,
        starting_balances=[Money(1_000_000, USDT)],
    )
    engine.add_instrument(instrument)
    engine.add_data(bars)
    engine.add_strategy(
        EMACross(
            EMACrossConfig(
                instrument_id=instrument.id,
                bar_type=bar_type,
                trade_size=Decimal('0.010'),
                fast_ema_period=told['fast'],
                slow_ema_period=told['slow'],
                request_bars=False,
                subscribe_quote_ticks=False,
                subscribe_trade_ticks=False,
            )
        )
    )
    before = time.perf_counter()
    engine.run()
    seconds = time.perf_counter() - before
    orders = len(engine.cache.orders())
    engine.dispose()
    return orders, seconds


def main():
    told = task()
    with contextlib.redirect_stdout(sys.stderr):
        instrument = TestInstrumentProvider.btcusdt_perp_binance()
        bar_type = BarType.from_str(f'{instrument.id}-1-MINUTE-LAST-EXTERNAL')
        frame = pd.read_csv(told['candles'], names=['ms', 'open', 'high', 'low', 'close', 'volume'])
        frame = pd.concat([frame] * told['repeat'], ignore_index=True)
        frame.index = pd.to_datetime(frame['ms'].iloc[0] + 60_000 * pd.RangeIndex(len(frame)), unit='ms', utc=True)
        bars = BarDataWrangler(bar_type, instrument).process(frame[['open', 'high', 'low', 'close', 'volume']].round(1))
        orders, _ = run(instrument, bar_type, bars, told)
    version = f'nautilus_trader {nautilus_trader.__version__}'
    take_turns(version, len(bars), orders, lambda: run(instrument, bar_type, bars, told)[1])


main()
