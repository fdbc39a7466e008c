"""A market maker through hftbacktest, for peers.ts: every 250 ms one bid and one ask around the mid, moved when they are off.

task: {"frames": gzip of `<local_ns> <JSON>` lines, "tick", "lot", "quantity", "halfSpreadBps", "maxPosition", "everyMs", "latencyUs"}
"""
import contextlib
import sys
import time

from turns import take_turns, task

try:
    import numpy as np
    from numba import njit
    import hftbacktest
    from hftbacktest import BacktestAsset, GTX, HashMapMarketDepthBacktest, LIMIT
    from hftbacktest.data.utils import binancefutures
except ImportError as absent:
    print(f'absent: {absent}', file=sys.stderr)
    sys.exit(3)


@njit
def make(hbt, tick, quantity, half_bps, max_position, every_ns):
    sent = 0
    next_id = 1
    bid_id = 0
    ask_id = 0
    bid_at = 0.0
    ask_at = 0.0
    while hbt.elapse(every_ns) == 0:
        depth = hbt.depth(0)
        if not (depth.best_bid > 0 and depth.best_ask < 1e12):
            continue
        mid = (depth.best_bid + depth.best_ask) / 2.0
        position = hbt.position(0)
        half = mid * half_bps / 1e4
        lean = min(1.0, max(-1.0, position / max_position))
        fair = mid - lean * half
        bid = np.floor((fair - half) / tick) * tick
        ask = np.ceil((fair + half) / tick) * tick
        tolerance = np.floor(half / 4.0 / tick) * tick
        hbt.clear_inactive_orders(0)
        orders = hbt.orders(0)
        has_bid = orders.get(bid_id) is not None
        has_ask = orders.get(ask_id) is not None
        if has_bid and abs(bid - bid_at) > tolerance:
            order = orders.get(bid_id)
            if order.cancellable:
                hbt.cancel(0, bid_id, False)
            has_bid = False
        if has_ask and abs(ask - ask_at) > tolerance:
            order = orders.get(ask_id)
            if order.cancellable:
                hbt.cancel(0, ask_id, False)
            has_ask = False
        if not has_bid and position < max_position:
            bid_id = next_id
            bid_at = bid
            next_id += 1
            sent += 1
            hbt.submit_buy_order(0, bid_id, bid, quantity, GTX, LIMIT, False)
        if not has_ask and position > -max_position:
            ask_id = next_id
            ask_at = ask
            next_id += 1
            sent += 1
            hbt.submit_sell_order(0, ask_id, ask, quantity, GTX, LIMIT, False)
    return sent


def run(data, told):
    asset = (
        BacktestAsset()
        .data([data])
        .linear_asset(1.0)
        .constant_order_latency(told['latencyUs'] * 1000, told['latencyUs'] * 1000)
        .power_prob_queue_model(3.0)
        .partial_fill_exchange()
        .trading_value_fee_model(0.0002, 0.0005)
        .tick_size(told['tick'])
        .lot_size(told['lot'])
    )
    hbt = HashMapMarketDepthBacktest([asset])
    before = time.perf_counter()
    sent = make(hbt, told['tick'], told['quantity'], told['halfSpreadBps'], told['maxPosition'], told['everyMs'] * 1_000_000)
    seconds = time.perf_counter() - before
    hbt.close()
    return sent, seconds


def main():
    told = task()
    with contextlib.redirect_stdout(sys.stderr):
        data = binancefutures.convert(told['frames'], base_latency=1_000_000, buffer_size=2_000_000)
        orders, _ = run(data, told)
    take_turns(f'hftbacktest {hftbacktest.__version__}', len(data), orders, lambda: run(data, told)[1])


main()
